import type { Finish, Problem, StreamPart, TokenUsage } from '../../../dialects/spec.ts'

export type Emit = (part: StreamPart) => void

interface Begun {
  readonly id?: string | undefined
  readonly model?: string | undefined
}

/**
 * Keeps the order that the neutral form promises, for readers of vendors' own streams: a start before all else,
 * every call closed before the finish, one finish, and after a problem nothing. Made for one answer.
 */
export class AnswerStream {
  readonly #open = new Map<number, { begun: boolean }>()
  #started = false
  #finished = false
  #failed = false
  #calls = 0

  get started(): boolean {
    return this.#started
  }

  get finished(): boolean {
    return this.#finished
  }

  /** Calls so far; the index of the next one. */
  get calls(): number {
    return this.#calls
  }

  start(emit: Emit, { id = '', model = '' }: Begun = {}): void {
    if (this.#started || this.#failed) return
    this.#started = true
    emit({ type: 'start', id, model, created: Math.floor(Date.now() / 1000) })
  }

  text(emit: Emit, text: string | undefined): void {
    if (text && this.#goesOn(emit)) emit({ type: 'text-delta', text })
  }

  thinking(emit: Emit, text: string | undefined): void {
    if (text && this.#goesOn(emit)) emit({ type: 'thinking-delta', text })
  }

  openCall(emit: Emit, index: number, call: { readonly id: string; readonly name: string }): void {
    if (!this.#goesOn(emit) || this.#open.has(index)) return
    this.#open.set(index, { begun: false })
    this.#calls++
    emit({ type: 'tool-start', index, ...call })
  }

  /** A piece of the JSON text of a call that is open. */
  callInput(emit: Emit, index: number, json: string | undefined): void {
    const call = this.#open.get(index)
    if (!json || !call || !this.#goesOn(emit)) return
    call.begun = true
    emit({ type: 'tool-input-delta', index, json })
  }

  closeCall(emit: Emit, index: number): void {
    if (this.#open.delete(index) && !this.#failed) emit({ type: 'tool-end', index })
  }

  /** A call that came in one piece. */
  wholeCall(emit: Emit, call: { readonly id: string; readonly name: string; readonly input: string }): void {
    const index = this.#calls
    this.openCall(emit, index, { id: call.id, name: call.name })
    this.callInput(emit, index, call.input)
    this.closeCall(emit, index)
  }

  usage(emit: Emit, usage: TokenUsage | undefined): void {
    if (!usage || !this.#goesOn(emit)) return
    emit({ type: 'usage', usage })
  }

  finish(emit: Emit, finish: Finish): void {
    if (this.#finished || this.#failed) return
    this.start(emit)
    for (const index of [...this.#open.keys()]) this.closeCall(emit, index)
    this.#finished = true
    emit({ type: 'finish', finish })
  }

  problem(emit: Emit, problem: Problem): void {
    if (this.#failed) return
    this.#failed = true
    emit({ type: 'problem', problem })
  }

  /** The connection ended: whether the answer was whole by then. */
  end(emit: Emit): boolean {
    for (const index of [...this.#open.keys()]) this.closeCall(emit, index)
    return this.#finished && !this.#failed
  }

  #goesOn(emit: Emit): boolean {
    if (this.#failed) return false
    if (!this.#started) this.start(emit)
    return true
  }
}
