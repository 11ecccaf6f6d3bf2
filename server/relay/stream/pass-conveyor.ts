import type { Dialect, WatcherOptions } from '../../dialects/dialect.ts'
import { findBytes } from '../../dialects/find-bytes.ts'
import type { DialectName, Problem, TokenUsage } from '../../dialects/spec.ts'
import { endOfFrames, frameEnd, readFrame } from '../../dialects/sse.ts'
import type { ToolUse } from '../../dialects/usage.ts'
import type { StoredIds, StreamWatcher, Verdict } from '../../dialects/watching.ts'
import { AppError } from '../../errors.ts'
import type { FrameCount } from '../counting/frame-count.ts'
import type { Conveyor } from './conveyor.ts'
import { isCrumb } from './release-chunk.ts'

/** One frame may carry an image; what is longer is no frame. */
const LONGEST_FRAME = 64 * 1024 * 1024
const UNPAID_FRAMES = 6
/** A colon: what keeps a connection open and says nothing. */
const COMMENT = 58
/** Of such, before anything is said, no more is kept. */
const MOST_COMMENTS = 4096
/** The longest end of a frame that can be cut by the end of a chunk. */
const OVERLAP = 3
/** Some models say in every frame that they have finished: whether one was the last is known when none follows. */
const withoutEndMark: ReadonlySet<DialectName> = new Set(['gemini'])

/**
 * Client and upstream speak the same dialect: whole frames pass as the bytes they came in, but for what only we have
 * asked for.
 */
export class PassConveyor implements Conveyor {
  readonly #dialect: Dialect
  readonly #watcher: StreamWatcher
  readonly #count: FrameCount
  /** The beginning of a frame whose end has not come yet. */
  #partial: Uint8Array[] = []
  #partialLength = 0
  /** How often whole frames came. */
  #batches = 0
  #held: Uint8Array[] = []
  /** What came before anything was said, and goes out with that: alone it would be taken for an answer that has begun. */
  #comments: Uint8Array = new Uint8Array()
  /** Whether anything else came. */
  #hasCome = false
  isOpening: boolean
  readonly mayGoOn: boolean
  /** The last chunk is needed for a frame that goes on. */
  #keepsChunk = false

  constructor(
    dialect: Dialect,
    wantsUsage: boolean,
    count: FrameCount,
    more: Omit<WatcherOptions, 'wantsUsage'> = {},
  ) {
    this.#dialect = dialect
    this.isOpening = dialect.opens !== undefined
    this.mayGoOn = withoutEndMark.has(dialect.name)
    this.#watcher = dialect.createWatcher({ wantsUsage, ...more })
    this.#count = count
  }

  take(chunk: Uint8Array): Uint8Array | readonly Uint8Array[] | undefined {
    this.#keepsChunk = false
    if (this.#partialLength === 0) return this.#takeFrames(chunk)
    const end = this.#endOfPartial(chunk)
    if (end === 0) {
      this.#keep(chunk)
      return undefined
    }
    // Only the frame that was cut is put together; what follows it passes uncopied.
    const completed = this.#pass(Buffer.concat([...this.#partial.splice(0), chunk.subarray(0, end)]))
    this.#partialLength = 0
    const rest = end < chunk.length ? this.#takeFrames(chunk.subarray(end)) : undefined
    if (completed === undefined) return rest
    return rest === undefined ? completed : [completed, rest]
  }

  get isFree(): boolean {
    return !this.#keepsChunk && this.#held.length === 0 && this.#count.held === 0
  }

  end(): boolean {
    if (this.#partialLength > 0) this.#lookAtLast(Buffer.concat([...this.#partial.splice(0), blankLine]))
    this.#partialLength = 0
    return this.#watcher.complete
  }

  get closing(): boolean {
    return this.#held.length > 0
  }

  get problem(): Problem | undefined {
    return this.#watcher.problem
  }

  rest(): Uint8Array {
    return Buffer.concat(this.#held)
  }

  held(): Uint8Array {
    return this.rest()
  }

  fail(problem: Problem): string {
    return this.#dialect.writeStreamProblem(problem)
  }

  get usage(): TokenUsage | undefined {
    return this.#watcher.usage
  }

  get awaitsUsage(): boolean {
    return this.#watcher.awaitsUsage === true
  }

  get toolUse(): ToolUse | undefined {
    return this.#watcher.toolUse
  }

  get tellsLater(): boolean | undefined {
    return this.#watcher.tellsLater
  }

  get stored(): StoredIds | undefined {
    return this.#watcher.stored
  }

  /** What passes is the upstream's own word; nothing is added to it. */
  supply(): void {}

  get usageIsFinal(): boolean {
    return true
  }

  get guessed(): number {
    return this.#count.soFar
  }

  /** Frames bring a token or more, but for the few that open and close an answer: half of them is certain. */
  get certain(): number {
    return Math.max(this.#count.certain, (this.#batches - UNPAID_FRAMES) >> 1)
  }

  catchUp(): Promise<void> {
    return this.#count.catchUp()
  }

  count(): Promise<number> {
    return this.#count.total()
  }

  forget(): void {
    this.#count.discard()
  }

  /** From the beginning of a frame. Most chunks are whole frames and come back as they are. */
  #takeFrames(bytes: Uint8Array): Uint8Array | undefined {
    const end = endOfFrames(bytes)
    if (end < bytes.length) this.#keep(bytes.subarray(end))
    return end === 0 ? undefined : this.#pass(end === bytes.length ? bytes : bytes.subarray(0, end))
  }

  #pass(frames: Uint8Array): Uint8Array | undefined {
    if (frames[0] === COMMENT && (this.isOpening || !this.#hasCome) && isComment(frames)) {
      if (this.#comments.length + frames.length <= MOST_COMMENTS)
        this.#comments = Buffer.concat([this.#comments, frames])
      return undefined
    }
    this.#hasCome = true
    const passing = this.#judge(frames)
    if (passing === undefined || this.#comments.length === 0) return passing
    const comments = this.#comments
    this.#comments = new Uint8Array()
    return Buffer.concat([comments, passing])
  }

  #judge(frames: Uint8Array): Uint8Array | undefined {
    this.#watcher.blank?.(frames)
    this.#count.add(frames)
    if (this.isOpening && this.#dialect.opens?.(frames) !== true) this.isOpening = false
    if (frames[0] !== COMMENT) this.#batches++
    if (this.#held.length === 0 && !this.#watcher.mayMatter(frames)) return frames
    return this.#look(frames)
  }

  /** Where in this chunk the frame ends that was begun before; its blank line may lie across the seam. */
  #endOfPartial(chunk: Uint8Array): number {
    const before = Buffer.concat(this.#partial.slice(-OVERLAP)).subarray(-OVERLAP)
    const seam = Buffer.concat([before, chunk.subarray(0, OVERLAP)])
    const acrossSeam = frameEnd(seam, 0) - before.length
    return acrossSeam > 0 ? acrossSeam : frameEnd(chunk, 0)
  }

  #keep(bytes: Uint8Array): void {
    const isCopied = isCrumb(bytes)
    if (!isCopied) this.#keepsChunk = true
    this.#partial.push(isCopied ? new Uint8Array(bytes) : bytes)
    this.#partialLength += bytes.length
    if (this.#partialLength > LONGEST_FRAME) throw new AppError('outbound.too-large')
  }

  /** Frame by frame; what passes stays one piece unless something is cut out of it. */
  #look(bytes: Uint8Array): Uint8Array | undefined {
    const passing: Uint8Array[] = []
    for (let start = 0; start < bytes.length; ) {
      const end = frameEnd(bytes, start) || bytes.length
      const frame = bytes.subarray(start, end)
      const read = readFrame(frame)
      const verdict = read === undefined ? 'pass' : this.#watcher.look(read.event, read.data)
      if (this.mayGoOn && this.#goesOn(verdict)) passing.push(...this.#held.splice(0))
      if (verdict === 'hold' || (verdict === 'pass' && this.closing)) this.#held.push(frame)
      else if (verdict === 'pass') passing.push(frame)
      start = end
    }
    if (passing.length === 0) return undefined
    return passing.length === 1 ? passing[0] : Buffer.concat(passing)
  }

  /** One that came without its blank line. Where it was cut it may tell us something, and no client. */
  #lookAtLast(frame: Uint8Array): void {
    const read = readFrame(frame)
    if (!read) return
    if (!isWhole(read.data)) {
      this.#watcher.look(read.event, read.data)
      return
    }
    const passing = this.#look(frame)
    if (passing) this.#held.unshift(passing)
  }

  /** Whether the frame with this verdict is the answer's next, so that what is held was not its last. */
  #goesOn(verdict: Verdict): boolean {
    return verdict === 'hold' || (verdict === 'pass' && !this.#watcher.complete)
  }
}

function isComment(frames: Uint8Array): boolean {
  return findBytes(frames, DATA) < 0 && findBytes(frames, EVENT) < 0
}

function isWhole(data: string): boolean {
  if (data.startsWith('[DONE]')) return true
  try {
    JSON.parse(data)
    return true
  } catch {
    return false
  }
}

const DATA = Buffer.from('\ndata:')
const EVENT = Buffer.from('\nevent:')
const blankLine = new TextEncoder().encode('\n\n')
