import { SseToArray } from '../../dialects/gemini/index.ts'
import type { Problem } from '../../dialects/spec.ts'
import type { Piece } from './conveyor.ts'
import { ForwardingConveyor } from './forwarding-conveyor.ts'

/** Another conveyor's frames as members of one JSON array, for Gemini clients that did not ask for events. */
export class ArrayConveyor extends ForwardingConveyor {
  readonly #array = new SseToArray()

  take(chunk: Uint8Array): string | undefined {
    const frames = this.inner.take(chunk)
    return frames === undefined ? undefined : this.#push(frames) || undefined
  }

  rest(): string {
    return this.#push(this.inner.rest()) + this.#array.end()
  }

  override fail(problem: Problem): string {
    return this.#array.fail(problem)
  }

  #push(piece: Piece): string {
    if (typeof piece === 'string' || piece instanceof Uint8Array) return this.#array.push(piece)
    return piece.map(part => this.#array.push(part)).join('')
  }
}
