import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../server/dialects/json.ts'
import { byteByByte, oddFrames, type Script } from '../../upstreams/index.ts'
import { deltaOf, textOfEvents } from '../../upstreams/text-of-events.ts'
import { anthropic, ask, chat, gemini, requestIdOf, responses, type Way } from '../ways.ts'
import { openStreamHouse, type Pair, pairs, passing, type StreamHouse } from './stream-house.ts'

const WORDS = 'grüße 漢字 😀👩‍👩‍👧 “there”'

let house: StreamHouse
beforeAll(async () => {
  house = await openStreamHouse({ accept: ['surprise', 'deep'] })
})
afterAll(() => house.close())

describe.each(pairs)('$name', pair => {
  const scripts: [string, Script][] = [
    ['whole', {}],
    ['byte by byte', byteByByte],
    ['in sevens', { chunkBytes: 7 }],
    ['CRLF, comments and two data lines', oddFrames],
    ['all of that in threes', { ...oddFrames, chunkBytes: 3 }],
  ]
  test('the text arrives however it is sent', async () => {
    for (const [name, script] of scripts) {
      const { events, text, charge } = await house.stream(pair, { text: WORDS, script })
      expect([name, textOfEvents(events)]).toEqual([name, `You said: ${WORDS}`])
      expect(text).toMatch(pair.client.endMark)
      expect(charge).toBeGreaterThan(0)
    }
  })
})

/** Streams with all that a vendor might do to them. What the vendor sent last is what ends an answer. */
const STREAMS: Record<string, string> = {
  'openai-chat': [
    ': a comment\n\n',
    'data: {"id":"c1","object":"chat.completion.chunk","model":"m","surprise":{"n":12345678901234567890,"e":1e400},"choices":[{"index":0,"delta":{"role":"assistant","content":"","new":null}}]}\n\n',
    'data:{"id":"c1","choices":[{"index":0,"delta":{"content":"h\\u00e9 \\ud83d"}}]}\n\n',
    'event: message\nid: 7\nretry: 10\ndata: {"id":"c1","choices":[{"index":0,\ndata: "delta":{"content":"llo"}}]}\n\n',
    'data: {"id":"c1","choices":[{"index":0,"delta":{"reasoning_content":"hm","audio":{"data":"AAA"}}}]}\r\n\r\n',
    'data: {"id":"c1","object":"something.new","surprise":[]}\n\n',
    'data: {"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":"stop","extra":1}]}\n\n',
    'data: {"id":"c1","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11,"odd":{}}}\n\n',
    ': bye\n\ndata: [DONE]\n\n',
  ].join(''),
  'openai-responses': [
    'event: response.created\ndata: {"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","status":"in_progress","surprise":1e400}}\n\n',
    'event: response.brand_new\ndata: {"type":"response.brand_new","x":12345678901234567890}\n\n',
    'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":1,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"hé","obfuscation":"xyz"}\r\n\r\n',
    ': ping\n\n',
    'event: response.completed\ndata: {"type":"response.completed","sequence_number":2,"response":{"id":"resp_1","object":"response","status":"completed","output":[],"usage":{"input_tokens":9,"output_tokens":2,"total_tokens":11}}}\n\n',
  ].join(''),
  anthropic: [
    'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"model":"m","surprise":{},"usage":{"input_tokens":9,"output_tokens":1,"service_tier":"standard"}}}\n\n',
    'event: ping\ndata: {"type": "ping"}\n\n',
    'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n',
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"h\\u00e9"}}\r\n\r\n',
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"brand_new_delta","n":12345678901234567890}}\n\n',
    'event: brand_new\ndata: {"type":"brand_new"}\n\n',
    'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n',
    'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":2},"context_management":{}}\n\n',
    'event: message_stop\ndata: {"type":"message_stop", "odd":1}\n\n',
  ].join(''),
  gemini: [
    'data: {"candidates": [{"content": {"parts": [{"text": "h\\u00e9"}],"role": "model"},"index": 0}],"modelVersion": "m","surprise": 1e400}\r\n\r\n',
    'data: {"candidates": [{"content": {"parts": [{"text": " there", "thoughtSignature": "abc="}],"role": "model"},"finishReason": "STOP","index": 0,"new": 12345678901234567890}],"usageMetadata": {"promptTokenCount": 9,"candidatesTokenCount": 2,"totalTokenCount": 11}}\r\n\r\n',
  ].join(''),
}

describe.each(passing)('$name', ({ client, vendor }: Pair) => {
  test('frames pass byte by byte as they came, unknown ones too', async () => {
    const bytes = new TextEncoder().encode(STREAMS[client.name] ?? '')
    const more = client === chat ? { stream_options: { include_usage: true } } : {}
    for (const chunkBytes of [bytes.length, 1, 50, 333]) {
      house.vendorOf(vendor).next({
        status: 200,
        headers: { 'Content-Type': 'text/event-stream' },
        body: bytes,
        chunkBytes,
      })
      const response = await ask(house.rig.url, client, { key: house.key, stream: true, more })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
      expect(await response.text()).toBe(STREAMS[client.name] ?? '')
      const row = await house.rig.logOf(response.headers.get('x-oneapi-request-id') ?? '')
      expect([row.prompt_tokens, row.completion_tokens]).toEqual([9, 2])
    }
  })
})

describe('requests', () => {
  /** As no serialiser of ours would write them. */
  const odd =
    '"surprise" : { "big":12345678901234567890 ,"huge":1e400,"half":"\\ud83d", "again":1, "again":2 }'
  const sent: [string, Way, string][] = [
    [
      'chat',
      chat,
      `{ ${odd},\n "model":"gpt-4o","messages":[{"role":"user","content":"h\\u00ed"}],"max_tokens":1e2 }`,
    ],
    ['responses', responses, `{"model":"gpt-4o", ${odd}, "input":"hi"\t}`],
    [
      'anthropic',
      anthropic,
      `{"model":"claude-sonnet-4-6",${odd},"max_tokens": 50,"messages":[{"role":"user","content":"hi"}]}`,
    ],
    ['gemini', gemini, `{"contents":[{"role":"user","parts":[{"text":"hi"}]}],${odd}}`],
  ]
  test.each(sent)('%s pass as they were written', async (_name, way, body) => {
    const response = await ask(house.rig.url, way, { key: house.key, rawBody: body })
    expect([response.status, way.name]).toEqual([200, way.name])
    expect(house.vendorOf(way).requests.at(-1)?.text).toBe(body)
  })

  test('only what must change is changed', async () => {
    const [, , body = ''] = sent[0] ?? []
    const asked = body.replace('"model"', '"stream":true,"model"')
    const response = await ask(house.rig.url, chat, { key: house.key, stream: true, rawBody: asked })
    await response.text()
    const seen = house.vendorOf(chat).requests.at(-1)?.text ?? ''
    expect(seen).toContain(odd)
    expect(JSON.parse(seen).stream_options).toEqual({ include_usage: true })
  })

  test('plain answers pass as they came', async () => {
    const answers: [Way, string][] = [
      [
        chat,
        '{"id":"c","choices":[{"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}],"n":1e400,"usage":{"prompt_tokens":1,"completion_tokens":1}}\n',
      ],
      [
        anthropic,
        '{"id":"m","type":"message","content":[{"type":"text","text":"x"},{"type":"new"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1},"n":12345678901234567890}',
      ],
      [
        gemini,
        '{\n "candidates":[{"content":{"parts":[{"text":"x"}]},"finishReason":"STOP"}],"odd":1e400,"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1}}',
      ],
    ]
    for (const [way, body] of answers) {
      house.vendorOf(way).next({ status: 200, body: new TextEncoder().encode(body) })
      expect(await (await ask(house.rig.url, way, { key: house.key })).text()).toBe(body)
    }
  })
})

describe.each([chat, anthropic, gemini])('Gemini without events, from $name', vendor => {
  /** One JSON array, whatever becomes of it. */
  async function readArray(script: Script) {
    house.vendorOf(vendor).next(script)
    const path = `/v1beta/models/${vendor.model}:streamGenerateContent`
    const response = await fetch(house.rig.url + path, {
      method: 'POST',
      headers: { 'x-goog-api-key': house.key, 'content-type': 'application/json' },
      body: JSON.stringify(gemini.body('', WORDS, true)),
    })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
    const text = await response.text()
    const members: JsonObject[] = JSON.parse(text)
    return { members, text, charge: await house.rig.chargeOf(requestIdOf(response)) }
  }

  test('is one array, whole or cut', async () => {
    for (const script of [{}, byteByByte, oddFrames]) {
      const { members, text, charge } = await readArray(script)
      expect(members.map(deltaOf).join('')).toBe(`You said: ${WORDS}`)
      expect(text).toMatch(gemini.finishMark)
      expect(charge).toBeGreaterThan(0)
    }
    const cutAfterFrames = vendor === anthropic ? 4 : 2
    const { members, text, charge } = await readArray({ cutAfterFrames, onceRead: true })
    expect(members.at(-1)).toMatchObject({ error: { code: 502, status: 'UNAVAILABLE' } })
    expect(text).not.toMatch(gemini.finishMark)
    expect(charge).toBeGreaterThan(0)
  })
})
