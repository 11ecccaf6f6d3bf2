import { expect, test } from 'bun:test'
import { splitFrames } from '../guards/frame.ts'
import { WholeFrames } from './whole-frames.ts'

const events = ['event: a\ndata: {"text":"Grüße, 世界"}\n\n', ': ping\n\n', 'data: [DONE]\n\n']

test.each([
  { lines: 'LF', sent: events },
  { lines: 'CR LF', sent: events.map(event => event.replaceAll('\n', '\r\n')) },
])('events are put together from pieces of any size, with $lines', ({ sent }) => {
  const bytes = Buffer.from(sent.join(''))
  for (let size = 1; size <= bytes.length; size++) {
    const frames = new WholeFrames()
    const told: string[] = []
    for (let at = 0; at < bytes.length; at += size) {
      const text = frames.push(bytes.subarray(at, at + size))
      // Each is told as soon as its last byte is here.
      if (text !== '') told.push(...splitFrames(text))
      expect(told.join('')).toBe(sent.slice(0, told.length).join(''))
    }
    expect(told).toEqual([...sent])
  }
})

test('what is cut off in an event is not told', () => {
  const frames = new WholeFrames()
  expect(frames.push(Buffer.from(`${events[0]}data: {"tex`))).toBe(events[0] ?? '')
  expect(frames.push(Buffer.from('t":1}\n'))).toBe('')
})
