import type { StreamReader } from '../../dialects/dialect.ts'
import { numbersNamed } from '../../dialects/frame-shape.ts'
import { dialects } from '../../dialects/index.ts'
import { asNumber, asObject, asText, type JsonObject, parseObject } from '../../dialects/json.ts'
import type { Finish, NeutralAnswer, TokenUsage } from '../../dialects/spec.ts'
import type { VendorForm } from '../define.ts'
import { AnswerStream, type Emit } from '../kit/answers/answer-stream.ts'
import { usageOf } from '../kit/answers/count.ts'
import { readFailure } from './read-failure.ts'
import { writeRequest } from './write-request.ts'

const MAY_VARY = numbersNamed('created', 'sentence_id', 'completion_tokens', 'total_tokens')

/** Baidu's first API: texts only, streamed as pieces of `result`. */
export const baiduForm: VendorForm = {
  writeRequest,
  readAnswer,
  readUsage,
  createReader: () => new BaiduReader(),
  readProblem: dialects['openai-chat'].readProblem,
}

function readAnswer(body: JsonObject): NeutralAnswer | undefined {
  const text = asText(body.result)
  if (text === undefined) return undefined
  return {
    id: asText(body.id) ?? '',
    model: '',
    created: asNumber(body.created) ?? Math.floor(Date.now() / 1000),
    parts: text === '' ? [] : [{ type: 'text', text }],
    finish: readFinish(body),
    usage: readUsage(body),
  }
}

function readUsage(body: JsonObject): TokenUsage | undefined {
  const usage = asObject(body.usage)
  return usageOf(usage?.prompt_tokens, usage?.completion_tokens)
}

function readFinish({ is_truncated, finish_reason }: JsonObject): Finish {
  if (finish_reason === 'content_filter') return { reason: 'filtered' }
  return { reason: is_truncated === true || finish_reason === 'length' ? 'length' : 'stop' }
}

/** The usage of each piece is that of all so far. */
export class BaiduReader implements StreamReader {
  readonly mayVary = MAY_VARY
  readonly #answer = new AnswerStream()

  read(_event: string, data: string, emit: Emit): void {
    const piece = parseObject(data)
    if (!piece) return
    const problem = readFailure(piece)
    if (problem) return this.#answer.problem(emit, problem)
    this.#answer.start(emit, { id: asText(piece.id) })
    this.#answer.text(emit, asText(piece.result))
    if (piece.is_end !== true) return
    this.#answer.usage(emit, readUsage(piece))
    this.#answer.finish(emit, readFinish(piece))
  }

  end(emit: Emit): boolean {
    return this.#answer.end(emit)
  }
}
