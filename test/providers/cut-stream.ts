import { expect } from 'bun:test'
import type { StreamReader } from '../../server/dialects/dialect.ts'
import type { Framing } from '../../server/dialects/framing.ts'
import type { StreamPart } from '../../server/dialects/spec.ts'

/** What a stream says when it comes in these chunks, and whether it was whole. */
export function readChunks(
  framing: Framing,
  reader: StreamReader,
  chunks: readonly Uint8Array[],
): { parts: StreamPart[]; whole: boolean } {
  const parts: StreamPart[] = []
  const emit = (part: StreamPart): void => void parts.push(part)
  const frames = framing.createReader((event, data) => reader.read(event, data, emit))
  for (const chunk of chunks) frames.push(chunk)
  frames.end()
  return { parts: parts.map(withoutMoment), whole: reader.end(emit) }
}

/**
 * The parts of a stream, which must be the same wherever its bytes are cut in two. A stream that ends early
 * must not be taken for a whole one, until `wholeFrom` bytes of it have come.
 */
export function readAtEveryCut(
  framing: Framing,
  createReader: () => StreamReader,
  bytes: Uint8Array,
  wholeFrom = bytes.length,
): StreamPart[] {
  const { parts, whole } = readChunks(framing, createReader(), [bytes])
  expect(whole).toBe(true)
  for (let at = 1; at < bytes.length; at++) {
    const cut = readChunks(framing, createReader(), [bytes.subarray(0, at), bytes.subarray(at)])
    expect(cut).toEqual({ parts, whole })
    if (at < wholeFrom) {
      const early = readChunks(framing, createReader(), [bytes.subarray(0, at)])
      if (early.whole) throw new Error(`taken for whole after ${at} of ${bytes.length} bytes`)
    }
  }
  return parts
}

/** The moment of reading is nobody's business, and ids that vendors leave out are made up. */
function withoutMoment(part: StreamPart): StreamPart {
  if (part.type === 'start') return { ...part, created: 0 }
  return part.type === 'tool-start' && /^call_[0-9a-f]{24}$/.test(part.id) ? { ...part, id: 'call' } : part
}

export function linesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
