import type { StreamReader } from '../../dialects/dialect.ts'
import { asObject, asText, type JsonObject, parseObject } from '../../dialects/json.ts'
import { ownWords, wordsOr } from '../../dialects/own-words.ts'
import type { Problem } from '../../dialects/spec.ts'
import { AnswerStream, type Emit } from '../kit/answers/answer-stream.ts'
import { readOutputs, readUsage } from './read-answer.ts'
import { readFailure, readProblem } from './read-problem.ts'
import { NodeTokens } from './sum-nodes.ts'

const FAILED = 502
const WAITS = 501

/** Chats end with their message, workflows with themselves. */
export class DifyReader implements StreamReader {
  readonly #answer = new AnswerStream()
  readonly #nodes = new NodeTokens()
  readonly #isWorkflow: boolean
  #isAgent = false
  #hasText = false
  #isReplaced = false

  constructor(isWorkflow: boolean) {
    this.#isWorkflow = isWorkflow
  }

  read(_event: string, text: string, emit: Emit): void {
    const said = parseObject(text)
    if (!said) return
    const data = asObject(said.data) ?? {}
    switch (said.event) {
      case 'agent_message':
        this.#isAgent = true
        return this.#say(said, asText(said.answer), emit)
      case 'message':
        // What an agent has said in pieces it repeats as a whole.
        return this.#isAgent ? undefined : this.#say(said, asText(said.answer), emit)
      case 'text_chunk':
        return this.#say(said, asText(data.text), emit)
      case 'reasoning_chunk':
        return this.#answer.thinking(emit, asText(data.reasoning))
      case 'message_replace':
        return this.#replace(said, emit)
      case 'node_finished':
        return this.#nodes.add(data)
      case 'message_end':
        this.#answer.usage(emit, readUsage(said))
        return this.#finish(emit)
      case 'workflow_finished':
        return this.#endWorkflow(said, data, emit)
      case 'workflow_paused':
        return this.#fail({ status: WAITS, ...ownWords('upstream.workflow-waits') }, emit)
      case 'error':
        return this.#answer.problem(emit, readFailure(said) ?? readProblem(FAILED, said))
    }
  }

  end(emit: Emit): boolean {
    return this.#answer.end(emit)
  }

  #say(said: JsonObject, text: string | undefined, emit: Emit): void {
    if (!text || this.#isReplaced) return
    this.#hasText = true
    this.#answer.start(emit, { id: asText(said.message_id) ?? asText(said.task_id) })
    this.#answer.text(emit, text)
  }

  /** What is out cannot be taken back, but nothing more is said, and that it was filtered. */
  #replace(said: JsonObject, emit: Emit): void {
    if (!this.#hasText) this.#say(said, asText(said.answer), emit)
    this.#isReplaced = true
  }

  #finish(emit: Emit): void {
    this.#answer.finish(emit, { reason: this.#isReplaced ? 'filtered' : 'stop' })
  }

  #endWorkflow(said: JsonObject, data: JsonObject, emit: Emit): void {
    const { status } = data
    if (status !== 'succeeded' && status !== 'partial-succeeded')
      return this.#fail({ status: FAILED, ...readEnd(data) }, emit)
    if (!this.#isWorkflow) return
    if (!this.#hasText) this.#say(said, readOutputs(data.outputs), emit)
    this.#answer.usage(emit, this.#nodes.of(data.total_tokens))
    this.#finish(emit)
  }

  #fail(problem: Problem, emit: Emit): void {
    if (!this.#answer.finished) this.#answer.problem(emit, problem)
  }
}

/** Of how a workflow ended no more is told than a word. */
function readEnd({ error, status }: JsonObject): Pick<Problem, 'message' | 'own'> {
  const word = /^\w{1,40}$/.exec(asText(status) ?? '')?.[0] ?? '?'
  return wordsOr(asText(error), 'upstream.workflow-ended', { status: word })
}
