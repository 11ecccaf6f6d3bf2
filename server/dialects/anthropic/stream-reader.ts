import type { StreamReader } from '../dialect.ts'
import { noNumbers } from '../frame-shape.ts'
import { asObject, asText, type Json, type JsonObject, parseExactly } from '../json.ts'
import type { CitationPart, StreamPart } from '../spec.ts'
import type { ToolUse } from '../usage.ts'
import { decodeCallId, decodeSignature, readSealed } from './foreign-signature.ts'
import { readFinish } from './map-stop-reason.ts'
import { readStreamProblem } from './problems.ts'
import { readCitation } from './read-answer.ts'
import { isSearch, UsageGatherer } from './read-usage.ts'

type Emit = (part: StreamPart) => void

interface OpenCall {
  readonly index: number
  /** Some vendors give the whole input with the start of the block. */
  readonly whole: string
  begun: boolean
}

export class AnthropicReader implements StreamReader {
  readonly mayVary = noNumbers
  readonly #usage = new UsageGatherer()
  /** Calls under way, by the index of their block. Other blocks need no memory. */
  readonly #calls = new Map<Json | undefined, OpenCall>()
  #calledSoFar = 0
  /** Sources of the block under way. They may come before its text, and are of the text before them elsewhere. */
  #cited: CitationPart[] = []
  #searches = 0
  #started = false
  #finished = false
  #over = false
  /** Claude shows a summary of what it thinks, or nothing. */
  hidesThoughts = false

  read(event: string, data: string, emit: Emit): void {
    if (this.#over || event === 'ping') return
    const frame = parseExactly(data)
    if (frame === undefined) return
    // Gateways in between may tell of an error in another vendor's form.
    switch (frame.type ?? (frame.error ? 'error' : event)) {
      case 'content_block_delta':
        return this.#readDelta(frame, emit)
      case 'content_block_start':
        return this.#openBlock(frame, emit)
      case 'content_block_stop':
        this.#cite(emit)
        return this.#closeCall(frame.index, emit)
      case 'message_start':
        return this.#start(asObject(frame.message) ?? {}, emit)
      case 'message_delta':
        return this.#readEnd(frame, emit)
      case 'message_stop':
        this.#finish({}, emit)
        this.#over = true
        return
      case 'error':
        this.#over = true
        this.#finished = false
        return emit({ type: 'problem', problem: readStreamProblem(frame) })
    }
  }

  get toolUse(): ToolUse | undefined {
    return this.#searches > 0 ? { searches: this.#searches } : undefined
  }

  end(emit: Emit): boolean {
    if (!this.#over) this.#closeBlocks(emit)
    this.#over = true
    return this.#finished
  }

  #start(message: JsonObject, emit: Emit): void {
    if (this.#started) return
    this.#started = true
    emit({
      type: 'start',
      id: asText(message.id) ?? '',
      model: asText(message.model) ?? '',
      created: Math.floor(Date.now() / 1000),
    })
    this.#takeUsage(message.usage, message.container, emit)
  }

  #takeUsage(value: Json | undefined, container: Json | undefined, emit: Emit): void {
    const usage = this.#usage.take(value, container)
    if (usage !== undefined) emit({ type: 'usage', usage })
  }

  #openBlock(frame: JsonObject, emit: Emit): void {
    if (!this.#started) this.#start({}, emit)
    this.#cite(emit)
    const block = asObject(frame.content_block)
    if (block === undefined) return
    switch (block.type) {
      case 'text':
        return emitText('text-delta', block.text, emit)
      case 'thinking':
        this.hidesThoughts = true
        emitText('thinking-delta', block.thinking, emit)
        return emitSignature(block.signature, emit)
      case 'redacted_thinking': {
        this.hidesThoughts = true
        const sealed = readSealed(asText(block.data) ?? '')
        const by = sealed.signature?.by ?? 'anthropic'
        return emit({ type: 'thinking-redacted', data: sealed.redacted ?? '', by })
      }
      case 'tool_use':
        return this.#openCall(frame.index, block, emit)
      default:
        if (isSearch(block)) this.#searches++
    }
  }

  #openCall(at: Json | undefined, block: JsonObject, emit: Emit): void {
    this.#closeCall(at, emit)
    const input = JSON.stringify(asObject(block.input) ?? {})
    const index = this.#calledSoFar++
    this.#calls.set(at, { index, whole: input === '{}' ? '' : input, begun: false })
    emit({
      type: 'tool-start',
      index,
      ...decodeCallId(asText(block.id) ?? ''),
      name: asText(block.name) ?? '',
    })
  }

  #readDelta(frame: JsonObject, emit: Emit): void {
    if (!this.#started) this.#start({}, emit)
    const delta = asObject(frame.delta)
    if (delta === undefined) return
    switch (delta.type) {
      case 'text_delta':
        return emitText('text-delta', delta.text, emit)
      case 'thinking_delta':
        return emitText('thinking-delta', delta.thinking, emit)
      case 'input_json_delta':
        return this.#readInput(frame.index, delta.partial_json, emit)
      case 'signature_delta':
        return emitSignature(delta.signature, emit)
      case 'citations_delta': {
        const citation = readCitation(delta.citation)
        if (citation !== undefined) this.#cited.push(citation)
      }
    }
  }

  #cite(emit: Emit): void {
    if (this.#cited.length === 0) return
    for (const citation of this.#cited) emit({ type: 'citation', citation })
    this.#cited = []
  }

  /** Input of the vendor's own tools comes in the same deltas and belongs to no call. */
  #readInput(at: Json | undefined, json: Json | undefined, emit: Emit): void {
    const call = this.#calls.get(at)
    if (call === undefined || typeof json !== 'string' || json === '') return
    call.begun = true
    emit({ type: 'tool-input-delta', index: call.index, json })
  }

  #closeCall(at: Json | undefined, emit: Emit): void {
    const call = this.#calls.get(at)
    if (call === undefined) return
    this.#calls.delete(at)
    if (!call.begun && call.whole !== '')
      emit({ type: 'tool-input-delta', index: call.index, json: call.whole })
    emit({ type: 'tool-end', index: call.index })
  }

  #closeBlocks(emit: Emit): void {
    this.#cite(emit)
    for (const at of [...this.#calls.keys()]) this.#closeCall(at, emit)
  }

  #readEnd(frame: JsonObject, emit: Emit): void {
    if (!this.#started) this.#start({}, emit)
    this.#takeUsage(frame.usage, asObject(frame.delta)?.container, emit)
    const delta = asObject(frame.delta)
    if (typeof delta?.stop_reason === 'string') this.#finish(delta, emit)
  }

  #finish(delta: JsonObject, emit: Emit): void {
    if (this.#finished) return
    if (!this.#started) this.#start({}, emit)
    this.#closeBlocks(emit)
    this.#finished = true
    emit({ type: 'finish', finish: readFinish(delta) })
  }
}

function emitText(type: 'text-delta' | 'thinking-delta', text: Json | undefined, emit: Emit): void {
  if (typeof text === 'string' && text !== '') emit({ type, text })
}

function emitSignature(value: Json | undefined, emit: Emit): void {
  const signature = decodeSignature(asText(value))
  if (signature !== undefined) emit({ type: 'thinking-signature', signature })
}
