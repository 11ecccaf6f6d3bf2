/** What is smaller costs more to give back than it is worth. */
const LARGE = 32 * 1024

/**
 * Gives the memory of a chunk back at once, if it is large and the chunk has it to itself; the chunk is empty
 * then. The runtime sees how many chunks it has handed out and not how large they are: left to itself it lets
 * them pile up.
 */
export function releaseChunk(chunk: Uint8Array): boolean {
  const { byteLength } = chunk
  // To ask a small chunk for its buffer would make one.
  if (byteLength < LARGE) return false
  const { buffer } = chunk
  if (byteLength !== buffer.byteLength || !(buffer instanceof ArrayBuffer)) return false
  buffer.transfer(0)
  return true
}

/** A view of less than half of a large chunk: kept, it would keep all of that. */
export function isCrumb({ buffer, byteLength }: Uint8Array): boolean {
  return buffer.byteLength >= LARGE && byteLength * 2 < buffer.byteLength
}
