import { expect, spyOn, test } from 'bun:test'
import { ndjson } from '../providers/kit/answers/ndjson.ts'
import type { Framing } from './framing.ts'
import { SseReader, sse } from './sse.ts'

const stream =
  'data: {"a":1}\n\n' +
  'event: named\ndata:{"b":\ndata:2,\r\ndata: "c":3}\r\n\r\n' +
  ': nothing\n\n' +
  'data\ndata:\n\n' +
  'id: 7\ndata: é中😀\nevent: late\n\n' +
  'data: no blank line'
const events = [
  ['', '{"a":1}'],
  ['named', '{"b":\n2,\n"c":3}'],
  ['', ''],
  ['late', 'é中😀'],
  ['', 'no blank line'],
]

test('events are the same wherever the bytes are cut', () => {
  const bytes = Buffer.from(stream)
  for (let at = 0; at <= bytes.length; at++) {
    const read: string[][] = []
    const reader = new SseReader((event, data) => read.push([event, data]))
    reader.push(bytes.subarray(0, at))
    reader.push(bytes.subarray(at))
    reader.end()
    expect(read).toEqual(events)
  }
})

test('what was skimmed is not handed on; only what lies in one piece can be', () => {
  const skimmed: string[] = []
  const read: string[] = []
  const reader = new SseReader(
    (_event, data) => read.push(data),
    (event, text, start, end) => {
      skimmed.push(`${event}:${text.slice(start, end)}`)
      return text.startsWith('s', start)
    },
  )
  reader.push(Buffer.from('event: e\ndata: s1\n\ndata: x1\n\ndata: s2\ndata: s3\n\ndata: s4\n'))
  reader.push(Buffer.from('\ndata: s5\n\n'))
  reader.end()
  expect(skimmed).toEqual(['e:s1', ':x1', ':s5'])
  expect(read).toEqual(['x1', 's2\ns3', 's4'])
})

/** How many letters are looked through for the marks between frames. */
function letters(work: () => void): number {
  const spies = (['indexOf', 'includes'] as const).map(name => spyOn(String.prototype, name))
  work()
  const looks = spies.flatMap(({ mock }) => mock.contexts.map((text, at) => [text, mock.calls[at]] as const))
  for (const spy of spies) spy.mockRestore()
  return looks.reduce((sum, [text, given]) => sum + String(text).length - (given?.[1] ?? 0), 0)
}

test.each<[string, Framing, string, string]>([
  ['server-sent event', sse, 'data: ', '\n\n'],
  ['line', ndjson, '', '\n'],
])('a long %s in many pieces is looked through once', (_, framing, before, after) => {
  const data = 'x'.repeat(2000)
  const read: string[] = []
  const reader = framing.createReader((_event, data) => read.push(data))
  const looked = letters(() => {
    for (const piece of `${before}${data}${after}`) reader.push(Buffer.from(piece))
    reader.end()
  })
  expect(read).toEqual([data])
  expect(looked).toBeLessThan(10 * data.length)
})
