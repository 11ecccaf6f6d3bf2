/** Longer runs of these signs are pictures, sound or sealed thoughts, which nobody reads. */
const LONGEST_RUN = 512

/** What base64 is written in, also by those who escape its slashes or break its lines inside of JSON. */
const isCode = new Uint8Array(256)
for (const sign of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_\\')
  isCode[sign.charCodeAt(0)] = 1

/** Encoded at once: a slice of a text of many megabytes costs no more than itself. */
const SLICE = 64 * 1024

/**
 * The beginning and the end of something that may be long: never more of it in memory than the limit, of which
 * `hold` is told before it is taken. Pictures and sound in base64 are left out of it first.
 */
export class KeptEnds {
  readonly #limit: number
  readonly #hold: (bytes: number) => boolean
  readonly #onKept: ((bytes: Uint8Array) => void) | undefined
  /** Up to the limit as it came; after that its second half is a ring, which is written to at `#at`. */
  #bytes = Buffer.alloc(0)
  #filled = 0
  #at: number
  #leftOut = 0
  /** How long the run is that what came so far ends with, and how much of it was passed over. */
  #run = 0
  #passedOver = 0
  #isLost = false

  /** `onKept` hears all of it without its base64, however long it is. */
  constructor(
    limit: number,
    hold: (bytes: number) => boolean,
    onKept?: ((bytes: Uint8Array) => void) | undefined,
  ) {
    this.#limit = limit
    this.#hold = hold
    this.#onKept = onKept
    this.#at = limit >> 1
  }

  /** There was no memory for it. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** Bytes between the ends. */
  get leftOut(): number {
    return this.#leftOut
  }

  addText(text: string): void {
    for (let from = 0; from < text.length; ) {
      const to = Math.min(text.length, from + SLICE)
      const end = to < text.length && isHighSurrogate(text.charCodeAt(to - 1)) ? to - 1 : to
      this.add(Buffer.from(from === 0 && end === text.length ? text : text.slice(from, end)))
      from = end
    }
  }

  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      if (this.#run >= LONGEST_RUN) {
        const end = endOfRun(bytes, farInto(bytes, at), bytes.length)
        this.#passedOver += end - at
        at = end
        if (end < bytes.length) this.#endRun()
        continue
      }
      const edge = findLongRun(bytes, at, this.#run)
      const part = bytes.subarray(at, edge)
      this.#put(part)
      const run = runAtEnd(part)
      this.#run = run === part.length ? this.#run + run : run
      at = edge
    }
  }

  /** Nothing more comes. */
  end(): void {
    this.#endRun()
  }

  /** Both ends, and between them how much is not there. A sign that was cut through is left out too. */
  take(): Buffer {
    if (this.#leftOut === 0) return this.#bytes.subarray(0, this.#filled)
    const half = this.#limit >> 1
    const tail = Buffer.concat([this.#bytes.subarray(this.#at), this.#bytes.subarray(half, this.#at)])
    const mark = Buffer.from(`\n\n[… ${this.#leftOut} bytes …]\n\n`)
    return Buffer.concat([withoutPartAtEnd(this.#bytes.subarray(0, half)), mark, withoutPartAtStart(tail)])
  }

  #endRun(): void {
    if (this.#passedOver > 0) this.#put(Buffer.from(`[… ${this.#passedOver} bytes of base64]`))
    this.#passedOver = 0
    this.#run = 0
  }

  #put(bytes: Uint8Array): void {
    if (this.#isLost) return
    this.#onKept?.(bytes)
    const fits = Math.min(bytes.length, this.#limit - this.#filled)
    if (fits > 0 && !this.#append(bytes.subarray(0, fits))) return
    let rest = bytes.subarray(fits)
    this.#leftOut += rest.length
    const half = this.#limit >> 1
    rest = rest.subarray(Math.max(0, rest.length - (this.#limit - half)))
    while (rest.length > 0) {
      const room = Math.min(rest.length, this.#limit - this.#at)
      this.#bytes.set(rest.subarray(0, room), this.#at)
      this.#at = this.#at + room === this.#limit ? half : this.#at + room
      rest = rest.subarray(room)
    }
  }

  #append(bytes: Uint8Array): boolean {
    const needed = this.#filled + bytes.length
    const { length } = this.#bytes
    if (needed > length) {
      const room = Math.min(this.#limit, Math.max(needed, length * 2, 1024))
      this.#isLost = !this.#hold(room - length)
      if (this.#isLost) {
        this.#bytes = Buffer.alloc(0)
        return false
      }
      const larger = Buffer.allocUnsafeSlow(room)
      larger.set(this.#bytes.subarray(0, this.#filled))
      this.#bytes = larger
    }
    this.#bytes.set(bytes, this.#filled)
    this.#filled = needed
    return true
  }
}

/** Where the run ends that goes through `from`, if before `to`. */
function endOfRun(bytes: Uint8Array, from: number, to: number): number {
  let at = from
  while (at < to && isCode[bytes[at] ?? 0] === 1) at++
  return at
}

const NEAR = 64

/**
 * Somewhere in the run that goes through `from`, close to its end: a picture may have millions of signs, which
 * are looked at four at a time. It is not over before a sign that is smaller than all of them, as spaces and
 * quotation marks are, or larger.
 */
function farInto(bytes: Uint8Array, from: number): number {
  const start = from + (-(bytes.byteOffset + from) & 3)
  if (bytes.length - from < 4 * NEAR || endOfRun(bytes, from, start) < start) return from
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + start, (bytes.length - start) >> 2)
  let at = 0
  while (at < words.length && !hasOther(words[at] ?? 0)) at++
  return Math.max(from, start + at * 4 - NEAR)
}

/** Whether one of four bytes is smaller than `+`, or larger than 127. */
function hasOther(word: number): boolean {
  return ((((word - 0x2b2b2b2b) & ~word) | word) & 0x80808080) !== 0
}

function runAtEnd(bytes: Uint8Array): number {
  let at = bytes.length
  while (at > 0 && isCode[bytes[at - 1] ?? 0] === 1) at--
  return bytes.length - at
}

/** Where a run becomes too long; the end where none does. `before` is how long the first one is already. */
function findLongRun(bytes: Uint8Array, from: number, before: number): number {
  const { length } = bytes
  const needed = LONGEST_RUN - before
  if (before > 0 && endOfRun(bytes, from, Math.min(length, from + needed)) === from + needed)
    return from + needed
  // No long run fits between two of these signs.
  for (let at = from + LONGEST_RUN - 1; at < length; ) {
    if (isCode[bytes[at] ?? 0] === 0) {
      at += LONGEST_RUN
      continue
    }
    let start = at
    while (start > from && isCode[bytes[start - 1] ?? 0] === 1) start--
    const end = endOfRun(bytes, at, Math.min(length, start + LONGEST_RUN))
    if (end - start >= LONGEST_RUN) return end
    at = end + LONGEST_RUN
  }
  return length
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

function withoutPartAtStart(bytes: Buffer): Buffer {
  let at = 0
  while (at < 3 && isContinuation(bytes[at])) at++
  return bytes.subarray(at)
}

function withoutPartAtEnd(bytes: Buffer): Buffer {
  let at = bytes.length - 1
  while (at > bytes.length - 4 && isContinuation(bytes[at])) at--
  const first = bytes[at] ?? 0
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
  return at + size > bytes.length ? bytes.subarray(0, at) : bytes
}
