import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asArray, asObject, type JsonObject } from '../../../server/dialects/json.ts'
import { rootClient } from '../../client.ts'
import { until } from '../../program.ts'
import { serveLoopback } from '../../serve-loopback.ts'
import { type Answer, errorOnceAnswered, type FakeUpstream } from '../../upstreams/index.ts'
import { anthropic, ask, chat, gemini, readStream, requestIdOf, responses, type Way } from '../ways.ts'
import { openStreamHouse, type StreamHouse } from './stream-house.ts'

const FAILURES_TO_OPEN = 5
/** Frames of a short answer, in the longest of the dialects. */
const MOST_FRAMES = 20
/** After so many, something of the answer has been said. */
const FRAMES_THAT_SAY: Readonly<Record<Way['name'], number>> = {
  'openai-chat': 3,
  'openai-responses': 6,
  anthropic: 4,
  gemini: 2,
}
/** Each soon after the other, and together longer than an upstream gets to hang up when all has been said. */
const SLOW_FRAMES = { count: 40, gapMs: 40 }

/** Gemini's clients that did not ask for events. */
const geminiArray: Way = {
  ...gemini,
  path: model => `/v1beta/models/${model}:streamGenerateContent`,
  failMark: /\{"error":\{"code":\d+,"message":[^\n]+\]$/,
}
/** OpenAI's models where only Responses are spoken. */
const responsesOnly: Way = { ...responses, model: 'resp-only' }

let house: StreamHouse
beforeAll(async () => {
  house = await openStreamHouse({ models: ['m-caller', 'm-vendor'] })
  const { url, key } = house.vendorOf(chat)
  const setting = { dialects: [responses.name] }
  await house.rig.addChannel({ type: 8, baseUrl: url, key, models: [responsesOnly.model], setting })
  await until(async () => (await ask(house.rig.url, chat, { key: house.key, model: 'resp-only' })).ok)
})
afterAll(() => house.close())

const vendorOf = (way: Way): FakeUpstream => house.vendorOf(way === responsesOnly ? chat : way)

async function stream(client: Way, vendor: Way, answer: Answer, answered = () => {}) {
  vendorOf(vendor).next(answer)
  const asking = { key: house.key, model: vendor.model, text: 'one two' }
  const response = await ask(house.rig.url, client, { ...asking, stream: true })
  answered()
  const read = await readStream(response)
  // A channel whose streams break one after the other is left alone: here each is the first.
  await (await ask(house.rig.url, client, asking)).text()
  return { ...read, status: response.status, requestId: requestIdOf(response) }
}

describe('an answer that does not come to its end', () => {
  const clients: [string, Way][] = [
    ['anthropic', anthropic],
    ['gemini', gemini],
    ['gemini as an array', geminiArray],
  ]
  const table = clients.flatMap(([name, client]) =>
    [chat, responsesOnly, anthropic, gemini].map(vendor => ({
      name: `${name} from ${vendor.name}`,
      client,
      vendor,
    })),
  )

  function expectFailure(
    { client }: { client: Way },
    told: { status: number; text: string; requestId: string },
  ): void {
    expect(told.text).not.toMatch(client.finishMark)
    expect(told.text).toMatch(told.status === 200 ? client.failMark : /"message":"/)
    if (client.name === 'anthropic') {
      expect(told.text).not.toContain('message_stop')
      expect(told.text).toContain(`"request_id":"${told.requestId}"`)
    }
    if (client !== geminiArray || told.status !== 200) return
    const elements = asArray(JSON.parse(told.text))
    expect(elements.filter(one => asObject(one)?.error)).toEqual([elements.at(-1) ?? {}])
  }

  test.each(table)('$name: cut after any frame', async way => {
    let whole = 0
    for (let frames = 0; frames < MOST_FRAMES && whole === 0; frames++) {
      const cut = await stream(way.client, way.vendor, { cutAfterFrames: frames, politely: true })
      expect(cut.broke).toBe(false)
      if (way.client.finishMark.test(cut.text)) {
        whole = frames
        expect(cut.text).not.toMatch(way.client.failMark)
      } else expectFailure(way, cut)
    }
    expect(whole).toBeGreaterThan(2)
  })

  test.each(table)('$name: an error inside it', async way => {
    const { script, answered } = errorOnceAnswered(FRAMES_THAT_SAY[way.vendor.name])
    const failed = await stream(way.client, way.vendor, script, answered)
    expect([failed.status, failed.broke]).toEqual([200, false])
    expectFailure(way, failed)
    expect(failed.text).toContain(`(request id: ${failed.requestId})`)
  })
})

describe('the row of an answer that broke off', () => {
  const words = (code: 'cut' | 'left' | 'said', requestId: string): string =>
    `${
      {
        cut: '上游在回答完成之前中断了连接',
        left: '客户端在回答完成之前断开了连接',
        said: 'The server had an error while processing your request. Sorry about that!',
      }[code]
    } (request id: ${requestId})`
  const shown = async (requestId: string): Promise<{ content: string; other: string }> => {
    const root = await rootClient(house.rig.url)
    return (await root.get(`/api/log/?request_id=${requestId}`)).json.data.items[0]
  }

  test('says how, and the words that its client was told', async () => {
    const { script, answered } = errorOnceAnswered(FRAMES_THAT_SAY['openai-chat'])
    const said = await stream(chat, chat, script, answered)
    const cut = await stream(anthropic, chat, { cutAfterFrames: 5, politely: true, onceRead: true })
    const whole = await stream(chat, chat, {})
    const rows = await Promise.all([said, cut, whole].map(one => house.rig.logOf(one.requestId)))
    expect(rows.map(row => [row.type, row.quota > 0, row.content, row.details.broke_off])).toEqual([
      [2, true, words('said', said.requestId), 'problem'],
      [2, true, words('cut', cut.requestId), 'cut'],
      [2, true, '', undefined],
    ])
    expect((await shown(cut.requestId)).content).toBe(words('cut', cut.requestId))
    expect((await shown(whole.requestId)).content).toStartWith('模型倍率')
  })

  test.each(['chat', 'speech'] as const)('of %s that its client left, too', async kind => {
    const leaving = new AbortController()
    vendorOf(chat).next({ stallAfterFrames: kind === 'chat' ? 5 : 1 })
    const response =
      kind === 'chat'
        ? await ask(house.rig.url, chat, { key: house.key, stream: true, signal: leaving.signal })
        : await fetch(`${house.rig.url}/v1/audio/speech`, {
            method: 'POST',
            headers: { authorization: `Bearer ${house.key}`, 'content-type': 'application/json' },
            body: JSON.stringify({
              ...{ model: 'm-caller', input: 'many words', voice: 'alloy', stream_format: 'sse' },
            }),
            signal: leaving.signal,
          })
    await response.body?.getReader().read()
    leaving.abort()
    const row = await house.rig.logOf(requestIdOf(response))
    expect([row.type, row.content, row.details.broke_off]).toEqual([
      2,
      words('left', requestIdOf(response)),
      'client',
    ])
  })

  test('of one that was left before anything was said blames nobody', async () => {
    const leaving = new AbortController()
    vendorOf(chat).next({ silent: true })
    const before = vendorOf(chat).requests.length
    const asking = ask(house.rig.url, chat, { key: house.key, model: 'm-vendor', signal: leaving.signal })
    asking.catch(() => {})
    await until(() => vendorOf(chat).requests.length > before)
    leaving.abort()
    const row = await until(() =>
      house.rig.store.db
        .selectFrom('logs')
        .selectAll()
        .where('model_name', '=', 'm-vendor')
        .where('type', '=', 5)
        .executeTakeFirst(),
    )
    expect([row.content, JSON.parse(row.other).status_code]).toEqual([words('left', row.request_id), 499])
  })
})

/** A model that says in every frame that it has finished, and has more to say. */
describe('gemini, finished in every frame', () => {
  const frame = (text: string, output: number) =>
    `data: ${JSON.stringify({
      candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: output, totalTokenCount: 5 + output },
    })}\r\n\r\n`
  const words = Array.from({ length: SLOW_FRAMES.count }, (_, at) => `word${at}`)

  test.each([
    ['events', gemini],
    ['an array', geminiArray],
  ])('as %s', async (_name, client) => {
    const frames = () => words.map((word, at) => frame(word, at + 1))
    const { text, requestId } = await stream(client, gemini, { frames, gapMs: SLOW_FRAMES.gapMs })
    expect([...text.matchAll(/"text":"(\w+)"/g)].map(found => found[1])).toEqual(words)
    const { prompt_tokens, completion_tokens } = await house.rig.logOf(requestId)
    expect([prompt_tokens, completion_tokens]).toEqual([5, words.length])
  })
})

describe('whose fault an error inside a stream is', () => {
  const failed = (error: JsonObject) =>
    `event: response.failed\ndata: ${JSON.stringify({
      type: 'response.failed',
      sequence_number: 3,
      response: { id: 'resp_1', object: 'response', status: 'failed', error, output: [], usage: null },
    })}\n\n`
  const event = (body: JsonObject) => `data: ${JSON.stringify(body)}\n\n`

  /** As many streams as would close the channel, each ended by this frame; then a plain call. */
  async function breakStreams(client: Way, model: string, last: string): Promise<number> {
    for (let at = 0; at < FAILURES_TO_OPEN; at++) {
      const afterFrames = FRAMES_THAT_SAY[client.name]
      const { promise: until, resolve: answered } = Promise.withResolvers<void>()
      const frames: Answer['frames'] = all => [...all.slice(0, afterFrames), last]
      vendorOf(client).next({ frames, hold: { afterFrames, until } })
      const response = await ask(house.rig.url, client, { key: house.key, model, stream: true })
      answered()
      const { text } = await readStream(response)
      expect(text).toMatch(client.failMark)
    }
    const after = await ask(house.rig.url, client, { key: house.key, model })
    await after.text()
    return after.status
  }

  const filtered = { message: 'content management policy', type: 'invalid_request_error' }
  const callers: [Way, string, string][] = [
    [responses, 'm-caller', failed({ code: 'invalid_prompt', message: 'Invalid prompt: it was flagged' })],
    [chat, 'm-caller', event({ error: { ...filtered, code: 'content_filter' } })],
    [anthropic, anthropic.model, `event: error\n${event({ type: 'error', error: filtered })}`],
    [gemini, gemini.model, event({ error: { code: 400, message: 'bad', status: 'INVALID_ARGUMENT' } })],
  ]
  test.each(callers)('the caller’s: $name', async (client, model, last) => {
    expect(await breakStreams(client, model, last)).toBe(200)
  })

  test('the vendor’s', async () => {
    const broken = event({ error: { message: 'boom', type: 'server_error', code: null } })
    expect(await breakStreams(chat, 'm-vendor', broken)).toBe(429)
  })
})

/** FastGPT's apps say of every answer that it took one token. */
describe('usage that is never so is counted here', () => {
  const FASTGPT = 22
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 1 }
  const content = 'many words, and each of them is worth a token or so. '.repeat(20)
  const answer = (choice: JsonObject) => JSON.stringify({ id: '', model: '', usage, choices: [choice] })
  const spoken = { role: 'assistant', content }
  const plain = answer({ index: 0, message: spoken, finish_reason: 'stop' })
  const streamed = `data: ${answer({ index: 0, delta: spoken, finish_reason: 'stop' })}\n\ndata: [DONE]\n\n`
  const app = serveLoopback(async request =>
    ((await request.json()) as JsonObject).stream
      ? new Response(streamed, { headers: { 'content-type': 'text/event-stream' } })
      : new Response(plain, { headers: { 'content-type': 'application/json' } }),
  )
  beforeAll(async () => {
    await house.rig.addChannel({ type: FASTGPT, baseUrl: app.url.origin, key: 'k', models: ['my-app'] })
    await until(async () => (await ask(house.rig.url, chat, { key: house.key, model: 'my-app' })).ok)
  })
  afterAll(() => app.stop(true))

  test.each([
    ['chat', chat, true],
    ['chat, plain', chat, false],
    ['anthropic', anthropic, true],
    ['anthropic, plain', anthropic, false],
  ])('%s', async (_name, client, stream) => {
    const asking = { key: house.key, model: 'my-app', stream, text: 'tell me a story '.repeat(20) }
    const response = await ask(house.rig.url, client, asking)
    const text = await response.text()
    const row = await house.rig.logOf(requestIdOf(response))
    expect(row.prompt_tokens).toBeWithin(60, 150)
    expect(row.completion_tokens).toBeWithin(200, 400)
    if (client === anthropic) expect(text).toContain(`"output_tokens":${row.completion_tokens}`)
  })
})
