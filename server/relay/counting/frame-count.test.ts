import { afterAll, describe, expect, test } from 'bun:test'
import type { DialectName } from '../../dialects/spec.ts'
import { startCountThread, TokenCounter } from './token-counter.ts'

const threads: Worker[] = []
const counter = new TokenCounter(() => {
  const thread = startCountThread()
  threads.push(thread)
  return thread
})
afterAll(() => counter.stop())

const chatFrame = (delta: object): string =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
    object: 'chat.completion.chunk',
    created: 1741569952,
    model: 'gpt-4.1-2025-04-14',
    service_tier: 'default',
    system_fingerprint: 'fp_44709d6fcb',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: null }],
  })}\n\n`

/** Deltas that are whole tokens, so that any cut between frames leaves the count alone. */
const deltas = (times: number): string[] => Array.from({ length: times }, (_, at) => ` hello ${at % 10}\n`)

function chatStream(times: number): { bytes: Uint8Array; text: string } {
  const texts = deltas(times)
  const frames = texts.map(content => chatFrame({ content })).join('')
  const bytes = new TextEncoder().encode(
    `${chatFrame({ role: 'assistant', content: '' })}${frames}data: [DONE]\n\n`,
  )
  return { bytes, text: texts.join('') }
}

const prose = {
  zh: '“收费站”只收一次钱：不多收，也不少收！\n谁先走了？他付他听到的。Claude与GPT-4o都在这里；价格１２３元。'.repeat(
    9,
  ),
  en: "Nobody's answer isn't counted twice, they'd say — 1,234,567 words (or so)...\n\n  “Yes,” I’ll agree.\tÉté naïve! ".repeat(
    9,
  ),
  json: JSON.stringify({ city: 'São Paulo', unit: 'celsius', at: [1, 2, 33.5], note: 'it’s "hot"' }).repeat(
    9,
  ),
}

describe('countFrames', () => {
  test.each([1, 100, 5000, 100_000, 2_000_000])(
    'chunks of %d bytes are counted as their text',
    async size => {
      const { bytes, text } = chatStream(size === 1 ? 300 : 3000)
      const whole = await counter.countText(text)
      const frames = counter.countFrames('openai-chat')
      let mostHeld = 0
      for (let at = 0; at < bytes.length; at += size) {
        frames.add(bytes.subarray(at, at + size))
        mostHeld = Math.max(mostHeld, frames.held)
        // As in life the thread keeps up: it answers in order, so by then it has read what was handed over.
        if (frames.held === 0) await counter.countText('a')
      }
      expect(mostHeld).toBeLessThanOrEqual(64 * 1024)
      expect(frames.soFar).toBeGreaterThan(whole / 4)
      const total = await frames.total()
      expect(Math.abs(total - whole)).toBeLessThanOrEqual(Math.ceil(bytes.length / (64 * 1024)))
      expect([frames.soFar, await frames.total()]).toEqual([total, total])
    },
  )

  test('the ratio is learned from what has been counted', async () => {
    const { bytes, text } = chatStream(3000)
    const whole = await counter.countText(text)
    const frames = counter.countFrames('openai-chat')
    const half = bytes.length >> 1
    frames.add(bytes.subarray(0, half))
    // The thread answers in order: this one is answered after it.
    await counter.countText('a')
    frames.add(bytes.subarray(half, half + 60_000))
    expect(frames.held).toBe(60_000)
    const share = (half + 60_000) / bytes.length
    expect(Math.abs(frames.soFar / (whole * share) - 1)).toBeLessThan(0.05)
    frames.discard()
    expect(frames.held).toBe(0)
  })

  test.each(['zh', 'en', 'json'] as const)(
    'however often it is counted meanwhile, the sum is that of the whole (%s)',
    async kind => {
      const texts = prose[kind].match(/.{1,3}/gsu) ?? []
      const frames = counter.countFrames('openai-chat')
      for (const [at, content] of texts.entries()) {
        frames.add(new TextEncoder().encode(chatFrame({ content })))
        if (at % 7 === 0) await frames.catchUp()
      }
      await frames.catchUp()
      expect(frames.held).toBe(0)
      expect(await frames.total()).toBe(await counter.countText(prose[kind]))
    },
  )

  test('two streams at once do not mix', async () => {
    const { bytes, text } = chatStream(1000)
    const whole = await counter.countText(text)
    const streams = [counter.countFrames('openai-chat'), counter.countFrames('openai-chat')]
    for (let at = 0; at < bytes.length; at += 50_001)
      for (const stream of streams) stream.add(bytes.subarray(at, at + 50_001))
    for (const stream of streams) expect(Math.abs((await stream.total()) - whole)).toBeLessThanOrEqual(5)
  })

  test('nothing is nothing, and a discarded stream starts no thread', async () => {
    let started = 0
    const idle = new TokenCounter(() => {
      started++
      return startCountThread()
    })
    const [none, dropped] = [idle.countFrames('anthropic'), idle.countFrames('gemini')]
    dropped.add(new Uint8Array(1000))
    dropped.discard()
    expect([await none.total(), await dropped.total(), dropped.soFar, started]).toEqual([0, 0, 0, 0])
  })

  test('what is no stream of the dialect has no text', async () => {
    const frames = counter.countFrames('openai-chat')
    frames.add(
      new TextEncoder().encode('data: null\n\ndata: {"choices":[null,{"delta":7}]}\n\ndata: {\n\n\xff'),
    )
    expect(await frames.total()).toBe(0)
  })
})

describe('a stream whose thread dies', () => {
  test('is estimated from there on, by what it was like before', async () => {
    const { bytes, text } = chatStream(3000)
    const whole = await counter.countText(text)
    const frames = counter.countFrames('openai-chat')
    const half = bytes.length >> 1
    frames.add(bytes.subarray(0, half))
    await counter.countText('a')
    threads.at(-1)?.terminate()
    while ((await counter.countText('hello world, hello world')) !== 5) await Bun.sleep(1)
    for (let at = half; at < bytes.length; at += 10_000) {
      frames.add(bytes.subarray(at, at + 10_000))
      await counter.countText('a')
    }
    expect(Math.abs((await frames.total()) / whole - 1)).toBeLessThan(0.05)
    expect(frames.held).toBe(0)
  })
})

describe('every dialect', () => {
  const lines = (...frames: object[]): string =>
    frames
      .map(frame => `event: ${'type' in frame ? frame.type : ''}\ndata: ${JSON.stringify(frame)}\n\n`)
      .join('')

  test.each<[DialectName, string]>([
    [
      'openai-chat',
      chatFrame({ content: 'hello' }) +
        chatFrame({ content: ' world' }) +
        chatFrame({
          tool_calls: [
            { index: 0, id: 'call_1', type: 'function', function: { name: ' hello', arguments: '' } },
          ],
        }) +
        chatFrame({ tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] }),
    ],
    [
      'openai-responses',
      lines(
        {
          type: 'response.output_item.added',
          output_index: 0,
          item: { type: 'message', id: 'msg_1', status: 'in_progress', role: 'assistant', content: [] },
        },
        {
          type: 'response.output_text.delta',
          item_id: 'msg_1',
          output_index: 0,
          content_index: 0,
          delta: 'hello world',
        },
        {
          type: 'response.output_item.added',
          output_index: 1,
          item: { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: ' hello', arguments: '' },
        },
        {
          type: 'response.function_call_arguments.delta',
          item_id: 'fc_1',
          output_index: 1,
          delta: '{"a":1}',
        },
      ),
    ],
    [
      'anthropic',
      lines(
        {
          type: 'message_start',
          message: {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            model: 'claude',
            content: [],
            usage: {},
          },
        },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello world' } },
        { type: 'content_block_stop', index: 0 },
        {
          type: 'content_block_start',
          index: 1,
          content_block: { type: 'tool_use', id: 'toolu_1', name: ' hello', input: {} },
        },
        {
          type: 'content_block_delta',
          index: 1,
          delta: { type: 'input_json_delta', partial_json: '{"a":1}' },
        },
        { type: 'content_block_stop', index: 1 },
      ),
    ],
    [
      'gemini',
      lines({
        candidates: [
          {
            content: {
              role: 'model',
              parts: [{ text: 'hello world' }, { functionCall: { name: ' hello', args: { a: 1 } } }],
            },
          },
        ],
      }),
    ],
  ])('%s: text, tool name and tool input are counted', async (dialect, stream) => {
    const frames = counter.countFrames(dialect)
    frames.add(new TextEncoder().encode(stream))
    expect(await frames.total()).toBe(await counter.countText('hello world hello{"a":1}'))
  })
})
