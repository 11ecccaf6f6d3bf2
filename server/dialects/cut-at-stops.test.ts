import { describe, expect, test } from 'bun:test'
import { cutAtStops } from './cut-at-stops.ts'
import { dialects } from './index.ts'
import type { StreamPart } from './spec.ts'

const HEAD = { id: 'r', model: 'm', created: 1 }

/** An upstream whose frames are its parts. */
function cutting(stops: readonly string[], hidesThoughts = false) {
  const dialect = {
    ...dialects['openai-responses'],
    createReader: () => ({
      read: (_event: string, data: string, emit: (part: StreamPart) => void) => emit(JSON.parse(data)),
      end: () => true,
    }),
  }
  return cutAtStops(dialect, stops, hidesThoughts)
}

function stream(stops: readonly string[], parts: readonly StreamPart[]) {
  const said: StreamPart[] = []
  const emit = (part: StreamPart) => void said.push(part)
  const reader = cutting(stops).createReader()
  for (const part of parts) reader.read('', JSON.stringify(part), emit)
  const isWhole = reader.end(emit)
  const text = said.map(part => (part.type === 'text-delta' ? part.text : '')).join('')
  const finish = said.find(part => part.type === 'finish')?.finish
  return { said, text, finish, isWhole, hasEnough: reader.hasEnough }
}

const deltas = (text: string, size: number): StreamPart[] =>
  (text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []).map(piece => ({ type: 'text-delta', text: piece }))

describe('however a text is cut into pieces', () => {
  const cases: [string, string[], string, string | undefined][] = [
    ['one STOP two', ['STOP'], 'one ', 'STOP'],
    ['SSTOP', ['STOP'], 'S', 'STOP'],
    ['aaab', ['aab'], 'a', 'aab'],
    ['xabcd', ['abcd', 'bc'], 'xa', 'bc'],
    ['xabc', ['bc', 'abc'], 'x', 'abc'],
    ['xabc', ['abc', 'bc'], 'x', 'abc'],
    ['no end STO', ['STOP'], 'no end STO', undefined],
    ['漢字👩‍👧終わり', ['終わ'], '漢字👩‍👧', '終わ'],
    ['\n\none', ['\n\n'], '', '\n\n'],
  ]
  test.each(cases)('%j at %j', (text, stops, left, stop) => {
    const end: StreamPart = { type: 'finish', finish: { reason: 'stop' } }
    for (let size = 1; size <= text.length; size++) {
      const heard = stream(stops, [...deltas(text, size), end])
      expect([size, heard.text]).toEqual([size, left])
      expect(heard.finish).toEqual(
        stop === undefined ? { reason: 'stop' } : { reason: 'stop-string', stopSequence: stop },
      )
      expect(heard.hasEnough).toBe(stop !== undefined)
    }
    const whole = cutting(stops).readAnswer({
      ...HEAD,
      status: 'completed',
      output: [{ type: 'message', content: [{ type: 'output_text', text }] }],
    })
    expect(whole?.parts).toEqual(left === '' ? [] : [{ type: 'text', text: left }])
    expect(whole?.finish.stopSequence).toBe(stop)
  })
})

test('what may begin a stop string is said before anything else is', () => {
  const call: StreamPart = { type: 'tool-start', index: 0, id: 'c', name: 'f' }
  const { said } = stream(['STOP'], [...deltas('go ST', 5), call, ...deltas('OP', 2)])
  expect(said).toEqual([
    { type: 'text-delta', text: 'go ' },
    { type: 'text-delta', text: 'ST' },
    call,
    { type: 'text-delta', text: 'OP' },
  ])
})

test('a call that has ended is not ended again', () => {
  const start: StreamPart = { type: 'tool-start', index: 0, id: 'c', name: 'f' }
  const end: StreamPart = { type: 'tool-end', index: 0 }
  const { said } = stream(['STOP'], [start, end, ...deltas('STOP', 4)])
  expect(said.filter(({ type }) => type === 'tool-end')).toEqual([end])
})

test('a call that was made before is still one, and what it cost is heard', () => {
  const call: StreamPart = { type: 'tool-start', index: 0, id: 'c', name: 'f' }
  const usage: StreamPart = { type: 'usage', usage: { input: 1, output: 2 } }
  const { said } = stream(['STOP'], [call, ...deltas('STOP it', 7), usage, ...deltas('more', 4)])
  expect(said).toEqual([
    call,
    { type: 'unsaid', text: 'STOP it' },
    { type: 'tool-end', index: 0 },
    { type: 'finish', finish: { reason: 'tools' } },
    usage,
    { type: 'unsaid', text: 'more' },
  ])
})

test('an answer that is cut is whole, though its stream is left before its end', () => {
  const broken = {
    ...dialects['openai-chat'],
    createReader: () => ({
      read: (_event: string, data: string, emit: (part: StreamPart) => void) => emit(JSON.parse(data)),
      end: () => false,
    }),
  }
  const isWhole = (text: string) => {
    const reader = cutAtStops(broken, ['STOP']).createReader()
    reader.read('', JSON.stringify({ type: 'text-delta', text }), () => {})
    return reader.end(() => {})
  }
  expect([isWhole('it STOP'), isWhole('it STO')]).toEqual([true, false])
})

test('of a model that thinks unseen there is enough only when it has told what that cost', () => {
  const reader = cutting(['STOP'], true).createReader()
  const read = (part: StreamPart) => reader.read('', JSON.stringify(part), () => {})
  const usage: StreamPart = { type: 'usage', usage: { input: 1, output: 2 } }
  // What is told before the end is not of the whole.
  read(usage)
  read({ type: 'text-delta', text: 'it STOP' })
  expect([reader.awaitsUsage, reader.hasEnough]).toEqual([true, false])
  read(usage)
  expect([reader.awaitsUsage, reader.hasEnough]).toEqual([false, true])
})
