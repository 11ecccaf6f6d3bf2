import { crc32 } from 'node:zlib'
import type { FrameReader, Framing } from '../../dialects/spec.ts'
import { AppError } from '../../errors.ts'

const PRELUDE = 12
const CRC = 4
const LONGEST_MESSAGE = 64 * 1024 * 1024
const TEXT_HEADER = 7
/** Bytes of the values of the other types of header; −1: none, its length stands before it. */
const LENGTHS: readonly number[] = [0, 0, 1, 2, 4, 8, -1, -1, 8, 16]

/** One message of AWS's binary event stream. */
export interface EventMessage {
  readonly headers: ReadonlyMap<string, string>
  readonly payload: Buffer
}

/** `read` tells what a message says, as a frame; undefined when it says nothing. */
export function eventStream(
  read: (message: EventMessage) => readonly [event: string, data: string] | undefined,
): Framing {
  return {
    types: ['application/vnd.amazon.eventstream'],
    createReader: onFrame =>
      new EventStreamReader(message => {
        const frame = read(message)
        if (frame) onFrame(frame[0], frame[1])
      }),
  }
}

/** Checks both sums of every message: bytes that are not what was sent are nobody's answer. */
class EventStreamReader implements FrameReader {
  readonly #onMessage: (message: EventMessage) => void
  #chunks: Uint8Array[] = []
  #held = 0
  /** Bytes that have to be there before it makes sense to look. */
  #wanted = PRELUDE
  /** Of the last message: those of the next are mostly the same. */
  #headerBytes = Buffer.alloc(0)
  #headers: ReadonlyMap<string, string> = new Map()

  constructor(onMessage: (message: EventMessage) => void) {
    this.#onMessage = onMessage
  }

  push(bytes: Uint8Array): void {
    this.#chunks.push(bytes)
    this.#held += bytes.length
    if (this.#held < this.#wanted) return
    const all = this.#chunks.length === 1 ? asBuffer(bytes) : Buffer.concat(this.#chunks)
    let at = 0
    for (;;) {
      const left = all.length - at
      this.#wanted = left < PRELUDE ? PRELUDE : lengthOf(all, at)
      if (left < this.#wanted) break
      this.#onMessage(this.#read(all.subarray(at, at + this.#wanted)))
      at += this.#wanted
    }
    this.#chunks = at < all.length ? [all.subarray(at)] : []
    this.#held = all.length - at
  }

  /** Half a message says nothing; whether the answer was whole, its reader knows. */
  end(): void {}

  #read(bytes: Buffer): EventMessage {
    const end = bytes.length - CRC
    if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32BE(end)) throw damaged('message')
    const payloadAt = PRELUDE + bytes.readUInt32BE(4)
    const headerBytes = bytes.subarray(PRELUDE, payloadAt)
    if (!headerBytes.equals(this.#headerBytes)) {
      this.#headers = readHeaders(headerBytes)
      this.#headerBytes = Buffer.from(headerBytes)
    }
    return { headers: this.#headers, payload: bytes.subarray(payloadAt, end) }
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function lengthOf(bytes: Buffer, at: number): number {
  const total = bytes.readUInt32BE(at)
  const headers = bytes.readUInt32BE(at + 4)
  const sum = bytes.readUInt32BE(at + 8)
  if (crc32(bytes.subarray(at, at + 8)) !== sum) throw damaged('prelude')
  if (total > LONGEST_MESSAGE) throw new AppError('outbound.too-large')
  if (total < PRELUDE + headers + CRC) throw damaged('length')
  return total
}

function readHeaders(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>()
  for (let at = 0; at < bytes.length; ) {
    const nameEnd = at + 1 + (bytes[at] ?? 0)
    const name = bytes.toString('utf8', at + 1, nameEnd)
    const type = bytes[nameEnd] ?? 0
    const known = LENGTHS[type]
    if (known === undefined || nameEnd + (known < 0 ? 3 : 1) > bytes.length) throw damaged('headers')
    const start = nameEnd + (known < 0 ? 3 : 1)
    const length = known < 0 ? bytes.readUInt16BE(nameEnd + 1) : known
    if (start + length > bytes.length) throw damaged('headers')
    if (type === TEXT_HEADER) headers.set(name, bytes.toString('utf8', start, start + length))
    at = start + length
  }
  return headers
}

function damaged(part: string): AppError {
  return new AppError('outbound.failed', {}, new Error(`an event stream with a damaged ${part}`))
}
