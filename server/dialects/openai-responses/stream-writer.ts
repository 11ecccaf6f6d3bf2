import type { Asked, StreamWriter } from '../dialect.ts'
import type { JsonObject } from '../json.ts'
import type { Finish, Problem, StreamPart, TokenUsage } from '../spec.ts'
import { describeFinish, echoRequest, type Outcome, writeUsage } from './describe-response.ts'
import { type SpecialTools, specialTools } from './namespaces.ts'
import { FrameNumbers } from './number-frames.ts'
import { writeErrorEvent, writeResponseError } from './problems.ts'
import { StreamOutput } from './stream-output.ts'

type Status = Outcome['status'] | 'in_progress'

const BEGUN = { error: null, incomplete_details: null }

export function createWriter(asked: Asked): StreamWriter {
  return new ResponsesWriter(asked)
}

class ResponsesWriter implements StreamWriter {
  readonly #frames = new FrameNumbers()
  /** What repeats the request, as JSON fields: it is sent three times and may hold large tools. */
  readonly #echo: string
  readonly #special: SpecialTools
  #output: StreamOutput | undefined
  #created = 0
  #refused = false
  #finish: Finish = { reason: 'stop' }
  #usage: TokenUsage | undefined
  #failed = false

  constructor(asked: Asked) {
    this.#special = specialTools(asked.request)
    this.#echo = JSON.stringify(echoRequest(asked)).slice(1, -1)
  }

  write(part: StreamPart): string {
    switch (part.type) {
      case 'start':
        return this.#output ? '' : this.#start(part.id, part.created)
      case 'usage':
        this.#usage = part.usage
        return ''
      case 'finish':
        this.#finish = part.finish
        return ''
      case 'problem':
        return this.fail(part.problem)
      case 'refusal-delta':
        this.#refused ||= part.text !== ''
        break
    }
    const opening = this.#output ? '' : this.#start('', 0)
    return opening + (this.#output?.write(part) ?? '')
  }

  end(): string {
    const opening = this.#output ? '' : this.#start('', 0)
    const outcome = describeFinish(this.#finish, this.#refused)
    const closing = this.#output?.close(outcome.status === 'completed' ? 'completed' : 'incomplete') ?? ''
    return opening + closing + this.#writeState(`response.${outcome.status}`, outcome.status, outcome)
  }

  fail(problem: Problem): string {
    if (this.#failed) return ''
    this.#failed = true
    this.#output ??= new StreamOutput('', this.#frames, this.#special)
    const event = JSON.stringify(writeErrorEvent(problem, this.#frames.take()))
    const outcome = { error: writeResponseError(problem), incomplete_details: null }
    return `event: error\ndata: ${event}\n\n${this.#writeState('response.failed', 'failed', outcome)}`
  }

  #start(id: string, created: number): string {
    this.#output = new StreamOutput(id, this.#frames, this.#special)
    this.#created = created
    return (
      this.#writeState('response.created', 'in_progress', BEGUN) +
      this.#writeState('response.in_progress', 'in_progress', BEGUN)
    )
  }

  #writeState(
    event: string,
    status: Status,
    outcome: { readonly error: JsonObject | null; readonly incomplete_details: JsonObject | null },
  ): string {
    this.#created ||= Math.floor(Date.now() / 1000)
    const id = JSON.stringify(this.#output?.responseId ?? '')
    const error = JSON.stringify(outcome.error)
    const incomplete = JSON.stringify(outcome.incomplete_details)
    const items = this.#output?.list() ?? ''
    const usage = JSON.stringify(writeUsage(this.#usage))
    return this.#frames.write(
      event,
      `"response":{"id":${id},"object":"response","created_at":${this.#created},"status":"${status}",` +
        `"error":${error},"incomplete_details":${incomplete},${this.#echo},"output":[${items}],"usage":${usage}}`,
    )
  }
}
