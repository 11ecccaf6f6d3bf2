import type { Framing } from '../../server/dialects/framing.ts'
import { frameEnd, sse } from '../../server/dialects/sse.ts'

const NEWLINE = 10
const RECORD = 30

type FindEnd = (bytes: Uint8Array, start: number) => number

const ends = new Map<string, FindEnd>([
  ['text/event-stream', frameEnd],
  ['application/x-ndjson', (bytes, start) => bytes.indexOf(NEWLINE, start) + 1],
  ['application/json-seq', (bytes, start) => bytes.indexOf(RECORD, start + 1)],
  ['application/vnd.amazon.eventstream', endOfMessage],
])

/** The stream as it would come if each frame were sent by itself. */
export function cutFrames(bytes: Uint8Array, framing: Framing = sse): Uint8Array[] {
  const findEnd = ends.get(framing.types[0] ?? '') ?? (() => bytes.length)
  const frames: Uint8Array[] = []
  for (let start = 0; start < bytes.length; ) {
    const found = findEnd(bytes, start)
    const end = found > start ? found : bytes.length
    frames.push(bytes.subarray(start, end))
    start = end
  }
  return frames
}

/** A message begins with its length. */
function endOfMessage(bytes: Uint8Array, start: number): number {
  return start + new DataView(bytes.buffer, bytes.byteOffset + start, 4).getUint32(0)
}
