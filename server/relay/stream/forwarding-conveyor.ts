import type { Problem, TokenUsage } from '../../dialects/spec.ts'
import type { ToolUse } from '../../dialects/usage.ts'
import type { StoredIds } from '../../dialects/watching.ts'
import type { AppError } from '../../errors.ts'
import type { Conveyor, Piece } from './conveyor.ts'

/**
 * Another conveyor, with its pieces made something else on the way in or out. Money and clocks see the inner one's.
 * Nothing is said of the last chunk, which may be looked at for longer here than there, nor of what will be left.
 */
export abstract class ForwardingConveyor implements Conveyor {
  protected readonly inner: Conveyor

  constructor(inner: Conveyor) {
    this.inner = inner
  }

  abstract take(chunk: Uint8Array): Piece | undefined
  abstract rest(): Piece

  end(): boolean {
    return this.inner.end()
  }

  fail(problem: Problem): string {
    return this.inner.fail(problem)
  }

  get isOpening(): boolean {
    return this.inner.isOpening === true
  }

  get closing(): boolean {
    return this.inner.closing
  }

  get hasEnough(): boolean {
    return this.inner.hasEnough === true
  }

  get awaitsUsage(): boolean {
    return this.inner.awaitsUsage === true
  }

  get mayGoOn(): boolean {
    return this.inner.mayGoOn === true
  }

  get problem(): Problem | undefined {
    return this.inner.problem
  }

  get refusal(): AppError | undefined {
    return this.inner.refusal
  }

  get usage(): TokenUsage | undefined {
    return this.inner.usage
  }

  get toolUse(): ToolUse | undefined {
    return this.inner.toolUse
  }

  get tellsLater(): boolean | undefined {
    return this.inner.tellsLater
  }

  get stored(): StoredIds | undefined {
    return this.inner.stored
  }

  get usageIsFinal(): boolean {
    return this.inner.usageIsFinal
  }

  supply(usage: TokenUsage): void {
    this.inner.supply(usage)
  }

  get guessed(): number {
    return this.inner.guessed
  }

  get certain(): number {
    return this.inner.certain
  }

  catchUp(): Promise<void> {
    return this.inner.catchUp()
  }

  count(): Promise<number> {
    return this.inner.count()
  }

  forget(): void {
    this.inner.forget()
  }
}
