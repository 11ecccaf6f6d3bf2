import { AppError } from '../errors.ts'
import type { FrameReader, Framing, Skim } from './framing.ts'
import { JoinedText } from './joined-text.ts'

const NEWLINE = 10
const RETURN = 13
const LETTER_D = 100
const LETTER_E = 101
/** One frame may carry an image; nothing that a vendor sends is longer. */
const LONGEST_FRAME = 64 * 1024 * 1024

type OnEvent = (event: string, data: string) => void

/**
 * Reads server-sent events from bytes that may be cut anywhere: inside a character, a line end or a frame.
 * Takes CR LF as well as LF, comments, several data lines, and `data:` with or without the space.
 */
export class SseReader implements FrameReader {
  readonly #onEvent: OnEvent
  readonly #skim: Skim | undefined
  readonly #decoder = new TextDecoder()
  /** The beginning of a line. */
  readonly #rest = new JoinedText()
  #event = ''
  /** Of the last event that had one. */
  #name = ''
  /** The data lines of an event whose text is not at hand any more, or that has several. */
  #data: string | undefined
  /** Where its only data line lies in the text that is being read; -1: nowhere there. */
  #start = -1
  #end = -1

  constructor(onEvent: OnEvent, skim?: Skim) {
    this.#onEvent = onEvent
    this.#skim = skim
  }

  push(bytes: Uint8Array): void {
    this.pushText(this.#decoder.decode(bytes, { stream: true }))
  }

  pushText(text: string): void {
    // Of a line that is long, what came before is not looked through again with every piece.
    if (this.#rest.length > 0 && !text.includes('\n')) return this.#keepRest(text)
    const all = this.#rest.length === 0 ? text : this.#rest.take() + text
    let start = 0
    for (;;) {
      const end = all.indexOf('\n', start)
      if (end < 0) break
      this.#line(all, start, all.charCodeAt(end - 1) === RETURN && end > start ? end - 1 : end)
      start = end + 1
    }
    this.#keepData(all)
    this.#keepRest(all.slice(start))
  }

  /** The connection ended. A last event without its blank line is read all the same; a cut one is dropped. */
  end(): void {
    const rest = this.#rest.take() + this.#decoder.decode()
    if (rest !== '') this.#line(rest, 0, rest.length)
    this.#flush(rest)
  }

  #keepRest(text: string): void {
    if (text !== '') this.#rest.add(text)
    if (this.#rest.length + (this.#data?.length ?? 0) > LONGEST_FRAME)
      throw new AppError('outbound.too-large')
  }

  #line(text: string, start: number, end: number): void {
    if (start === end) return this.#flush(text)
    // Most lines of some vendors are neither; the first letter tells cheaper than the word.
    const letter = text.charCodeAt(start)
    if (letter === LETTER_D && text.startsWith('data:', start)) {
      const at = text.charCodeAt(start + 5) === 32 ? start + 6 : start + 5
      this.#keepData(text)
      if (this.#data !== undefined) this.#data += `\n${text.slice(at, end)}`
      else {
        this.#start = at
        this.#end = end
      }
    } else if (letter === LETTER_E && text.startsWith('event:', start)) {
      this.#event = this.#readName(text, text.charCodeAt(start + 6) === 32 ? start + 7 : start + 6, end)
    }
  }

  /** Mostly that of the event before. */
  #readName(text: string, start: number, end: number): string {
    // Text of its own: what is cut from another keeps all of that alive.
    if (end - start !== this.#name.length || !text.startsWith(this.#name, start))
      this.#name = Buffer.from(text.slice(start, end).trim()).toString()
    return this.#name
  }

  /** Of the text that is being read. */
  #keepData(text: string): void {
    if (this.#start < 0) return
    this.#data = text.slice(this.#start, this.#end)
    this.#start = -1
  }

  #flush(text: string): void {
    const event = this.#event
    const start = this.#start
    this.#event = ''
    this.#start = -1
    if (start >= 0) {
      if (!this.#skim?.(event, text, start, this.#end)) this.#onEvent(event, text.slice(start, this.#end))
      return
    }
    const data = this.#data
    this.#data = undefined
    if (data !== undefined) this.#onEvent(event, data)
  }
}

export const sse: Framing = {
  types: ['text/event-stream'],
  createReader: (onEvent, skim) => new SseReader(onEvent, skim),
}

/**
 * Where the last whole frame of `bytes` ends (just past its blank line), or 0 when none does. What stands
 * before may be forwarded: whatever follows on the wire then starts on a clean line.
 */
export function endOfFrames(bytes: Uint8Array): number {
  const { length } = bytes
  if (bytes[length - 1] === NEWLINE && bytes[length - 2] === NEWLINE) return length
  for (let at = length; at > 0; ) {
    const newline = bytes.lastIndexOf(NEWLINE, at - 1)
    if (newline < 1) return 0
    const before = bytes[newline - 1]
    if (before === NEWLINE) return newline + 1
    if (before === RETURN && bytes[newline - 2] === NEWLINE) return newline + 1
    at = newline
  }
  return 0
}

/** Where the frame that starts at `start` ends, just past its blank line; 0 if it does not end here. */
export function frameEnd(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(NEWLINE, start); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
    if (bytes[at + 1] === NEWLINE) return at + 2
    if (bytes[at + 1] === RETURN && bytes[at + 2] === NEWLINE) return at + 3
  }
  return 0
}

/** Whether all of these frames go by one of these names, or say nothing. */
export function areNamed(frames: Uint8Array, names: ReadonlySet<string>): boolean {
  for (let start = 0; start < frames.length; ) {
    const end = frameEnd(frames, start) || frames.length
    const read = readFrame(frames.subarray(start, end))
    if (read && !names.has(read.event)) return false
    start = end
  }
  return true
}

const decoder = new TextDecoder()

/** One whole frame; undefined when it says nothing, such as a comment. */
export function readFrame(bytes: Uint8Array): { event: string; data: string } | undefined {
  let read: { event: string; data: string } | undefined
  const reader = new SseReader((event, data) => {
    read = { event, data }
  })
  reader.pushText(decoder.decode(bytes))
  reader.end()
  return read
}
