import type { StreamReader } from '../../dialects/dialect.ts'
import { dialects } from '../../dialects/index.ts'
import { asObject, asText, type JsonObject, parseObject } from '../../dialects/json.ts'
import { AnswerStream, type Emit } from '../kit/answers/answer-stream.ts'
import { readAnswer, readSources, readUsage } from './read-answer.ts'

/** Pieces of text as they come; all else from the items and from the answer that the last event repeats. */
export class AgentReader implements StreamReader {
  readonly #answer = new AnswerStream()
  readonly #called = new Set<string>()
  /** What it thought, and how often it searched, is told with the usage alone. */
  readonly hidesThoughts = true
  #spoke = false
  #isOver = false

  read(_event: string, data: string, emit: Emit): void {
    const event = this.#isOver ? undefined : parseObject(data)
    if (!event) return
    const response = asObject(event.response)
    switch (event.type) {
      case 'response.created':
        return this.#answer.start(emit, { id: asText(response?.id), model: asText(response?.model) })
      case 'response.output_text.delta':
        this.#spoke ||= Boolean(event.delta)
        return this.#answer.text(emit, asText(event.delta))
      case 'response.output_item.done':
        return this.#readItem(asObject(event.item), emit)
      case 'response.completed':
      case 'response.incomplete':
        return this.#finish(response ?? {}, emit)
      case 'response.failed':
      case 'response.cancelled':
        return this.#fail(response ?? event, emit)
      case 'error':
        return this.#fail(event, emit)
      default:
        if (event.type === undefined && event.error) this.#fail(event, emit)
    }
  }

  end(emit: Emit): boolean {
    return this.#answer.end(emit)
  }

  #readItem(item: JsonObject | undefined, emit: Emit): void {
    const id = asText(item?.call_id)
    const name = asText(item?.name)
    if (item?.type !== 'function_call' || !id || !name || this.#called.has(id)) return
    this.#called.add(id)
    this.#answer.wholeCall(emit, { id, name, input: asText(item.arguments) ?? '' })
  }

  #finish(response: JsonObject, emit: Emit): void {
    const answer = readAnswer(response)
    if (!answer) return this.#fail(response, emit)
    this.#answer.start(emit, { id: answer.id, model: answer.model })
    for (const part of answer.parts) {
      if (part.type === 'text' && !this.#spoke) this.#answer.text(emit, part.text)
      else if (part.type === 'tool-call' && !this.#called.has(part.id)) this.#answer.wholeCall(emit, part)
    }
    for (const citation of readSources(response)) emit({ type: 'citation', citation })
    this.#isOver = true
    this.#answer.usage(emit, readUsage(response))
    this.#answer.finish(emit, answer.finish)
  }

  #fail(body: JsonObject, emit: Emit): void {
    this.#isOver = true
    const problem = dialects['openai-chat'].readProblem(200, body)
    const status = Number(problem.code)
    const isStatus = status >= 400 && status <= 599
    this.#answer.problem(emit, { ...problem, status: isStatus ? status : 502 })
  }
}
