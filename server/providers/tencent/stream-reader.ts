import type { StreamReader } from '../../dialects/dialect.ts'
import { numbersNamed } from '../../dialects/frame-shape.ts'
import { asArray, asObject, asText, type JsonObject, parseObject } from '../../dialects/json.ts'
import { AnswerStream, type Emit } from '../kit/answers/answer-stream.ts'
import { newCallId, readFinish, readUsage } from './read-answer.ts'
import { readFailure } from './read-failure.ts'

const MAY_VARY = numbersNamed('Created', 'CompletionTokens', 'TotalTokens')

export class TencentReader implements StreamReader {
  readonly mayVary = MAY_VARY
  readonly #answer = new AnswerStream()
  /** Pieces of one call have one id. */
  readonly #calls = new Map<string, number>()
  #last = -1

  read(_event: string, data: string, emit: Emit): void {
    const piece = parseObject(data)
    if (!piece) return
    const problem = readFailure(piece)
    if (problem) return this.#answer.problem(emit, problem)
    const choice = asObject(asArray(piece.Choices)[0])
    const delta = asObject(choice?.Delta)
    if (!this.#answer.started) this.#answer.start(emit, { id: asText(piece.Id) })
    if (delta) {
      this.#answer.thinking(emit, asText(delta.ReasoningContent))
      this.#answer.text(emit, asText(delta.Content))
      if (delta.ToolCalls) for (const call of asArray(delta.ToolCalls)) this.#readCall(asObject(call), emit)
    }
    const finish = readFinish(choice?.FinishReason)
    if (!finish) return
    this.#answer.usage(emit, readUsage(piece))
    this.#answer.finish(emit, finish)
  }

  end(emit: Emit): boolean {
    return this.#answer.end(emit)
  }

  #readCall(call: JsonObject | undefined, emit: Emit): void {
    const called = asObject(call?.Function)
    const id = asText(call?.Id) ?? ''
    const name = asText(called?.Name) ?? ''
    const known = id === '' ? (name === '' ? this.#last : undefined) : this.#calls.get(id)
    if (known === undefined && name === '') return
    const index = known ?? this.#open(id || newCallId(), name, emit)
    this.#last = index
    this.#answer.callInput(emit, index, asText(called?.Arguments))
  }

  #open(id: string, name: string, emit: Emit): number {
    const index = this.#answer.calls
    this.#calls.set(id, index)
    this.#answer.openCall(emit, index, { id, name })
    return index
  }
}
