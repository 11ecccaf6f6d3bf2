import type { StreamReader, StreamWriter } from '../../dialects/dialect.ts'
import type { FrameReader, Framing } from '../../dialects/framing.ts'
import { RepeatReader } from '../../dialects/repeat-reader.ts'
import type { Problem, StreamPart, TokenUsage } from '../../dialects/spec.ts'
import { sse } from '../../dialects/sse.ts'
import type { ToolUse } from '../../dialects/usage.ts'
import { tokensOfMedia } from '../counting/made-media.ts'
import type { StreamCount } from '../counting/stream-count.ts'
import type { Conveyor } from './conveyor.ts'

/** Client and upstream speak different dialects: each event is read, and said again in other words. */
export class ConvertConveyor implements Conveyor {
  readonly #reader: RepeatReader
  readonly #writer: StreamWriter
  readonly #count: StreamCount
  readonly #frames: FrameReader
  #out = ''
  #closing = false
  #problem: Problem | undefined
  #usage: TokenUsage | undefined
  /** Which event brought the last usage, and which the last of what is paid for. */
  #events = 0
  #usageAt = 0
  #outputAt = 0
  #deltas = 0
  /** What comes as server-sent events is text by then. */
  readonly isFree: boolean

  constructor(reader: StreamReader, writer: StreamWriter, count: StreamCount, framing: Framing = sse) {
    this.#reader = new RepeatReader(reader)
    this.#writer = writer
    this.#count = count
    this.isFree = framing === sse
    this.#frames = framing.createReader(
      (event, data) => this.#read(event, data),
      (event, text, start, end) => this.#skim(event, text, start, end),
    )
  }

  take(chunk: Uint8Array): string | undefined {
    this.#frames.push(chunk)
    return this.#given()
  }

  end(): boolean {
    this.#frames.end()
    return this.#reader.end(this.#emit) && !this.#problem
  }

  get isOpening(): boolean {
    return this.#outputAt === 0 && this.#reader.toolUse === undefined
  }

  get closing(): boolean {
    return this.#closing
  }

  get hasEnough(): boolean {
    return this.#reader.hasEnough
  }

  get awaitsUsage(): boolean {
    return this.#reader.awaitsUsage
  }

  get problem(): Problem | undefined {
    return this.#problem
  }

  rest(): string {
    return (this.#given() ?? '') + this.#writer.end()
  }

  fail(problem: Problem): string {
    return (this.#given() ?? '') + this.#writer.fail(problem)
  }

  get usage(): TokenUsage | undefined {
    this.#reader.catchUp(this.#emit)
    return this.#usage
  }

  get toolUse(): ToolUse | undefined {
    return this.#reader.toolUse
  }

  /** What such tools have found was read too, which is told at the end. */
  get tellsLater(): boolean {
    return this.#reader.toolUse !== undefined
  }

  get usageIsFinal(): boolean {
    return this.#usageAt >= this.#outputAt
  }

  supply(usage: TokenUsage): void {
    this.#emit({ type: 'usage', usage })
  }

  get guessed(): number {
    return this.#count.soFar
  }

  /** A delta is a token or more; some vendors cut finer, so half of them are certain. */
  get certain(): number {
    return Math.max(this.#count.certain, this.#deltas >> 1)
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

  #skim(event: string, text: string, start: number, end: number): boolean {
    const delta = this.#reader.cut(event, text, start, end)
    if (delta === undefined) return false
    this.#events++
    this.#emit(delta)
    return true
  }

  #read(event: string, data: string): void {
    if (this.#problem) return
    // What is caught up with belongs to the event before.
    this.#reader.catchUp(this.#emit)
    this.#events++
    this.#reader.read(event, data, this.#emit)
  }

  #given(): string | undefined {
    const out = this.#out
    this.#out = ''
    return out === '' ? undefined : out
  }

  /** An arrow, because it is handed over. */
  #emit = (part: StreamPart): void => {
    switch (part.type) {
      case 'problem':
        this.#problem ??= part.problem
        return
      case 'usage':
        this.#usage = part.usage
        this.#usageAt = this.#events
        break
      case 'finish':
        this.#closing = true
        break
      case 'unsaid':
        return this.#produced(part.text)
      case 'choice':
        this.#weigh(part.part)
        break
      default:
        this.#weigh(part)
    }
    this.#out += this.#writer.write(part)
  }

  #weigh(part: StreamPart): void {
    switch (part.type) {
      case 'text-delta':
      case 'thinking-delta':
      case 'refusal-delta':
        return this.#produced(part.text)
      case 'tool-input-delta':
        return this.#produced(part.json)
      case 'tool-start':
        return this.#produced(part.name)
      case 'media':
        this.#count.addTokens(tokensOfMedia(part.media))
        return this.#produced('')
    }
  }

  #produced(text: string): void {
    this.#outputAt = this.#events
    this.#deltas++
    this.#count.add(text)
  }
}
