import type { StreamReader } from '../../dialects/dialect.ts'
import { dialects } from '../../dialects/index.ts'
import { asArray, asObject, asText, type JsonObject, parseObject } from '../../dialects/json.ts'
import type { NeutralAnswer, TokenUsage } from '../../dialects/spec.ts'
import type { VendorForm } from '../define.ts'
import { AnswerStream, type Emit } from '../kit/answers/answer-stream.ts'
import { usageOf } from '../kit/answers/count.ts'
import { META } from './raw-events.ts'
import { readErrorEvent } from './read-failure.ts'
import { writeRequest } from './write-request.ts'

/** Zhipu's third API: texts only, and every answer ends by itself. */
export const chatglmForm: VendorForm = {
  writeRequest,
  readAnswer,
  readUsage: body => readUsage(asObject(body.data)),
  takeStops: () => [],
  createReader: () => new ChatglmReader(),
  readProblem: dialects['openai-chat'].readProblem,
}

function readAnswer(body: JsonObject): NeutralAnswer | undefined {
  const data = asObject(body.data)
  const choices = asArray(data?.choices).map(choice => asText(asObject(choice)?.content))
  if (choices.length === 0) return undefined
  const text = choices.map(content => unquote(content ?? '')).join('')
  return {
    id: asText(data?.task_id) ?? '',
    model: '',
    created: Math.floor(Date.now() / 1000),
    parts: text === '' ? [] : [{ type: 'text', text }],
    finish: { reason: 'stop' },
    usage: readUsage(data),
  }
}

/** Some answers stand in quotes, as JSON inside JSON. */
function unquote(content: string): string {
  if (content.length < 2 || !content.startsWith('"') || !content.endsWith('"')) return content
  try {
    return asText(JSON.parse(content)) ?? content
  } catch {
    return content
  }
}

function readUsage(holder: JsonObject | undefined): TokenUsage | undefined {
  const usage = asObject(holder?.usage)
  return usageOf(usage?.prompt_tokens, usage?.completion_tokens)
}

export class ChatglmReader implements StreamReader {
  readonly #answer = new AnswerStream()
  #broken = false

  read(event: string, data: string, emit: Emit): void {
    switch (event) {
      case 'add':
        return this.#answer.text(emit, data)
      case META:
        return this.#readMeta(data, emit)
      case 'finish':
        this.#answer.text(emit, data)
        if (!this.#broken) this.#answer.finish(emit, { reason: 'stop' })
        return
      case 'interrupted':
        return this.#answer.finish(emit, { reason: 'filtered', ...(data !== '' && { explanation: data }) })
      case 'error':
        return this.#answer.problem(emit, readErrorEvent(data))
    }
  }

  end(emit: Emit): boolean {
    return this.#answer.end(emit)
  }

  #readMeta(data: string, emit: Emit): void {
    const meta = parseObject(data)
    if (!meta) {
      this.#broken = true
      return
    }
    this.#answer.start(emit, { id: asText(meta.task_id) })
    this.#answer.usage(emit, readUsage(meta))
    if (meta.task_status === 'FAIL') this.#answer.problem(emit, readErrorEvent(''))
  }
}
