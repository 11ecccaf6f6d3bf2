import { crc32 } from 'node:zlib'
import type { FrameReader, Framing } from '../../../dialects/framing.ts'
import { AppError } from '../../../errors.ts'
import { decodeLatin1 } from './decode-bytes.ts'
import { sumAgain } from './sum-again.ts'

const PRELUDE = 12
const CRC = 4
const LONGEST_MESSAGE = 64 * 1024 * 1024
const TEXT_HEADER = 7
/** Bytes of the values of the other types of header; −1: none, its length stands before it. */
const LENGTHS: readonly number[] = [0, 0, 1, 2, 4, 8, -1, -1, 8, 16]

type Headers = ReadonlyMap<string, string>
type OnFrame = (event: string, data: string) => void

/**
 * What a message of AWS's binary event stream says. Its payload is what stands in `text` from `start` to `end`,
 * a character for a byte: text is cut and compared sooner than bytes are.
 */
export type ReadMessage = (text: string, start: number, end: number, onFrame: OnFrame) => void

/** `choose`: how messages with these headers are read. */
export function eventStream(choose: (headers: Headers) => ReadMessage): Framing {
  return {
    types: ['application/vnd.amazon.eventstream'],
    createReader: (onFrame, skim) =>
      new EventStreamReader(choose, (event, data) => {
        if (!skim?.(event, data, 0, data.length)) onFrame(event, data)
      }),
  }
}

/** Checks the sums of every message: bytes that are not what was sent are nobody's answer. */
class EventStreamReader implements FrameReader {
  readonly #choose: (headers: Headers) => ReadMessage
  readonly #onFrame: OnFrame
  /** The beginning of a message. */
  #chunks: Uint8Array[] = []
  #held = 0
  /** Bytes that have to be there before it makes sense to look. */
  #wanted = PRELUDE
  /** Of the last message: those of the next are mostly the same. */
  #headerText = ''
  #read: ReadMessage | undefined

  constructor(choose: (headers: Headers) => ReadMessage, onFrame: OnFrame) {
    this.#choose = choose
    this.#onFrame = onFrame
  }

  push(bytes: Uint8Array): void {
    this.#held += bytes.length
    const isWhole = this.#chunks.length === 0 && this.#held >= this.#wanted
    if (!isWhole) this.#chunks.push(bytes)
    if (this.#held < this.#wanted) return
    const all: Uint8Array = isWhole ? bytes : Buffer.concat(this.#chunks)
    if (!isWhole) this.#chunks = []
    const at = this.#readAll(all)
    this.#held = all.length - at
    if (this.#held > 0) this.#chunks.push(all.subarray(at))
  }

  /** Half a message says nothing; whether the answer was whole, its reader knows. */
  end(): void {}

  /** Every message that is there; where the next one begins. */
  #readAll(bytes: Uint8Array): number {
    const text = decodeLatin1(bytes)
    for (let at = 0; ; at += this.#wanted) {
      const left = text.length - at
      this.#wanted = left < PRELUDE ? PRELUDE : numberAt(text, at)
      if (left < this.#wanted) {
        if (left >= PRELUDE) proveLength(bytes.subarray(at, at + PRELUDE))
        return at
      }
      const end = at + this.#wanted - CRC
      const payloadAt = at + PRELUDE + numberAt(text, at + 4)
      if (payloadAt > end) throw damaged('length')
      // Includes the sum of the lengths, which need not be looked at once all is there.
      if (!isProved(bytes, at, end, numberAt(text, end))) throw damaged('message')
      this.#readerFor(text, at + PRELUDE, payloadAt)(text, payloadAt, end, this.#onFrame)
    }
  }

  #readerFor(text: string, start: number, end: number): ReadMessage {
    const known = this.#headerText
    if (this.#read && end - start === known.length && text.startsWith(known, start)) return this.#read
    const bytes = Buffer.from(text.slice(start, end), 'latin1')
    this.#read = this.#choose(readHeaders(bytes))
    // Text of its own: what is cut from another keeps all of that alive.
    this.#headerText = bytes.toString('latin1')
    return this.#read
  }
}

/** A message that comes by itself, as most do, is summed up together with its sum. */
function isProved(bytes: Uint8Array, start: number, end: number, sum: number): boolean {
  if (start === 0 && end + CRC === bytes.length) return crc32(bytes) === sumAgain(sum)
  return crc32(bytes.subarray(start, end)) === sum
}

/** Nothing is waited for that is not to come. */
function proveLength(prelude: Uint8Array): void {
  const { buffer, byteOffset } = prelude
  const numbers = new DataView(buffer, byteOffset, PRELUDE)
  if (crc32(prelude.subarray(0, 8)) !== numbers.getUint32(8)) throw damaged('prelude')
  if (numbers.getUint32(0) > LONGEST_MESSAGE) throw new AppError('outbound.too-large')
}

function numberAt(text: string, at: number): number {
  const upper = (text.charCodeAt(at) << 8) | text.charCodeAt(at + 1)
  return ((upper << 16) | (text.charCodeAt(at + 2) << 8) | text.charCodeAt(at + 3)) >>> 0
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
