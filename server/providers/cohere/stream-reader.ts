import type { StreamReader } from '../../dialects/dialect.ts'
import { noNumbers } from '../../dialects/frame-shape.ts'
import { asObject, asText, type JsonObject, parseObject } from '../../dialects/json.ts'
import { AnswerStream, type Emit } from '../kit/answers/answer-stream.ts'
import { asCount } from '../kit/answers/count.ts'
import { readFailure as readError } from '../kit/answers/read-failure.ts'
import { mapFinishReason, readFailure } from './map-finish-reason.ts'
import { readUsage } from './read-answer.ts'

export class CohereReader implements StreamReader {
  readonly mayVary = noNumbers
  readonly #answer = new AnswerStream()

  read(_event: string, data: string, emit: Emit): void {
    const event = parseObject(data)
    if (!event) return
    const delta = asObject(event.delta)
    const message = asObject(delta?.message)
    switch (event.type) {
      case 'message-start':
        return this.#answer.start(emit, { id: asText(event.id) })
      case 'content-start':
      case 'content-delta': {
        const content = asObject(message?.content)
        this.#answer.thinking(emit, asText(content?.thinking))
        return this.#answer.text(emit, asText(content?.text))
      }
      case 'tool-plan-delta':
        return this.#answer.text(emit, asText(message?.tool_plan))
      case 'tool-call-start':
      case 'tool-call-delta':
        return this.#readCall(event, asObject(message?.tool_calls), emit)
      case 'tool-call-end':
        return this.#answer.closeCall(emit, asCount(event.index) ?? 0)
      case 'message-end':
        return this.#finish(delta ?? {}, emit)
      default:
        return this.#readOther(event, emit)
    }
  }

  end(emit: Emit): boolean {
    return this.#answer.end(emit)
  }

  #readCall(event: JsonObject, call: JsonObject | undefined, emit: Emit): void {
    const index = asCount(event.index) ?? 0
    const called = asObject(call?.function)
    const id = asText(call?.id)
    const name = asText(called?.name)
    if (id && name) this.#answer.openCall(emit, index, { id, name })
    this.#answer.callInput(emit, index, asText(called?.arguments))
  }

  #finish(delta: JsonObject, emit: Emit): void {
    const problem = readFailure(delta)
    if (problem) {
      const error = asText(delta.error)
      return this.#answer.problem(emit, error ? { ...problem, message: error } : problem)
    }
    this.#answer.usage(emit, readUsage(delta.usage))
    this.#answer.finish(emit, { reason: mapFinishReason(delta.finish_reason) })
  }

  /** Sources and debugging are nobody's business here; an error has no type, only words. */
  #readOther(event: JsonObject, emit: Emit): void {
    const message = event.type === undefined ? asText(event.message) : undefined
    const problem = message ? { status: 502, message } : readError(event)
    if (problem) this.#answer.problem(emit, problem)
  }
}
