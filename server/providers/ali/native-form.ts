import type { StreamReader } from '../../dialects/dialect.ts'
import { numbersNamed } from '../../dialects/frame-shape.ts'
import { asArray, asObject, asText, type JsonObject, parseObject } from '../../dialects/json.ts'
import type { VendorForm } from '../define.ts'
import { AnswerStream, type Emit } from '../kit/answers/answer-stream.ts'
import { readErrorEvent, readProblem } from './read-failure.ts'
import { choiceOf, makeId, messageOf, readAnswer, readFinish, readTexts, readUsage } from './read-native.ts'
import { writeNative } from './write-native.ts'

const MAY_VARY = numbersNamed('output_tokens', 'total_tokens', 'reasoning_tokens')

export const nativeForm: VendorForm = {
  writeRequest: writeNative,
  readAnswer,
  readUsage,
  createReader: () => new NativeReader(),
  readProblem,
}

/** Each event has what is new, because that was asked for. */
export class NativeReader implements StreamReader {
  readonly mayVary = MAY_VARY
  readonly #answer = new AnswerStream()

  read(event: string, data: string, emit: Emit): void {
    const body = parseObject(data)
    if (event === 'error' || body?.code) return this.#answer.problem(emit, readErrorEvent(body))
    const choice = body && choiceOf(body)
    const message = messageOf(choice)
    if (!body || !message) return
    if (!this.#answer.started) this.#answer.start(emit, { id: asText(body.request_id) })
    this.#answer.thinking(emit, asText(message.reasoning_content))
    for (const text of readTexts(message.content)) this.#answer.text(emit, text)
    if (message.tool_calls)
      for (const call of asArray(message.tool_calls)) this.#readCall(asObject(call) ?? {}, emit)
    this.#answer.usage(emit, readUsage(body))
    const word = asText(choice?.finish_reason)
    // Until the end it is the word "null".
    if (word && word !== 'null') this.#answer.finish(emit, readFinish(word, this.#answer.calls > 0))
  }

  end(emit: Emit): boolean {
    return this.#answer.end(emit)
  }

  #readCall(call: JsonObject, emit: Emit): void {
    const called = asObject(call.function)
    const index = typeof call.index === 'number' ? call.index : 0
    const name = asText(called?.name)
    if (name) this.#answer.openCall(emit, index, { id: asText(call.id) || makeId(), name })
    this.#answer.callInput(emit, index, asText(called?.arguments))
  }
}
