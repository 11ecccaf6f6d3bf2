import type { Json, JsonObject } from '../../server/dialects/json.ts'
import type { Reply } from './reply.ts'
import type { SeenRequest } from './upstream.ts'

/** What comes back for one request. Nothing set: the model answers as it always does. */
export interface Answer {
  // ── Instead of the model's answer
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Json | Uint8Array

  // ── Changes to the model's answer
  readonly reply?: Partial<Reply>
  /** Edits the usage object of the vendor; `none` leaves it out. */
  readonly usage?: 'none' | ((usage: JsonObject) => Json)
  /** Edits the whole answer of a vendor's, plain or as the end of its stream tells it. */
  readonly whole?: (answer: JsonObject) => JsonObject
  /** Edits the frames of a stream, before anything is done to how they go out. */
  readonly frames?: (frames: readonly string[]) => readonly string[]
  /** Characters per delta of a stream; one word each when unset. */
  readonly pieceChars?: number

  /** Of what is made in the background; absent: it is over when it is first asked after. */
  readonly job?: JobScript

  // ── How it goes over the wire
  readonly waitMs?: number
  readonly gapMs?: number
  /** Never says a word, nor closes. */
  readonly silent?: true
  /** Closes the connection without a word, as if nothing had been heard. */
  readonly hangsUp?: true
  /** Splits the bytes: 1 cuts inside every character and line end. */
  readonly chunkBytes?: number
  readonly gzip?: true
  readonly cutAfterFrames?: number
  /** Of the body. Chunk sizes of the transfer are not counted. */
  readonly cutAfterBytes?: number
  /** Cuts by RST instead of FIN; bytes on their way may be lost. */
  readonly reset?: true
  /** Ends the transfer cleanly where it would have been cut. */
  readonly politely?: true
  /** Ends, cuts or fails only when all that was sent before has been read, and whoever reads it is done with that. */
  readonly onceRead?: true
  /** Tells the vendor's in-stream error after so many frames, then ends. */
  readonly errorAfterFrames?: number
  /** Hangs after so many frames. */
  readonly stallAfterFrames?: number
  /** Waits after so many frames. */
  readonly hold?: { readonly afterFrames: number; readonly until: Promise<unknown> }
  /** Goes on with text for ever, from the first delta. */
  readonly endless?: true
  readonly crlf?: true
  readonly comments?: true
  /** Puts every JSON on two `data:` lines. */
  readonly splitData?: true
}

/** A response in the background: when it is over, and what is told of it if it is cancelled before. */
export interface JobScript {
  readonly until?: Promise<unknown>
  readonly used?: JsonObject
}

/**
 * The vendor's error after so many frames, and not before `answered` is called: what comes together with the first
 * word is heard before that is said.
 */
export function errorOnceAnswered(afterFrames: number): { script: Answer; answered: () => void } {
  const { promise: until, resolve: answered } = Promise.withResolvers<void>()
  return { script: { errorAfterFrames: afterFrames, hold: { afterFrames, until } }, answered }
}

export interface Known {
  readonly url: string
  readonly key: string
}

export type Script = Answer | ((seen: SeenRequest, upstream: Known) => Answer | Promise<Answer>)

export const emptyBody: Script = { status: 200, body: new Uint8Array() }
export const brokenJson: Script = { status: 200, body: '{"id":"chatcmpl-1","choices":[{"index":0,' }
/** Good headers and no event; `cut` leaves the transfer unfinished. */
export const emptyStream: Script = { cutAfterFrames: 0, politely: true }
export const cutBeforeFirstFrame: Script = { cutAfterFrames: 0 }
export const silence: Script = { silent: true }
export const endlessStream: Script = { endless: true }
export const withoutUsage: Script = { usage: 'none' }
export const oddFrames: Script = { crlf: true, comments: true, splitData: true }
export const byteByByte: Script = { chunkBytes: 1 }

export function redirectTo(url: string, status = 302): Script {
  return { status, headers: { Location: url }, body: '' }
}

/** A long answer; streamed, it comes in pieces of 16 KiB. */
export function megabytes(count: number): Script {
  return { reply: { text: 'x'.repeat(count * 1024 * 1024) }, pieceChars: 16 * 1024 }
}

/** Every number of the usage, however deep, becomes this. */
export function usageOf(value: Json): Script {
  return { usage: usage => replaceNumbers(usage, value) }
}

function replaceNumbers(from: Json | undefined, value: Json): Json {
  if (typeof from === 'number') return value
  if (typeof from !== 'object' || from === null) return from ?? null
  if (Array.isArray(from)) return from.map(one => replaceNumbers(one, value))
  return Object.fromEntries(Object.entries(from).map(([key, one]) => [key, replaceNumbers(one, value)]))
}

/** The error body of another script, under status 200. */
export function under200(script: Script): Script {
  return async (seen, upstream) => ({
    ...(typeof script === 'function' ? await script(seen, upstream) : script),
    status: 200,
  })
}
