import type { StreamReader } from '../../dialects/dialect.ts'
import { noNumbers } from '../../dialects/frame-shape.ts'
import { dialects } from '../../dialects/index.ts'
import { asArray, asObject, asText, type Json, type JsonObject, parseObject } from '../../dialects/json.ts'
import type { CitationPart, NeutralAnswer } from '../../dialects/spec.ts'
import type { VendorForm } from '../define.ts'
import { AnswerStream, type Emit } from '../kit/answers/answer-stream.ts'
import { readFailure } from './read-failure.ts'
import { writeRequest } from './write-request.ts'

/** It tells no usage, so everything is counted here. */
export const libraryForm: VendorForm = {
  writeRequest,
  readAnswer,
  readUsage: () => undefined,
  takeStops: () => [],
  createReader: () => new LibraryReader(),
  readProblem: dialects['openai-chat'].readProblem,
}

function readAnswer(body: JsonObject): NeutralAnswer | undefined {
  const text = asText(body.answer)
  if (!text) return undefined
  return {
    id: '',
    model: '',
    created: Math.floor(Date.now() / 1000),
    parts: [{ type: 'text', text }, ...asArray(body.documents).flatMap(readDocument)],
    finish: { reason: 'stop' },
  }
}

function readDocument(value: Json): CitationPart[] {
  const document = asObject(value)
  const url = asText(document?.url)
  return url ? [{ type: 'citation', url, title: asText(document?.title) }] : []
}

export class LibraryReader implements StreamReader {
  readonly mayVary = noNumbers
  readonly #answer = new AnswerStream()
  #over = false

  read(_event: string, data: string, emit: Emit): void {
    const frame = this.#over ? undefined : parseObject(data)
    if (!frame) return
    const problem = readFailure(frame)
    if (problem) {
      this.#over = true
      return this.#answer.problem(emit, problem)
    }
    this.#answer.text(emit, asText(frame.content))
    for (const citation of asArray(frame.documents).flatMap(readDocument)) {
      this.#answer.start(emit)
      emit({ type: 'citation', citation })
    }
    if (frame.finish !== true) return
    this.#over = true
    this.#answer.finish(emit, { reason: 'stop' })
  }

  end(emit: Emit): boolean {
    return this.#answer.end(emit)
  }
}
