import { describe, expect, test } from 'bun:test'
import { makeReady } from '../../../contract/guards/judge.ts'
import { dialects } from '../../dialects/index.ts'
import type { DialectName } from '../../dialects/spec.ts'
import { FrameCount } from '../counting/frame-count.ts'
import type { Piece } from '../stream/conveyor.ts'
import { PassConveyor } from '../stream/pass-conveyor.ts'
import { GuardConveyor } from './guard-conveyor.ts'
import { GuardedStream } from './guarded-stream.ts'
import { Tally } from './tally.ts'

// An answer in which words and the data of a call hold an address each, by every vendor: wherever the connection cuts
// its bytes, the same comes out; and wherever it breaks, no part of an address has.

const looks = { by: 'kinds' as const, kinds: ['email' as const] }
const rules = [
  makeReady(
    { name: 'r', enabled: true, where: ['output'], groups: [], models: [], looks, action: 'mask' },
    looks,
  ),
]

const data = (json: object): string => `data: ${JSON.stringify(json)}\n\n`
const event = (type: string, more: object = {}): string => `event: ${type}\n${data({ type, ...more })}`
const words = ['Mail é ', 'ad', 'a@exam', 'ple.com', ' 👋 now']
const call = ['', '{"to": "a', 'da\\u00', '40example', '.com", "n":', ' 7}']

const choice = (delta: object, finish_reason: string | null = null) =>
  data({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })
const item = { type: 'function_call', id: 'fc', call_id: 'c', name: 'mail', arguments: call.join('') }
const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 }
const part = { type: 'output_text', text: words.join(''), annotations: [] }
const candidate = (parts: object[], more: object = {}) =>
  data({ candidates: [{ index: 0, content: { role: 'model', parts }, ...more }], usageMetadata: {} })

const step = (event_type: string, more: object): string =>
  `event: ${event_type}\n${data({ event_type, ...more })}`

const streams: Readonly<Record<DialectName, readonly string[]>> = {
  'openai-chat': [
    ...words.map(content => choice({ content })),
    ...call.map(text => choice({ tool_calls: [{ index: 0, function: { arguments: text } }] })),
    choice({}, 'tool_calls'),
    'data: [DONE]\n\n',
  ],
  anthropic: [
    event('message_start', { message: { type: 'message', role: 'assistant', usage } }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ...words.map(text => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })),
    event('content_block_stop', { index: 0 }),
    event('content_block_start', {
      index: 1,
      content_block: { type: 'tool_use', id: 't', name: 'mail', input: {} },
    }),
    ...call.map(partial_json =>
      event('content_block_delta', { index: 1, delta: { type: 'input_json_delta', partial_json } }),
    ),
    event('content_block_stop', { index: 1 }),
    event('message_delta', { delta: { stop_reason: 'tool_use' }, usage }),
    event('message_stop'),
  ],
  'openai-responses': [
    event('response.created', { response: { id: 'r', output: [] } }),
    ...words.map(delta => event('response.output_text.delta', { output_index: 0, item_id: 'm', delta })),
    event('response.output_text.done', { output_index: 0, item_id: 'm', text: words.join('') }),
    event('response.output_item.added', { output_index: 1, item: { ...item, arguments: '' } }),
    ...call.map(delta =>
      event('response.function_call_arguments.delta', { output_index: 1, item_id: 'fc', delta }),
    ),
    event('response.output_item.done', { output_index: 1, item }),
    event('response.completed', {
      response: {
        ...{ id: 'r', status: 'completed', usage },
        output: [{ type: 'message', id: 'm', role: 'assistant', content: [part] }, item],
      },
    }),
  ],
  gemini: [
    ...words.map(text => candidate([{ text }])),
    candidate([{ functionCall: { name: 'mail', args: { to: 'ada@example.com', n: 7 } } }]),
    candidate([], { finishReason: 'STOP' }),
  ],
  'gemini-interactions': [
    step('interaction.created', { interaction: { id: 'i', status: 'in_progress' } }),
    step('step.start', { index: 0, step: { type: 'model_output' } }),
    ...words.map(text => step('step.delta', { index: 0, delta: { type: 'text', text } })),
    step('step.stop', { index: 0 }),
    step('step.start', { index: 1, step: { type: 'function_call', id: 'c', name: 'mail', arguments: {} } }),
    ...call.map(text =>
      step('step.delta', { index: 1, delta: { type: 'arguments_delta', arguments: text } }),
    ),
    step('step.stop', { index: 1 }),
    step('interaction.completed', {
      interaction: {
        ...{ id: 'i', status: 'requires_action' },
        steps: [
          { type: 'model_output', content: [{ type: 'text', text: words.join('') }] },
          { type: 'function_call', id: 'c', name: 'mail', arguments: { to: 'ada@example.com', n: 7 } },
        ],
      },
    }),
    'event: done\ndata: [DONE]\n\n',
  ],
}

function open(name: DialectName): GuardConveyor {
  const count = new FrameCount({ count: async () => 0, forget: () => {} })
  const inner = new PassConveyor(dialects[name], true, count)
  return new GuardConveyor(inner, new GuardedStream(name, rules, new Tally()))
}

function asText(piece: Piece | undefined): string {
  if (piece === undefined || typeof piece === 'string') return piece ?? ''
  return Buffer.concat(piece instanceof Uint8Array ? [piece] : piece).toString()
}

function convey(name: DialectName, chunks: readonly Uint8Array[]): string {
  const conveyor = open(name)
  const given = chunks.map(chunk => asText(conveyor.take(chunk))).join('')
  return conveyor.end()
    ? given + asText(conveyor.rest())
    : given + conveyor.fail({ status: 502, message: 'it broke' })
}

describe.each(Object.entries(streams) as [DialectName, readonly string[]][])('%s', (name, frames) => {
  const bytes = Buffer.from(frames.join(''))
  const whole = convey(name, [bytes])

  test('is masked, and no frame is added or left out', () => {
    expect(whole.match(/\[email\]/g)?.length).toBeGreaterThanOrEqual(2)
    expect(whole).not.toMatch(/@|example/)
    expect(whole.split('\n\n').length).toBe(frames.length + 1)
  })

  test('comes out the same wherever its bytes are cut', () => {
    for (let at = 1; at < bytes.length; at++)
      expect(convey(name, [bytes.subarray(0, at), bytes.subarray(at)])).toBe(whole)
  })

  test('has let no part of an address out wherever it breaks, and every frame can be read', () => {
    for (let at = 1; at < bytes.length - 2; at++) {
      const out = convey(name, [bytes.subarray(0, at)])
      expect(out).not.toMatch(/\bada?\b|@|u0040|exam/)
      for (const frame of out.split('\n\n')) {
        const said = /^data: (\{.*)$/m.exec(frame)?.[1]
        if (said !== undefined) expect(() => JSON.parse(said)).not.toThrow()
      }
    }
  })
})
