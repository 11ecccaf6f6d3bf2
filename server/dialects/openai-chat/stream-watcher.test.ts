import { describe, expect, test } from 'bun:test'
import { SseReader } from '../sse.ts'
import type { StreamWatcher, Verdict } from '../watching.ts'
import { openaiChat } from './index.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const chunk = (rest: string) => `data: {"id":"c1","choices":[${rest}}\n\n`

const ROLE = chunk('{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":null')
const TEXT = chunk('{"index":0,"delta":{"content":"Hi"},"finish_reason":null}],"usage":null')
const SPACED =
  'data: {"choices": [{"delta": {"content": "Hi"}, "finish_reason" : null}], "usage" :  null, "error": null}\n\n'
const BLANK = chunk('{"index":0,"delta":{"content":"Hi"},"finish_reason":""}]')
const FINISH = chunk('{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null')
const FINISH_WITH_USAGE = chunk(
  '{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":3}',
)
const RUNNING = (output: number) =>
  chunk(
    `{"index":0,"delta":{"content":"Hi"},"finish_reason":null}],"usage":{"prompt_tokens":9,"completion_tokens":${output}}`,
  )
const USAGE = chunk('],"usage":{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12}')
const AZURE = chunk('],"prompt_filter_results":[]')
const DONE = 'data: [DONE]\n\n'
const ERROR = 'data: {"error":{"message":"m","type":"server_error"}}\n\n'
const FAILED = chunk('{"index":0,"delta":{},"finish_reason":"insufficient_system_resource"}]')

interface Seen {
  readonly verdicts: Verdict[]
  readonly watcher: StreamWatcher
}

/** Looks at the chunks as a relay does: those that cannot matter pass unread. */
function watch(chunks: readonly string[], wantsUsage: boolean): Seen {
  const watcher = openaiChat.createWatcher({ wantsUsage })
  const verdicts: Verdict[] = []
  for (const text of chunks) {
    const matters = watcher.mayMatter(encode(text))
    const sse = new SseReader((event, data) => verdicts.push(matters ? watcher.look(event, data) : 'pass'))
    sse.pushText(text)
  }
  return { verdicts, watcher }
}

describe('verdicts, frame by frame and all at once', () => {
  const usage = { input: 9, output: 3 }
  const table: [string, string[], boolean, Verdict[], Partial<StreamWatcher>][] = [
    [
      'usage asked for',
      [ROLE, TEXT, FINISH, USAGE, DONE],
      true,
      ['pass', 'pass', 'pass', 'hold', 'hold'],
      { usage, complete: true },
    ],
    [
      'usage not asked for',
      [ROLE, TEXT, FINISH, USAGE, DONE],
      false,
      ['pass', 'pass', 'pass', 'drop', 'hold'],
      { usage, complete: true },
    ],
    [
      'usage on every frame',
      [RUNNING(1), RUNNING(2), RUNNING(3), FINISH, DONE],
      false,
      ['pass', 'pass', 'pass', 'pass', 'hold'],
      { usage, complete: true },
    ],
    [
      'usage on every frame, and alone in the end',
      [RUNNING(1), RUNNING(2), FINISH, USAGE, DONE],
      false,
      ['pass', 'pass', 'pass', 'drop', 'hold'],
      { usage, complete: true },
    ],
    [
      'usage on the finish',
      [TEXT, FINISH_WITH_USAGE, DONE],
      false,
      ['pass', 'pass', 'hold'],
      { usage, complete: true },
    ],
    [
      'an empty first chunk',
      [AZURE, TEXT, FINISH, DONE],
      true,
      ['pass', 'pass', 'pass', 'hold'],
      { usage: undefined, complete: true },
    ],
    ['no end mark', [TEXT, FINISH], true, ['pass', 'pass'], { complete: true }],
    ['no finish', [TEXT, DONE], true, ['pass', 'hold'], { complete: true }],
    ['cut', [ROLE, TEXT], true, ['pass', 'pass'], { usage: undefined, complete: false }],
    [
      'frames after a held one',
      [FINISH, USAGE, TEXT, FINISH, DONE],
      true,
      ['pass', 'hold', 'hold', 'hold', 'hold'],
      { complete: true },
    ],
    [
      'usage while the answer goes on',
      [USAGE, TEXT, FINISH, DONE],
      true,
      ['pass', 'pass', 'pass', 'hold'],
      { usage, complete: true },
    ],
    [
      'an error',
      [TEXT, ERROR],
      true,
      ['pass', 'drop'],
      { complete: false, problem: { status: 502, message: 'm', type: 'server_error' } },
    ],
    ['an error after the finish', [FINISH, ERROR, DONE], true, ['pass', 'drop', 'hold'], { complete: false }],
  ]
  test.each(table)('%s', (_name, frames, wantsUsage, verdicts, state) => {
    for (const chunks of [frames, [frames.join('')]]) {
      const seen = watch(chunks, wantsUsage)
      expect(seen.verdicts).toEqual(verdicts)
      for (const [key, value] of Object.entries(state))
        expect(seen.watcher[key as keyof StreamWatcher]).toEqual(value as never)
    }
  })

  test('a finish that means failure', () => {
    const { verdicts, watcher } = watch([TEXT, FAILED, DONE], true)
    expect(verdicts).toEqual(['pass', 'drop', 'hold'])
    expect(watcher.problem?.code).toBe('insufficient_system_resource')
    expect(watcher.complete).toBe(false)
  })

  test('a named error event', () => {
    const { verdicts, watcher } = watch(['event: error\ndata: {"message":"m"}\n\n'], true)
    expect(verdicts).toEqual(['drop'])
    expect(watcher.problem?.message).toBe('m')
  })
})

test('chunks of words alone are not looked into; what ends, counts or fails is', () => {
  const { mayMatter } = {
    mayMatter: (text: string) => openaiChat.createWatcher({ wantsUsage: true }).mayMatter(encode(text)),
  }
  for (const text of ['', ROLE, TEXT, ROLE + TEXT, SPACED, BLANK, AZURE, ': keep-alive\n\n'])
    expect([text, mayMatter(text)]).toEqual([text, false])
  for (const text of [
    FINISH,
    FINISH_WITH_USAGE,
    USAGE,
    DONE,
    ERROR,
    FAILED,
    TEXT + FINISH + TEXT,
    SPACED + USAGE,
  ])
    expect([text, mayMatter(text)]).toEqual([text, true])
  const around = encode(`${DONE}${TEXT}${DONE}`)
  const inside = around.subarray(DONE.length, DONE.length + TEXT.length)
  expect(openaiChat.createWatcher({ wantsUsage: true }).mayMatter(inside)).toBe(false)
})

test('once one answer has finished, words of another are looked into: it is not whole without that one', () => {
  const other = chunk('{"index":1,"delta":{"content":"Hi"},"finish_reason":null}],"usage":null')
  const { watcher } = watch([TEXT, FINISH, other], true)
  expect(watcher.complete).toBe(false)
  const finish = FINISH.replace('"index":0', '"index":1')
  expect(watch([TEXT, FINISH, other, finish], true).watcher.complete).toBe(true)
})

test('a usage that cannot be right is none', () => {
  const { watcher } = watch([FINISH, USAGE.replace('9', '-9'), DONE], true)
  expect(watcher.usage).toBeUndefined()
})

test('a keep-alive is a comment', () => {
  expect(openaiChat.keepAlive).toBe(': keep-alive\n\n')
})

test('a usage that the next frame replaces is not read before somebody asks', () => {
  const watcher = openaiChat.createWatcher({ wantsUsage: false })
  const bytes = encode(RUNNING(1) + RUNNING(2))
  expect(watcher.mayMatter(bytes)).toBe(false)
  // The chunk is the connection's again.
  bytes.fill(0)
  expect(watcher.usage).toEqual({ input: 9, output: 2 })
  for (const other of [USAGE, RUNNING(1) + USAGE, `${RUNNING(1)}data: {"usage":{"prompt_tokens":1}}\n\n`])
    expect(watcher.mayMatter(encode(other))).toBe(true)
})

test('a search of the vendor’s own is one, in however many frames its name comes', () => {
  const frame = (call: object) => JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call] } }] })
  const search = { name: '$web_search', arguments: '{' }
  const frames = [
    frame({ index: 0, id: 'a', function: search }),
    frame({ index: 0, id: 'a', function: search }),
    frame({ index: 1, id: 'b', function: search }),
    frame({ index: 2, id: 'c', function: { name: 'look', arguments: '"$web_search"' } }),
  ]
  const watch = (mayOwnSearch: boolean) => {
    const watcher = openaiChat.createWatcher({ wantsUsage: true, mayOwnSearch })
    for (const data of frames) {
      expect(watcher.mayMatter(Buffer.from(`data: ${data}\n\n`))).toBe(mayOwnSearch)
      if (mayOwnSearch) expect(watcher.look('', data)).toBe('pass')
    }
    return watcher.toolUse
  }
  expect(watch(true)).toEqual({ tools: { $web_search: 2 } })
  expect(watch(false)).toBeUndefined()
})
