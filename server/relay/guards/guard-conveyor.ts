import type { Problem, TokenUsage } from '../../dialects/spec.ts'
import type { ToolUse } from '../../dialects/usage.ts'
import type { StoredIds } from '../../dialects/watching.ts'
import type { AppError } from '../../errors.ts'
import type { Conveyor, Piece } from '../stream/conveyor.ts'
import type { GuardedStream } from './guarded-stream.ts'

/** Another conveyor, with what it gives the client looked at on the way. Money and clocks see the other one's. */
export class GuardConveyor implements Conveyor {
  readonly #inner: Conveyor
  readonly #stream: GuardedStream
  /** What was judged at the end, and goes when the charge is on disk. */
  #last = ''
  #ended: boolean | undefined
  #tookAll = false

  constructor(inner: Conveyor, stream: GuardedStream) {
    this.#inner = inner
    this.#stream = stream
  }

  take(chunk: Uint8Array): string | undefined {
    return this.#push(this.#inner.take(chunk)) || undefined
  }

  /** Everything has been copied by then that goes on. */
  get isFree(): boolean {
    return this.#inner.isFree === true
  }

  get isOpening(): boolean {
    return this.#inner.isOpening === true
  }

  /** Before the charge, so that a rule can still end the answer. */
  end(): boolean {
    if (this.#ended !== undefined) return this.#ended
    this.#ended = this.#inner.end()
    if (this.#ended) {
      this.#tookAll = this.#inner.held !== undefined
      this.#last += this.#push(this.#inner.held ? this.#inner.held() : this.#inner.take(NOTHING))
    }
    this.#last += this.#stream.end()
    return this.#ended
  }

  get refusal(): AppError | undefined {
    return this.#stream.refusal
  }

  get closing(): boolean {
    return this.#inner.closing
  }

  get hasEnough(): boolean {
    return this.#inner.hasEnough === true
  }

  get awaitsUsage(): boolean {
    return this.#inner.awaitsUsage === true
  }

  get mayGoOn(): boolean {
    return this.#inner.mayGoOn === true
  }

  get problem(): Problem | undefined {
    return this.#inner.problem
  }

  rest(): string {
    const rest = this.#tookAll ? '' : this.#push(this.#inner.rest())
    return this.#last + rest + this.#stream.end()
  }

  fail(problem: Problem): string {
    // What completes an answer must not go out before it is paid; what was cut off may.
    const before = this.refusal || this.#ended ? '' : this.#last + this.#stream.end()
    return before + this.#stream.rewrite(this.#inner.fail(problem))
  }

  get usage(): TokenUsage | undefined {
    return this.#inner.usage
  }

  get toolUse(): ToolUse | undefined {
    return this.#inner.toolUse
  }

  get tellsLater(): boolean | undefined {
    return this.#inner.tellsLater
  }

  get stored(): StoredIds | undefined {
    return this.#inner.stored
  }

  get usageIsFinal(): boolean {
    return this.#inner.usageIsFinal
  }

  supply(usage: TokenUsage): void {
    this.#inner.supply(usage)
  }

  get guessed(): number {
    return this.#inner.guessed
  }

  get certain(): number {
    return this.#inner.certain
  }

  count(): Promise<number> {
    return this.#inner.count()
  }

  forget(): void {
    this.#inner.forget()
  }

  /** Pieces are whole frames: no character is cut by their ends. */
  #push(piece: Piece | undefined): string {
    if (piece === undefined) return ''
    if (typeof piece === 'string') return this.#stream.push(piece)
    if (piece instanceof Uint8Array) return this.#stream.push(decode(piece))
    return piece.map(part => this.#stream.push(decode(part))).join('')
  }
}

const NOTHING = new Uint8Array()

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
