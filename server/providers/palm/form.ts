import type { StreamReader } from '../../dialects/dialect.ts'
import { dialects } from '../../dialects/index.ts'
import { asArray, asObject, asText, type JsonObject, parseObject } from '../../dialects/json.ts'
import type { Finish, NeutralAnswer } from '../../dialects/spec.ts'
import type { VendorForm } from '../define.ts'
import { AnswerStream, type Emit } from '../kit/answers/answer-stream.ts'
import { readFailure } from '../kit/answers/read-failure.ts'
import { writeRequest } from './write-request.ts'

/** It tells no usage, so everything is counted here. */
export const palmForm: VendorForm = {
  writeRequest,
  readAnswer,
  readUsage: () => undefined,
  createReader: () => new PalmReader(),
  readProblem: dialects.gemini.readProblem,
}

function readAnswer(body: JsonObject): NeutralAnswer | undefined {
  const said = readCandidate(body)
  if (!said) return undefined
  return {
    id: '',
    model: '',
    created: Math.floor(Date.now() / 1000),
    parts: said.text === '' ? [] : [{ type: 'text', text: said.text }],
    finish: said.finish,
  }
}

/** What was filtered is left out of the candidates and named beside them. */
function readCandidate(body: JsonObject): { text: string; finish: Finish } | undefined {
  const text = asText(asObject(asArray(body.candidates)[0])?.content)
  if (text !== undefined) return { text, finish: { reason: 'stop' } }
  const filter = asObject(asArray(body.filters)[0])
  if (!filter) return undefined
  const explanation = asText(filter.message) || asText(filter.reason)
  return { text: '', finish: { reason: 'filtered', ...(explanation && { explanation }) } }
}

/** Of a stream that comes in one piece. */
export class PalmReader implements StreamReader {
  readonly #answer = new AnswerStream()

  read(_event: string, data: string, emit: Emit): void {
    const body = parseObject(data)
    if (!body) return
    const problem = readFailure(body)
    if (problem) return this.#answer.problem(emit, problem)
    const said = readCandidate(body)
    if (!said) return
    this.#answer.text(emit, said.text)
    this.#answer.finish(emit, said.finish)
  }

  end(emit: Emit): boolean {
    return this.#answer.end(emit)
  }
}
