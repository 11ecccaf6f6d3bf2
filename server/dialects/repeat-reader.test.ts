import { describe, expect, test } from 'bun:test'
import type { StreamReader } from './dialect.ts'
import { numbersNamed } from './frame-shape.ts'
import { parseObject } from './json.ts'
import { RepeatReader } from './repeat-reader.ts'
import type { StreamPart } from './spec.ts'

/** Notes what it was given; says what stands in `text`, `thought`, `used` and `end`. */
class NotingReader implements StreamReader {
  readonly mayVary?: RegExp
  readonly given: string[] = []

  constructor(mayVary?: RegExp) {
    if (mayVary) this.mayVary = mayVary
  }

  read(_event: string, data: string, emit: (part: StreamPart) => void): void {
    this.given.push(data)
    const { text, thought, used, end } = parseObject(data) ?? {}
    if (typeof text === 'string' && text !== '') emit({ type: 'text-delta', text })
    if (typeof thought === 'string') emit({ type: 'thinking-delta', text: thought })
    if (typeof used === 'number') emit({ type: 'usage', usage: { input: 1, output: used } })
    if (end === true) emit({ type: 'finish', finish: { reason: 'stop' } })
  }

  end(): boolean {
    return true
  }
}

function readAll(reader: NotingReader, frames: readonly string[]) {
  const repeats = new RepeatReader(reader)
  const parts: StreamPart[] = []
  let cut = 0
  const emit = (part: StreamPart) => parts.push(part)
  for (const data of frames) {
    const delta = repeats.cut('', data, 0, data.length)
    if (delta) {
      cut++
      emit(delta)
      continue
    }
    repeats.catchUp(emit)
    repeats.read('', data, emit)
  }
  expect(repeats.end(emit)).toBe(true)
  return { parts, cut }
}

const used = numbersNamed('used')
const said = (text: string): StreamPart => ({ type: 'text-delta', text })
const usage = (output: number): StreamPart => ({ type: 'usage', usage: { input: 1, output } })

describe('frames that repeat', () => {
  test('are not read, but for the first and, for its usage, the last', () => {
    const reader = new NotingReader(used)
    const frames = ['a', 'b', 'c', 'd'].map((text, at) => `{"text":"${text}","used":${at}}`)
    expect(readAll(reader, frames).parts).toEqual([
      said('a'),
      usage(0),
      said('b'),
      said('c'),
      said('d'),
      usage(3),
    ])
    expect(reader.given).toEqual([frames[0] ?? '', frames[3] ?? ''])
  })

  test('bring their usage before the frame that ends the run', () => {
    const reader = new NotingReader(used)
    const { parts } = readAll(reader, [
      '{"text":"a","used":1}',
      '{"text":"b","used":2}',
      '{"text":"c","end":true}',
    ])
    expect(parts).toEqual([
      said('a'),
      usage(1),
      said('b'),
      usage(2),
      said('c'),
      { type: 'finish', finish: { reason: 'stop' } },
    ])
  })

  test('keep their kind', () => {
    const { parts } = readAll(new NotingReader(used), ['{"thought":"a"}', '{"thought":"b"}'])
    expect(parts.map(({ type }) => type)).toEqual(['thinking-delta', 'thinking-delta'])
  })
})

describe('what is always read', () => {
  test.each([
    ['frames of a reader that promised nothing', undefined, ['{"text":"a"}', '{"text":"b"}']],
    ['a frame after one that brought more', used, ['{"text":"a","end":true}', '{"text":"b","end":true}']],
    ['a frame after one with two deltas', used, ['{"text":"a","thought":"x"}', '{"text":"b","thought":"x"}']],
    ['an empty text', used, ['{"text":"a"}', '{"text":""}']],
    ['a frame after one of another shape', used, ['{"text":"a"}', '{}', '{"text":"b"}']],
  ])('%s', (_, mayVary, frames) => {
    expect(readAll(new NotingReader(mayVary), frames).cut).toBe(0)
  })

  test('a frame of another name', () => {
    const reader = new NotingReader(used)
    const repeats = new RepeatReader(reader)
    repeats.read('result', '{"text":"a"}', () => {})
    expect(repeats.cut('error', '{"text":"b"}', 0, 12)).toBeUndefined()
    expect(repeats.cut('result', '{"text":"b"}', 0, 12)).toEqual({ type: 'text-delta', text: 'b' })
  })

  test('all frames, once it has shown that they do not repeat', () => {
    const different = Array.from({ length: 8 }, (_, at) => `{"text":"a","id":${at}}`)
    const alike = ['{"text":"a"}', '{"text":"b"}', '{"text":"c"}']
    expect(readAll(new NotingReader(used), alike).cut).toBe(2)
    expect(readAll(new NotingReader(used), [...different, ...alike]).cut).toBe(0)
  })
})
