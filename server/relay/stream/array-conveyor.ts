import { SseToArray } from '../../dialects/gemini/index.ts'
import type { Problem, TokenUsage } from '../../dialects/spec.ts'
import type { ToolUse } from '../../dialects/usage.ts'
import type { AppError } from '../../errors.ts'
import type { Conveyor, Piece } from './conveyor.ts'

/** Another conveyor's frames as members of one JSON array, for Gemini clients that did not ask for events. */
export class ArrayConveyor implements Conveyor {
  readonly #inner: Conveyor
  readonly #array = new SseToArray()

  constructor(inner: Conveyor) {
    this.#inner = inner
  }

  take(chunk: Uint8Array): string | undefined {
    const frames = this.#inner.take(chunk)
    return frames === undefined ? undefined : this.#push(frames) || undefined
  }

  end(): boolean {
    return this.#inner.end()
  }

  get closing(): boolean {
    return this.#inner.closing
  }

  get mayGoOn(): boolean {
    return this.#inner.mayGoOn === true
  }

  get hasEnough(): boolean {
    return this.#inner.hasEnough === true
  }

  get awaitsUsage(): boolean {
    return this.#inner.awaitsUsage === true
  }

  get refusal(): AppError | undefined {
    return this.#inner.refusal
  }

  get problem(): Problem | undefined {
    return this.#inner.problem
  }

  rest(): string {
    return this.#push(this.#inner.rest()) + this.#array.end()
  }

  fail(problem: Problem): string {
    return this.#array.fail(problem)
  }

  get usage(): TokenUsage | undefined {
    return this.#inner.usage
  }

  supply(usage: TokenUsage): void {
    this.#inner.supply(usage)
  }

  get toolUse(): ToolUse | undefined {
    return this.#inner.toolUse
  }

  get usageIsFinal(): boolean {
    return this.#inner.usageIsFinal
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

  #push(piece: Piece): string {
    if (typeof piece === 'string' || piece instanceof Uint8Array) return this.#array.push(piece)
    return piece.map(part => this.#array.push(part)).join('')
  }
}
