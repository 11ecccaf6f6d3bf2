import type { StreamReader } from '../../dialects/dialect.ts'
import { numbersNamed } from '../../dialects/frame-shape.ts'
import { dialects } from '../../dialects/index.ts'
import { asArray, asNumber, asObject, asText, type JsonObject, parseObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'
import type { Destination, VendorForm } from '../define.ts'
import { AnswerStream, type Emit } from '../kit/answers/answer-stream.ts'
import { usageOf } from '../kit/answers/count.ts'
import { alternate, plainMessages } from '../kit/edits/plain-messages.ts'
import { modelOf } from './models.ts'
import { OUTPUT_FILTERED, readCode } from './read-failure.ts'
import { readKey } from './read-key.ts'

const MAY_VARY = numbersNamed('seq')
const LEAST_TEMPERATURE = 0.01
const MOST_TOP_K = 6
const LONGEST_USER = 32
const LAST = 2

/** The one message that is sent, and the messages that come back: texts only, and always in pieces. */
export const socketForm: VendorForm = {
  writeRequest,
  readAnswer: () => undefined,
  readUsage: () => undefined,
  takeStops: () => [],
  createReader: () => new SparkReader(),
  readProblem: dialects['openai-chat'].readProblem,
}

function writeRequest(request: NeutralRequest, to: Destination): JsonObject {
  if (request.format) refuseNamed('response_format')
  const key = readKey(to.key)
  const model = modelOf(to)
  const { temperature, topK, maxOutput, user } = request
  return {
    header: {
      app_id: key.kind === 'triple' ? key.appId : '',
      ...(user !== undefined && user.length <= LONGEST_USER && { uid: user }),
    },
    parameter: {
      chat: {
        domain: model?.domain,
        ...(temperature !== undefined && { temperature: clamp(temperature, LEAST_TEMPERATURE, 1) }),
        ...(topK !== undefined && { top_k: clamp(topK, 1, MOST_TOP_K) }),
        ...(maxOutput !== undefined && { max_tokens: clamp(maxOutput, 1, model?.most ?? maxOutput) }),
      },
    },
    payload: { message: { text: writeTexts(request, model?.system ?? false) } },
  }
}

function writeTexts(request: NeutralRequest, system: boolean): JsonObject[] {
  const messages = plainMessages(request)
  const [first, ...rest] = messages
  const turns = system && first?.role === 'system' ? [first, ...alternate(rest)] : alternate(messages)
  return turns.map(({ role, content }) => ({ role, content }))
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

export class SparkReader implements StreamReader {
  readonly mayVary = MAY_VARY
  readonly #answer = new AnswerStream()

  read(_event: string, data: string, emit: Emit): void {
    const frame = parseObject(data)
    const header = asObject(frame?.header)
    if (!frame || !header) return
    const code = asNumber(header.code) ?? 0
    if (code !== 0) return this.#fail(code, asText(header.message), emit)
    const choices = asObject(asObject(frame.payload)?.choices)
    this.#answer.start(emit, { id: asText(header.sid) })
    for (const text of asArray(choices?.text)) {
      const piece = asObject(text)
      this.#answer.thinking(emit, asText(piece?.reasoning_content))
      this.#answer.text(emit, asText(piece?.content))
    }
    if (header.status !== LAST && choices?.status !== LAST) return
    const usage = asObject(asObject(asObject(frame.payload)?.usage)?.text)
    this.#answer.usage(emit, usageOf(usage?.prompt_tokens, usage?.completion_tokens))
    this.#answer.finish(emit, { reason: 'stop' })
  }

  end(emit: Emit): boolean {
    return this.#answer.end(emit)
  }

  #fail(code: number, message: string | undefined, emit: Emit): void {
    if (code !== OUTPUT_FILTERED) return this.#answer.problem(emit, readCode(code, message))
    this.#answer.finish(emit, { reason: 'filtered', ...(message && { explanation: message }) })
  }
}
