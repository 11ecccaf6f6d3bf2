import { describe, expect, test } from 'bun:test'
import { SseReader } from '../sse.ts'
import type { Verdict } from '../watching.ts'
import { errorStream, refusalStream, textStream, thinkingStream, toolsStream } from './fixtures/streams.ts'
import { anthropic } from './index.ts'

function watch(stream: string) {
  const watcher = anthropic.createWatcher({ wantsUsage: true })
  const verdicts: [string, Verdict][] = []
  new SseReader((event, data) => verdicts.push([event, watcher.look(event, data)])).pushText(stream)
  return { watcher, verdicts }
}

describe('a stream that passes', () => {
  const table = [
    ['text', textStream, { input: 12, output: 30 }],
    [
      'thinking',
      thinkingStream,
      { input: 145, output: 50, cacheRead: 40, cacheWrite: 100, cacheWriteHour: 40, reasoning: 33 },
    ],
    ['tools', toolsStream, { input: 10472, output: 89 }],
    ['refusal', refusalStream, { input: 9, output: 0 }],
  ] as const
  test.each(table)('%s', (_name, stream, usage) => {
    const { watcher, verdicts } = watch(stream)
    const ends = ['message_delta', 'message_stop']
    for (const [event, verdict] of verdicts) expect(verdict).toBe(ends.includes(event) ? 'hold' : 'pass')
    expect(watcher.usage).toEqual(usage)
    expect(watcher.complete).toBe(true)
    expect(watcher.problem).toBeUndefined()
  })
})

test('after the end all is held; before it, nothing is complete', () => {
  const watcher = anthropic.createWatcher({ wantsUsage: true })
  const open = '{"type":"message_start","message":{"usage":{"input_tokens":3,"output_tokens":1}}}'
  expect(watcher.look('message_start', open)).toBe('pass')
  expect(watcher.usage).toEqual({ input: 3, output: 1 })
  expect(watcher.complete).toBe(false)
  expect(watcher.mayMatter(Buffer.from('event: ping\n\n'))).toBe(false)
  expect(watcher.look('', '{"type":"message_delta","delta":{"stop_reason":"end_turn"}}')).toBe('hold')
  expect(watcher.complete).toBe(true)
  expect(watcher.usage).toEqual({ input: 3, output: 0 })
  expect(watcher.mayMatter(Buffer.from('event: ping\n\n'))).toBe(true)
  expect(watcher.look('ping', '{"type": "ping"}')).toBe('hold')
})

test('an error in another vendor’s form is one too', () => {
  const { watcher, verdicts } = watch('data: {"error":{"message":"no more","type":"server_error"}}\n\n')
  expect(verdicts.map(([, verdict]) => verdict)).toEqual(['drop'])
  expect(watcher.problem).toMatchObject({ status: 500, message: 'no more' })
  expect(watcher.complete).toBe(false)
})

test('an error is dropped and remembered', () => {
  const { watcher, verdicts } = watch(errorStream)
  expect(verdicts).toEqual([
    ['message_start', 'pass'],
    ['error', 'drop'],
  ])
  expect(watcher.problem).toEqual({ status: 529, message: 'Overloaded', code: 'overloaded_error' })
  expect(watcher.complete).toBe(false)
})

test('counts that cannot be believed are no usage', () => {
  const bad = textStream.replace('"output_tokens":30', '"output_tokens":-30')
  expect(watch(bad).watcher.usage).toBeUndefined()
})

test('null takes nothing back', () => {
  const stream = thinkingStream.replace(
    '"cache_read_input_tokens":40,"output_tokens":50',
    '"cache_read_input_tokens":null,"output_tokens":50',
  )
  expect(stream).not.toBe(thinkingStream)
  expect(watch(stream).watcher.usage).toMatchObject({ input: 145, output: 50, cacheRead: 40 })
})

test('what the end counts in place of the beginning counts, and a container that only the beginning names', () => {
  const watcher = anthropic.createWatcher({ wantsUsage: true })
  const message = { usage: { input_tokens: 900, output_tokens: 1 }, container: { id: 'container_1' } }
  watcher.look('message_start', JSON.stringify({ type: 'message_start', message }))
  const usage = { input_tokens: 0, cache_read_input_tokens: 1000, output_tokens: 7 }
  const end = { type: 'message_delta', delta: { stop_reason: 'end_turn', container: null }, usage }
  watcher.look('message_delta', JSON.stringify(end))
  expect(watcher.usage).toMatchObject({
    input: 1000,
    cacheRead: 1000,
    output: 7,
    tools: { code_execution: 1 },
  })
})

test('nonsense passes', () => {
  const watcher = anthropic.createWatcher({ wantsUsage: true })
  for (const data of ['', '[DONE]', 'null', '[]', '{"type":5}', '{"type":"message_delta"}'])
    expect(watcher.look('', data)).toBe('pass')
  expect(watcher.look('message_start', '{"message":null}')).toBe('pass')
})

test('searches are counted before the end tells of them', () => {
  const watcher = anthropic.createWatcher({ wantsUsage: true })
  const block = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
  const frame = JSON.stringify({ type: 'content_block_start', index: 0, content_block: block })
  expect(watcher.toolUse).toBeUndefined()
  // Some gateways leave the names of events out.
  for (const event of ['content_block_start', '']) expect(watcher.look(event, frame)).toBe('pass')
  watcher.look('content_block_start', frame.replace('"web_search"', '"bash_code_execution"'))
  expect(watcher.toolUse).toEqual({ searches: 2 })
})

describe('which chunks matter', () => {
  const watcher = anthropic.createWatcher({ wantsUsage: true })
  const frames = [textStream, thinkingStream, toolsStream, refusalStream, errorStream]
    .flatMap(stream => stream.split('\n\n'))
    .filter(frame => frame !== '')

  test('those that hold a frame of the start, the end, a tool of the vendor’s or an error, and no others', () => {
    for (const frame of frames) {
      const matters = /^event: (message_|error)|"server_tool_use"/.test(frame)
      expect([frame, watcher.mayMatter(Buffer.from(`${frame}\n\n`))]).toEqual([frame, matters])
    }
  })

  test('whatever the bytes around them, also in a part of a larger buffer', () => {
    const all = new TextEncoder().encode(`event: message_stop\n\n${'x'.repeat(50)}event:error\n`)
    expect(watcher.mayMatter(all.subarray(30))).toBe(true)
    expect(watcher.mayMatter(all.subarray(30, 60))).toBe(false)
    const quoted = JSON.stringify({ delta: { text: 'an "error" here' } })
    expect(watcher.mayMatter(Buffer.from(`data: ${quoted}\n\n`))).toBe(false)
    expect(watcher.mayMatter(Buffer.from('data: {"type": "error"}\n\n'))).toBe(true)
  })
})
