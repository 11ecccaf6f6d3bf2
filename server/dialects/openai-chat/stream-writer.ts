import type { Asked, StreamWriter } from '../dialect.ts'
import { freeformNames, unwrapText } from '../freeform-tools.ts'
import type { Json } from '../json.ts'
import { writeLogprobs } from '../logprobs.ts'
import type { Finish, Problem, Signature, StreamPart, TokenUsage } from '../spec.ts'
import { writeGoogleSignature } from './google-signature.ts'
import { makeChatId, prefixChatId } from './make-ids.ts'
import { writeFinishReason } from './map-finish-reason.ts'
import { writeSealedDetail, writeTextDetail } from './reasoning-details.ts'
import { writeCitation, writeMedia } from './write-answer.ts'
import { writeStreamProblem } from './write-problem.ts'
import { writeUsage } from './write-usage.ts'

const quote = (value: Json): string => JSON.stringify(value)

export class ChatStreamWriter implements StreamWriter {
  readonly #model: string
  readonly #wantsUsage: boolean
  readonly #oldCalls: boolean
  /** What every chunk has before its choices, the same all through. */
  #head = ''
  /** What stands before the delta of a chunk, and after it while the answer goes on. */
  #before = ''
  readonly #after: string
  #usage: TokenUsage | undefined
  #finish: Finish | undefined
  #thoughts = ''
  #details = 0
  #textLength = 0
  #refused = false
  /** The place of each call among the calls, and whether it was given any input. */
  readonly #calls = new Map<number, { readonly place: number; hasInput: boolean; text?: string }>()
  readonly #freeform: ReadonlySet<string>

  constructor(asked: Asked) {
    this.#model = asked.model
    this.#wantsUsage = asked.request.wantsUsage === true
    this.#freeform = freeformNames(asked.request)
    this.#oldCalls = asked.request.oldCalls === true
    this.#after = this.#close('null')
  }

  write(part: StreamPart): string {
    switch (part.type) {
      case 'start':
        return this.#start(part.id, part.created)
      case 'text-delta':
        return this.#text(part)
      case 'refusal-delta':
        if (part.text === '') return ''
        this.#refused = true
        return this.#delta(`{"refusal":${quote(part.text)}}`)
      case 'thinking-delta':
        if (part.text === '') return ''
        this.#thoughts += part.text
        return this.#delta(`{"reasoning_content":${quote(part.text)}}`)
      case 'thinking-signature':
        return this.#signThoughts(part.signature)
      case 'thinking-redacted':
        return this.#delta(
          `{"reasoning_details":[${quote(writeSealedDetail(part.data, part.by, this.#details++))}]}`,
        )
      case 'tool-start':
        return this.#startCall(part.index, part.id, part.name, part.signature)
      case 'tool-input-delta':
        return this.#addInput(part.index, part.json)
      case 'tool-end':
        return this.#endCall(part.index)
      case 'citation':
        return this.#delta(`{"annotations":[${quote(writeCitation(part.citation, 0, this.#textLength))}]}`)
      case 'media':
        return this.#delta(quote(writeMedia([part.media])))
      case 'usage':
        this.#usage = part.usage
        return ''
      case 'finish':
        this.#finish = part.finish
        return ''
      case 'unsaid':
      case 'problem':
      case 'choice':
        return ''
    }
  }

  end(): string {
    const start = this.#head === '' ? this.#start(makeChatId(), Math.floor(Date.now() / 1000)) : ''
    const explanation = this.#refused ? undefined : this.#finish?.explanation
    const why = explanation ? this.#delta(`{"refusal":${quote(explanation)}}`) : ''
    const reason = this.#finish?.reason ?? (this.#calls.size > 0 ? 'tools' : 'stop')
    const finish = this.#close(quote(writeFinishReason(reason, this.#refused, this.#oldCalls)))
    return `${start}${why}${this.#before}{}${finish}${this.#usageChunk()}data: [DONE]\n\n`
  }

  fail(problem: Problem): string {
    return writeStreamProblem(problem)
  }

  #start(id: string, created: number): string {
    if (this.#head !== '') return ''
    const known = `"id":${quote(prefixChatId(id))},"object":"chat.completion.chunk","created":${created}`
    this.#head = `data: {${known},"model":${quote(this.#model)}`
    this.#before = `${this.#head},"choices":[{"index":0,"delta":`
    return this.#delta('{"role":"assistant","content":""}')
  }

  #text({ text, signature, logprobs }: Extract<StreamPart, { type: 'text-delta' }>): string {
    this.#textLength += text.length
    const likely = logprobs ? `,"logprobs":{"content":${quote(writeLogprobs(logprobs))},"refusal":null}` : ''
    if (signature === undefined)
      return text === '' && likely === '' ? '' : this.#delta(`{"content":${quote(text)}}${likely}`)
    const carrier = quote(writeGoogleSignature(signature))
    return this.#delta(`{"content":${quote(text)},"extra_content":${carrier}}${likely}`)
  }

  /** With the text it signs, so that a client which keeps only the details can send both back. */
  #signThoughts(signature: Signature): string {
    const detail = writeTextDetail(this.#thoughts, signature, this.#details++)
    this.#thoughts = ''
    return this.#delta(`{"reasoning_details":[${quote(detail)}]}`)
  }

  #startCall(index: number, id: string, name: string, signature: Signature | undefined): string {
    const place = this.#calls.size
    const isFreeform = this.#freeform.has(name)
    this.#calls.set(index, { place, hasInput: false, ...(isFreeform && { text: '' }) })
    const named = `{"name":${quote(name)},"${isFreeform ? 'input' : 'arguments'}":""}`
    // There is room for one.
    if (this.#oldCalls) return place === 0 ? this.#delta(`{"function_call":${named}}`) : ''
    const kind = isFreeform ? 'custom' : 'function'
    const carrier =
      signature?.by === 'gemini' ? `,"extra_content":${quote(writeGoogleSignature(signature.value))}` : ''
    return this.#delta(
      `{"tool_calls":[{"index":${place},"id":${quote(id)},"type":"${kind}","${kind}":${named}${carrier}}]}`,
    )
  }

  #addInput(index: number, json: string): string {
    const call = this.#calls.get(index)
    if (call === undefined || json === '') return ''
    call.hasInput = true
    if (call.text !== undefined) {
      call.text += json
      return ''
    }
    const added = `{"arguments":${quote(json)}}`
    if (this.#oldCalls) return call.place === 0 ? this.#delta(`{"function_call":${added}}`) : ''
    return this.#delta(`{"tool_calls":[{"index":${call.place},"function":${added}}]}`)
  }

  /** Clients parse the arguments: those of a call without any are an empty object. A text is known at its end. */
  #endCall(index: number): string {
    const call = this.#calls.get(index)
    if (call?.text === undefined) return call?.hasInput === false ? this.#addInput(index, '{}') : ''
    const input = quote(unwrapText(call.text))
    return this.#delta(`{"tool_calls":[{"index":${call.place},"custom":{"input":${input}}}]}`)
  }

  #delta(delta: string): string {
    return `${this.#before}${delta}${this.#after}`
  }

  #close(finish: string): string {
    return `,"finish_reason":${finish}}]${this.#wantsUsage ? ',"usage":null' : ''}}\n\n`
  }

  #usageChunk(): string {
    if (!this.#wantsUsage || this.#usage === undefined) return ''
    return `${this.#head},"choices":[],"usage":${quote(writeUsage(this.#usage))}}\n\n`
  }
}
