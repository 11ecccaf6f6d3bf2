import type { StreamReader } from '../../dialects/dialect.ts'
import { asObject, asText, type JsonObject, parseObject } from '../../dialects/json.ts'
import { ownWords } from '../../dialects/own-words.ts'
import { AnswerStream, type Emit } from '../kit/answers/answer-stream.ts'
import { usageOf } from '../kit/answers/count.ts'
import { readProblem } from './read-problem.ts'

const WAITS = 501

/** A bot may send several messages; those that are answers are what it says. */
export class CozeReader implements StreamReader {
  readonly #answer = new AnswerStream()
  /** The message that is being said, and whether any of it has come. */
  #message = ''
  #hasText = false

  read(event: string, text: string, emit: Emit): void {
    const said = parseObject(text)
    if (!said) return
    switch (event) {
      case 'conversation.chat.created':
        return this.#answer.start(emit, { id: asText(said.id) })
      case 'conversation.message.delta':
        return this.#say(said, emit)
      case 'conversation.message.completed':
        // Some come in one piece; the others are repeated as a whole.
        return this.#message === asText(said.id) ? undefined : this.#say(said, emit)
      case 'conversation.chat.completed':
        this.#answer.usage(emit, readUsage(said))
        return this.#answer.finish(emit, { reason: 'stop' })
      case 'conversation.chat.requires_action':
        return this.#answer.problem(emit, { status: WAITS, ...ownWords('upstream.workflow-waits') })
      case 'conversation.chat.failed':
        return this.#answer.problem(emit, readProblem(0, said.last_error))
      case 'error':
        return this.#answer.problem(emit, readProblem(0, said))
    }
  }

  end(emit: Emit): boolean {
    return this.#answer.end(emit)
  }

  #say(said: JsonObject, emit: Emit): void {
    if (said.type !== 'answer') return
    const id = asText(said.id) ?? ''
    if (id !== this.#message && this.#hasText) this.#answer.text(emit, '\n\n')
    this.#message = id
    this.#answer.thinking(emit, asText(said.reasoning_content))
    const content = asText(said.content)
    if (!content || said.content_type !== 'text') return
    this.#hasText = true
    this.#answer.text(emit, content)
  }
}

/** Bots whose models tell nothing say zero. */
function readUsage({ usage }: JsonObject): ReturnType<typeof usageOf> {
  const { input_count: input, output_count: output } = asObject(usage) ?? {}
  return input === 0 && output === 0 ? undefined : usageOf(input, output)
}
