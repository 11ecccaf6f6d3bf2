import type { StreamReader } from '../../dialects/dialect.ts'
import { asObject, asText, parseExactly } from '../../dialects/json.ts'
import { AnswerStream, type Emit } from '../kit/answers/answer-stream.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { readCalls, readFinish, readUsage } from './read-answer.ts'

export class OllamaReader implements StreamReader {
  readonly #answer = new AnswerStream()

  read(_event: string, data: string, emit: Emit): void {
    const line = parseExactly(data)
    if (!line) return
    const problem = line.error === undefined ? undefined : readFailure(line)
    if (problem) return this.#answer.problem(emit, problem)
    const message = asObject(line.message)
    if (!this.#answer.started) this.#answer.start(emit, { model: asText(line.model) })
    if (message) {
      this.#answer.thinking(emit, asText(message.thinking))
      this.#answer.text(emit, asText(message.content))
      if (message.tool_calls) for (const call of readCalls(message)) this.#answer.wholeCall(emit, call)
    }
    if (line.done !== true) return
    this.#answer.usage(emit, readUsage(line))
    this.#answer.finish(emit, readFinish(line, this.#answer.calls > 0))
  }

  end(emit: Emit): boolean {
    return this.#answer.end(emit)
  }
}
