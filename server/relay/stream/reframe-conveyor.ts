import type { FrameReader, Framing } from '../../dialects/framing.ts'
import type { Problem, TokenUsage } from '../../dialects/spec.ts'
import type { ToolUse } from '../../dialects/usage.ts'
import type { AppError } from '../../errors.ts'
import type { Conveyor, Piece } from './conveyor.ts'

/** Passing frames that the upstream packs otherwise: unpacked, they are the client's own server-sent events. */
export class ReframeConveyor implements Conveyor {
  readonly #inner: Conveyor
  readonly #frames: FrameReader
  readonly #encoder = new TextEncoder()
  #text = ''

  constructor(framing: Framing, inner: Conveyor) {
    this.#inner = inner
    this.#frames = framing.createReader((event, data) => {
      const lines = data.includes('\n') ? data.replaceAll('\n', '\ndata: ') : data
      this.#text += event === '' ? `data: ${lines}\n\n` : `event: ${event}\ndata: ${lines}\n\n`
    })
  }

  take(chunk: Uint8Array): Piece | undefined {
    this.#frames.push(chunk)
    return this.#handOn()
  }

  end(): boolean {
    this.#frames.end()
    this.#handOn()
    return this.#inner.end()
  }

  get isOpening(): boolean {
    return this.#inner.isOpening === true
  }

  get closing(): boolean {
    return this.#inner.closing
  }

  get mayGoOn(): boolean {
    return this.#inner.mayGoOn === true
  }

  get problem(): Problem | undefined {
    return this.#inner.problem
  }

  rest(): Piece {
    return this.#inner.rest()
  }

  fail(problem: Problem): string {
    return this.#inner.fail(problem)
  }

  get refusal(): AppError | undefined {
    return this.#inner.refusal
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

  supply(usage: TokenUsage): void {
    this.#inner.supply(usage)
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

  #handOn(): Piece | undefined {
    const text = this.#text
    this.#text = ''
    return text === '' ? undefined : this.#inner.take(this.#encoder.encode(text))
  }
}
