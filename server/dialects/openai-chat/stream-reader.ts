import type { StreamReader } from '../dialect.ts'
import { numbersNamed } from '../frame-shape.ts'
import { asArray, asNumber, asObject, asText, isObject, type JsonObject, parseObject } from '../json.ts'
import { readLogprobs } from '../logprobs.ts'
import type { StreamPart } from '../spec.ts'
import { readGoogleSignature } from './google-signature.ts'
import { makeChatId } from './make-ids.ts'
import { readFinishReason } from './map-finish-reason.ts'
import { pickChoice, readCitation, readImageOut } from './read-answer.ts'
import { readThinkingTexts } from './read-content.ts'
import { makeFinishProblem, readChunkProblem } from './read-problem.ts'
import { readUsage } from './read-usage.ts'
import { readDetail } from './reasoning-details.ts'
import { StreamToolCalls } from './stream-tool-calls.ts'

const MAY_VARY = numbersNamed('created', 'completion_tokens', 'total_tokens', 'reasoning_tokens')

type Emit = (part: StreamPart) => void

export class ChatStreamReader implements StreamReader {
  readonly mayVary = MAY_VARY
  readonly #calls = new StreamToolCalls()
  #state: 'new' | 'open' | 'finished' | 'over' = 'new'
  #complete = false
  #refused = false
  /** Whether thoughts come as plain text: then the texts among the details only repeat them. */
  #plainThoughts = false

  read(event: string, data: string, emit: Emit): void {
    if (this.#state === 'over') return
    if (data.startsWith('[DONE]')) return this.#done(emit)
    const chunk = parseObject(data)
    if (chunk === undefined) return
    const problem = readChunkProblem(event, chunk)
    if (problem !== undefined) return this.#fail({ type: 'problem', problem }, emit)
    const choice = pickChoice(chunk.choices)
    const usage = readUsage(chunk.usage) ?? readUsage(choice?.usage)
    // Azure begins with a chunk that holds neither, nor an id.
    if (choice === undefined && usage === undefined) return
    this.#start(chunk, emit)
    if (choice !== undefined && this.#state === 'open') this.#readChoice(choice, emit)
    if (usage !== undefined && !this.#isOver()) emit({ type: 'usage', usage })
  }

  end(emit: Emit): boolean {
    if (this.#state === 'open') this.#calls.closeAll(emit)
    this.#state = 'over'
    return this.#complete
  }

  #isOver(): boolean {
    return this.#state === 'over'
  }

  #start(chunk: JsonObject, emit: Emit): void {
    if (this.#state !== 'new') return
    this.#state = 'open'
    emit({
      type: 'start',
      id: asText(chunk.id) || makeChatId(),
      model: asText(chunk.model) ?? '',
      created: asNumber(chunk.created) || Math.floor(Date.now() / 1000),
    })
  }

  /** An end mark after an answer whose finish was never named: the vendor says that this was all. */
  #done(emit: Emit): void {
    if (this.#state === 'open') this.#finish('stop', emit)
    this.#state = 'over'
  }

  #fail(problem: StreamPart, emit: Emit): void {
    this.#state = 'over'
    this.#complete = false
    emit(problem)
  }

  #readChoice(choice: JsonObject, emit: Emit): void {
    const delta = asObject(choice.delta)
    if (delta !== undefined) this.#readDelta(delta, choice, emit)
    const word = asText(choice.finish_reason)
    if (word) this.#finish(word, emit)
  }

  #finish(word: string, emit: Emit): void {
    const reason = readFinishReason(word, { tools: this.#calls.any, refusal: this.#refused })
    if (reason === 'failed') return this.#fail({ type: 'problem', problem: makeFinishProblem(word) }, emit)
    this.#calls.closeAll(emit)
    this.#state = 'finished'
    this.#complete = true
    emit({ type: 'finish', finish: { reason } })
  }

  #readDelta(delta: JsonObject, choice: JsonObject, emit: Emit): void {
    this.#readThoughts(delta, emit)
    const { content } = delta
    const logprobs = choice.logprobs ? readLogprobs(asObject(choice.logprobs)?.content) : undefined
    if (logprobs) emit({ type: 'text-delta', text: asText(content) ?? '', logprobs })
    else if (typeof content === 'string') readText(content, delta, emit)
    else if (Array.isArray(content)) for (const part of content) readContentPart(asObject(part), emit)
    const refusal = asText(delta.refusal)
    if (refusal) {
      this.#refused = true
      emit({ type: 'refusal-delta', text: refusal })
    }
    if (isObject(delta.audio)) emitText(asText(delta.audio.transcript), emit)
    if (delta.annotations) readAnnotations(delta, emit)
    if (delta.images) readImages(delta, emit)
    if (delta.tool_calls) for (const call of asArray(delta.tool_calls)) this.#calls.read(call, emit)
    if (isObject(delta.function_call)) this.#calls.read({ index: 0, function: delta.function_call }, emit)
  }

  #readThoughts(delta: JsonObject, emit: Emit): void {
    const text = asText(delta.reasoning_content) || asText(delta.reasoning)
    if (text) {
      this.#plainThoughts = true
      emit({ type: 'thinking-delta', text })
    }
    if (!delta.reasoning_details) return
    for (const entry of asArray(delta.reasoning_details)) {
      const detail = readDetail(entry)
      if (detail?.type === 'text') {
        if (detail.text !== '' && !this.#plainThoughts) emit({ type: 'thinking-delta', text: detail.text })
        if (detail.signature !== undefined)
          emit({ type: 'thinking-signature', signature: { by: detail.by, value: detail.signature } })
      } else if (detail !== undefined) emit({ type: 'thinking-redacted', data: detail.data, by: detail.by })
    }
  }
}

function readText(text: string, delta: JsonObject, emit: Emit): void {
  const signature = delta.extra_content ? readGoogleSignature(delta) : undefined
  if (signature !== undefined) emit({ type: 'text-delta', text, signature })
  else emitText(text, emit)
}

function emitText(text: string | undefined, emit: Emit): void {
  if (text) emit({ type: 'text-delta', text })
}

function readContentPart(part: JsonObject | undefined, emit: Emit): void {
  if (part?.type === 'text') emitText(asText(part.text), emit)
  if (part?.type !== 'thinking') return
  for (const text of readThinkingTexts(part)) if (text !== '') emit({ type: 'thinking-delta', text })
}

function readAnnotations(delta: JsonObject, emit: Emit): void {
  for (const annotation of asArray(delta.annotations)) {
    const citation = readCitation(annotation)
    if (citation !== undefined) emit({ type: 'citation', citation })
  }
}

function readImages(delta: JsonObject, emit: Emit): void {
  for (const image of asArray(delta.images)) {
    const media = readImageOut(image)
    if (media !== undefined) emit({ type: 'media', media })
  }
}
