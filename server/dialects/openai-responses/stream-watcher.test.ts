import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { SseReader } from '../sse.ts'
import type { Verdict } from '../watching.ts'
import { openaiResponses } from './index.ts'

const BYTES = readFileSync(new URL('./fixtures/reasoning-search-text-call.sse', import.meta.url))
const watch = () => openaiResponses.createWatcher({ wantsUsage: true })

function look(text: string, watcher = watch()): { verdicts: Verdict[]; watcher: typeof watcher } {
  const verdicts: Verdict[] = []
  const sse = new SseReader((event, data) => verdicts.push(watcher.look(event, data)))
  sse.pushText(text)
  sse.end()
  return { verdicts, watcher }
}

const COMPLETED =
  'event: response.completed\ndata: {"type":"response.completed","response":{"status":"completed","usage":{"input_tokens":3,"output_tokens":2}}}\n\n'
const DELTA =
  'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"\\"error\\" event - response.complete"}\n\n'
const FLAT =
  'data: {"type":"error","code":"server_error","message":"Oops","param":null,"sequence_number":3}\n\n'
const NESTED =
  'data: {"type":"error","error":{"type":"server_error","code":"server_error","message":"Oops"}}\n\n'
const FAILED =
  'data: {"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"Oops"},"usage":{"input_tokens":3,"output_tokens":2}}}\n\n'

test('a whole stream passes and its last frame is held', () => {
  const { verdicts, watcher } = look(BYTES.toString())
  expect(verdicts.slice(0, -1).every(verdict => verdict === 'pass')).toBe(true)
  expect(verdicts.at(-1)).toBe('hold')
  expect(watcher.complete).toBe(true)
  expect(watcher.problem).toBeUndefined()
  expect(watcher.usage).toEqual({
    input: 81,
    output: 120,
    cacheRead: 40,
    cacheWrite: 8,
    reasoning: 64,
    searches: 1,
  })
})

test('only frames that may end or break the answer, or tell of a call, are looked at', () => {
  const frames = BYTES.toString().split(/(?<=\n\n)/)
  const matter = frames
    .filter(frame => watch().mayMatter(Buffer.from(frame)))
    .filter(frame => !/^event: response\.output_item\..*_call"/s.test(frame))
  expect(matter.map(frame => frame.slice(7, frame.indexOf('\n')))).toEqual([
    'response.created',
    'response.in_progress',
    'response.completed',
  ])
  const cases: [string, boolean][] = [
    [DELTA, false],
    [COMPLETED, true],
    [COMPLETED.replace('completed', 'incomplete'), true],
    [FAILED, true],
    [FLAT, true],
    [FLAT.replace('"type":', '"type": '), true],
    [`event: error\ndata: {"message":"Oops"}\n\n`, true],
    [`event:error\ndata: {"message":"Oops"}\n\n`, true],
  ]
  for (const [frame, expected] of cases) {
    const bytes = Buffer.from(`${DELTA}${frame}${DELTA}`)
    // A chunk is often a window into a larger buffer.
    const whole = Buffer.concat([Buffer.from(COMPLETED), bytes, Buffer.from(FAILED)])
    const start = Buffer.byteLength(COMPLETED)
    expect(watch().mayMatter(whole.subarray(start, start + bytes.length))).toBe(expected)
  }
})

test('what follows the last frame is held too', () => {
  expect(look(`${DELTA}${COMPLETED}data: [DONE]\n\n`).verdicts).toEqual(['pass', 'hold', 'hold'])
})

test('an incomplete answer is whole', () => {
  const { verdicts, watcher } = look(COMPLETED.replaceAll('completed', 'incomplete'))
  expect(verdicts).toEqual(['hold'])
  expect(watcher.complete).toBe(true)
  expect(watcher.usage).toEqual({ input: 3, output: 2 })
})

describe('errors are taken out', () => {
  const cases: [string, string][] = [
    ['flat', `event: error\n${FLAT}`],
    ['nested', `event: error\n${NESTED}`],
    ['without event name', NESTED],
    ['a failed response', `event: response.failed\n${FAILED}`],
    ['both', `event: error\n${FLAT}event: response.failed\n${FAILED}`],
    ['only text', 'event: error\ndata: Oops\n\n'],
    ['in the manner of chat', 'data: {"error":{"message":"Oops","code":"server_error"}}\n\n'],
    [
      'a last frame that failed',
      COMPLETED.replace(
        '"status":"completed"',
        '"status":"failed","error":{"code":"server_error","message":"Oops"}',
      ),
    ],
  ]
  test.each(cases)('%s', (_, text) => {
    const { verdicts, watcher } = look(DELTA + text)
    expect(verdicts[0]).toBe('pass')
    expect(verdicts.slice(1).every(verdict => verdict === 'drop')).toBe(true)
    expect(watcher.problem).toMatchObject({ status: 500, message: 'Oops' })
    expect(watcher.complete).toBe(false)
  })

  test('a last frame that cannot be read does not complete the answer', () => {
    const { verdicts, watcher } = look('event: response.completed\ndata: {"type":"response.comp\n\n')
    expect(verdicts).toEqual(['drop'])
    expect(watcher.complete).toBe(false)
  })
})

test('a problem is written anew as error and failed response', () => {
  const text = openaiResponses.writeStreamProblem({ status: 503, message: 'Busy' })
  const { watcher, verdicts } = look(text)
  expect(verdicts).toEqual(['drop', 'drop'])
  expect(watcher.problem).toEqual({
    status: 500,
    message: 'Busy',
    code: null,
    param: null,
    type: 'server_error',
  })
  expect(
    text.startsWith('event: error\ndata: {"type":"error","sequence_number":0,"code":null,"message":"Busy"'),
  ).toBe(true)
  expect(text).toContain(
    'event: response.failed\ndata: {"type":"response.failed","sequence_number":0,"response":{',
  )
  expect(text.endsWith('}}\n\n')).toBe(true)
})
