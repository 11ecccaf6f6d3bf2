import { SseToArray } from '../../dialects/gemini/index.ts'
import type { Problem, TokenUsage } from '../../dialects/spec.ts'
import type { ToolUse } from '../../dialects/usage.ts'
import type { Conveyor } from './conveyor.ts'
import type { PassConveyor } from './pass-conveyor.ts'

/** Passing frames as members of one JSON array, for Gemini clients that did not ask for events. */
export class ArrayConveyor implements Conveyor {
  readonly #passing: PassConveyor
  readonly #array = new SseToArray()

  constructor(passing: PassConveyor) {
    this.#passing = passing
  }

  take(chunk: Uint8Array): string | undefined {
    const frames = this.#passing.take(chunk)
    if (frames === undefined) return undefined
    const parts = frames instanceof Uint8Array ? [frames] : frames
    return parts.map(part => this.#array.push(part)).join('') || undefined
  }

  end(): boolean {
    return this.#passing.end()
  }

  get closing(): boolean {
    return this.#passing.closing
  }

  get mayGoOn(): boolean {
    return this.#passing.mayGoOn
  }

  get problem(): Problem | undefined {
    return this.#passing.problem
  }

  rest(): string {
    return this.#array.push(this.#passing.rest()) + this.#array.end()
  }

  fail(problem: Problem): string {
    return this.#array.fail(problem)
  }

  get usage(): TokenUsage | undefined {
    return this.#passing.usage
  }

  supply(): void {}

  get toolUse(): ToolUse | undefined {
    return this.#passing.toolUse
  }

  get usageIsFinal(): boolean {
    return this.#passing.usageIsFinal
  }

  get guessed(): number {
    return this.#passing.guessed
  }

  get certain(): number {
    return this.#passing.certain
  }

  count(): Promise<number> {
    return this.#passing.count()
  }

  forget(): void {
    this.#passing.forget()
  }
}
