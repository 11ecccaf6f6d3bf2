import type { Asked } from '../dialect.ts'
import type { JsonObject } from '../json.ts'
import type { CitationPart, Finish, Signature, StreamPart, TokenLogprob, TokenUsage } from '../spec.ts'
import { createAnswerId } from './answer-ids.ts'
import { breakCall, writeFinishWord } from './finish-reasons.ts'
import { hidesThoughts } from './hides-thoughts.ts'
import { writeLogprobsResult } from './logprobs.ts'
import {
  writeAnswerCall,
  writeGrounding,
  writeMediaOut,
  writeRedacted,
  writeThought,
} from './write-answer-parts.ts'
import { writeUsage } from './write-usage.ts'

interface OpenCall {
  readonly id: string
  readonly name: string
  readonly signature: Signature | undefined
  input: string
}

const HEAD = '{"candidates":[{"content":{"parts":['

/**
 * Makes the answers of a stream, as JSON text without a frame. Every one has a part, even the last: clients drop
 * the whole turn from their history for a chunk without.
 */
export class AnswerFrames {
  readonly #hidesThoughts: boolean
  readonly #model: string
  readonly #calls = new Map<number, OpenCall>()
  readonly #citations: CitationPart[] = []
  #marks: string
  #tail: string
  #hidText = false
  #logprobs = 0
  #tokens = 0
  #brokeCall = false
  #finish: Finish | undefined
  #usage: TokenUsage | undefined

  constructor(asked: Asked) {
    this.#hidesThoughts = hidesThoughts(asked.request)
    this.#model = JSON.stringify(asked.model)
    this.#marks = this.#mark(createAnswerId())
    this.#tail = this.#close()
  }

  /** '' when there is nothing to say yet. */
  write(part: StreamPart): string {
    switch (part.type) {
      case 'start':
        this.#marks = this.#mark(part.id)
        this.#tail = this.#close()
        return ''
      case 'text-delta':
        return part.logprobs ? this.#likely(part.text, part.logprobs) : this.#text(part.text, part.signature)
      case 'refusal-delta':
        return this.#text(part.text, undefined)
      case 'thinking-delta':
        return this.#thought(part.text)
      case 'thinking-signature':
        return this.#sign(part.signature)
      case 'thinking-redacted':
        return this.#frame(writeRedacted(part.data, part.by))
      case 'tool-start':
        this.#calls.set(part.index, { id: part.id, name: part.name, signature: part.signature, input: '' })
        return ''
      case 'tool-input-delta':
        this.#addInput(part.index, part.json)
        return ''
      case 'tool-end':
        return this.#frame(this.#closeCall(part.index))
      case 'media':
        return this.#frame(writeMediaOut(part.media))
      case 'citation':
        this.#citations.push(part.citation)
        return ''
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
    const parts: JsonObject[] = []
    for (const index of [...this.#calls.keys()]) {
      const part = this.#closeCall(index)
      if (part) parts.push(part)
    }
    if (parts.length === 0) parts.push({ text: '' })
    const told = this.#finish ?? { reason: 'stop' }
    const finish = this.#brokeCall ? breakCall(told) : told
    const grounding = writeGrounding(this.#citations)
    const candidate: JsonObject = { finishReason: writeFinishWord(finish), index: 0 }
    if (finish.explanation) candidate.finishMessage = finish.explanation
    if (grounding) candidate.groundingMetadata = grounding
    if (this.#tokens > 0) candidate.avgLogprobs = this.#logprobs / this.#tokens
    const usage = this.#usage ? `"usageMetadata":${JSON.stringify(writeUsage(this.#usage))},` : ''
    const list = JSON.stringify(parts).slice(1, -1)
    return `${HEAD}${list}],"role":"model"},${JSON.stringify(candidate).slice(1)}],${usage}${this.#marks}`
  }

  #text(text: string, signature: string | undefined): string {
    if (signature !== undefined) return this.#frame({ text, thoughtSignature: signature })
    return text === '' ? '' : `${HEAD}{"text":${JSON.stringify(text)}}${this.#tail}`
  }

  #likely(text: string, logprobs: readonly TokenLogprob[]): string {
    for (const { logprob } of logprobs) this.#logprobs += logprob
    this.#tokens += logprobs.length
    const result = JSON.stringify(writeLogprobsResult(logprobs))
    const content = `${HEAD}{"text":${JSON.stringify(text)}}],"role":"model"}`
    return `${content},"logprobsResult":${result},"index":0}],${this.#marks}`
  }

  #thought(text: string): string {
    if (text === '') return ''
    if (!this.#hidesThoughts) return `${HEAD}{"text":${JSON.stringify(text)},"thought":true}${this.#tail}`
    this.#hidText = true
    return ''
  }

  /** A signature is worth nothing without the text that it signs. */
  #sign(signature: Signature): string {
    const isWhole = !this.#hidText
    this.#hidText = false
    return isWhole ? this.#frame(writeThought('', signature)) : ''
  }

  #addInput(index: number, json: string): void {
    const call = this.#calls.get(index)
    if (call) call.input += json
  }

  #closeCall(index: number): JsonObject | undefined {
    const call = this.#calls.get(index)
    if (!call) return undefined
    this.#calls.delete(index)
    const part = writeAnswerCall(call)
    if (!part) this.#brokeCall = true
    return part
  }

  #frame(part: JsonObject | undefined): string {
    return part ? `${HEAD}${JSON.stringify(part)}${this.#tail}` : ''
  }

  #mark(id: string): string {
    return `"modelVersion":${this.#model},"responseId":${JSON.stringify(id)}}`
  }

  #close(): string {
    return `],"role":"model"},"index":0}],${this.#marks}`
  }
}
