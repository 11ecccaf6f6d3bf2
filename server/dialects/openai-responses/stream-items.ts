import { asArray, asNumber, asObject, asText, type Json, type JsonObject } from '../json.ts'
import { readLogprobs } from '../logprobs.ts'
import type { Signature, StreamPart } from '../spec.ts'
import { nameIn } from './namespaces.ts'
import { readCitation, readMadeImage, readReasoningText, readSealed, SUMMARY_GAP } from './read-item.ts'

type Emit = (part: StreamPart) => void

/** What of an item was handed on already, so that its closing events, which repeat it, add only the rest. */
interface ItemState {
  done: boolean
  /** The last content part that deltas came for. */
  saidPart: number
  citations: number
  thought: boolean
  /** Our index of a call, once it was started. */
  call: number | undefined
  callOpen: boolean
  gaveInput: boolean
}

/** The output items of a response as they stream in. */
export class StreamItems {
  called = false
  refused = false
  /** What is shown of thoughts is a summary, or nothing. */
  thought = false
  readonly #states = new Map<number, ItemState>()
  #calls = 0
  /** Where the last thought came from; a thought from elsewhere starts a new paragraph. */
  #thoughtAt: { item: ItemState; raw: boolean; part: number } | undefined
  #callSignature: Signature | undefined

  get isEmpty(): boolean {
    return this.#states.size === 0
  }

  read(type: string, body: JsonObject, emit: Emit): void {
    const at = asNumber(body.output_index)
    if (at === undefined && body.item_id === undefined && body.item === undefined) return
    const state = this.#stateOf(at ?? 0)
    switch (type) {
      case 'response.output_text.delta':
        return this.#say(state, body, asText(body.delta), false, emit)
      case 'response.output_text.done':
        return this.#sayRest(state, body, asText(body.text), false, emit)
      case 'response.refusal.delta':
        return this.#say(state, body, asText(body.delta), true, emit)
      case 'response.refusal.done':
        return this.#sayRest(state, body, asText(body.refusal), true, emit)
      case 'response.output_text.annotation.added':
        return this.#cite(state, body.annotation, emit)
      case 'response.reasoning_summary_text.delta':
        return this.#think(state, false, asNumber(body.summary_index) ?? 0, asText(body.delta), emit)
      case 'response.reasoning_text.delta':
        return this.#think(state, true, asNumber(body.content_index) ?? 0, asText(body.delta), emit)
      case 'response.function_call_arguments.delta':
        return this.#addInput(state, asText(body.delta), emit)
      case 'response.function_call_arguments.done':
        if (!state.gaveInput) this.#addInput(state, asText(body.arguments), emit)
        return
      case 'response.output_item.added': {
        const item = asObject(body.item)
        if (item?.type === 'function_call') this.#startCall(state, item, emit)
        else if (item?.type === 'reasoning') this.thought = true
        return
      }
      case 'response.output_item.done':
        return this.#finishItem(state, asObject(body.item), emit)
    }
  }

  /** An item that came without any event of its own. */
  readWhole(at: number, item: Json, emit: Emit): void {
    this.#finishItem(this.#stateOf(at), asObject(item), emit)
  }

  /** Ends calls that were left open. */
  close(emit: Emit): void {
    for (const state of this.#states.values()) this.#endCall(state, emit)
  }

  #stateOf(at: number): ItemState {
    const known = this.#states.get(at)
    if (known) return known
    const state: ItemState = {
      done: false,
      saidPart: -1,
      citations: 0,
      thought: false,
      call: undefined,
      callOpen: false,
      gaveInput: false,
    }
    this.#states.set(at, state)
    return state
  }

  #finishItem(state: ItemState, item: JsonObject | undefined, emit: Emit): void {
    if (state.done || !item) return
    state.done = true
    if (item.type === 'message') this.#finishMessage(state, item, emit)
    else if (item.type === 'reasoning') this.#finishThought(state, item, emit)
    else if (item.type === 'function_call') {
      this.#startCall(state, item, emit)
      if (!state.gaveInput) this.#addInput(state, asText(item.arguments), emit)
      this.#endCall(state, emit)
    } else if (item.type === 'image_generation_call') {
      const media = readMadeImage(item)
      if (media) emit({ type: 'media', media })
    }
  }

  #finishMessage(state: ItemState, item: JsonObject, emit: Emit): void {
    const told = state.citations
    let seen = 0
    asArray(item.content).forEach((value, at) => {
      const part = asObject(value)
      const route = { content_index: at }
      if (part?.type === 'output_text') this.#sayRest(state, route, asText(part.text), false, emit)
      if (part?.type === 'refusal') this.#sayRest(state, route, asText(part.refusal), true, emit)
      for (const annotation of asArray(part?.annotations))
        if (readCitation(annotation) && ++seen > told) this.#cite(state, annotation, emit)
    })
  }

  #finishThought(state: ItemState, item: JsonObject, emit: Emit): void {
    if (!state.thought) this.#think(state, false, 0, readReasoningText(item), emit)
    const sealed = readSealed(item)
    if (!sealed) return
    if (sealed.kind === 'call') this.#callSignature = sealed.signature
    else if (sealed.kind === 'redacted') emit({ type: 'thinking-redacted', data: sealed.data, by: sealed.by })
    else emit({ type: 'thinking-signature', signature: sealed.signature })
    this.#thoughtAt = undefined
  }

  #say(state: ItemState, route: JsonObject, text: string | undefined, refusal: boolean, emit: Emit): void {
    if (!text) return
    state.saidPart = Math.max(state.saidPart, asNumber(route.content_index) ?? 0)
    if (!refusal) return emit({ type: 'text-delta', text, logprobs: readLogprobs(route.logprobs) })
    this.refused = true
    emit({ type: 'refusal-delta', text })
  }

  #sayRest(
    state: ItemState,
    route: JsonObject,
    text: string | undefined,
    refusal: boolean,
    emit: Emit,
  ): void {
    if ((asNumber(route.content_index) ?? 0) > state.saidPart) this.#say(state, route, text, refusal, emit)
  }

  #cite(state: ItemState, annotation: unknown, emit: Emit): void {
    const citation = readCitation(annotation)
    if (!citation) return
    state.citations++
    emit({ type: 'citation', citation })
  }

  #think(item: ItemState, raw: boolean, part: number, text: string | undefined, emit: Emit): void {
    if (!text) return
    item.thought = true
    const last = this.#thoughtAt
    if (last?.item !== item || last.raw !== raw || last.part !== part) {
      if (last) emit({ type: 'thinking-delta', text: SUMMARY_GAP })
      this.#thoughtAt = { item, raw, part }
    }
    emit({ type: 'thinking-delta', text })
  }

  #startCall(state: ItemState, item: JsonObject, emit: Emit): void {
    if (state.call !== undefined) return
    this.called = true
    state.call = this.#calls++
    state.callOpen = true
    const id = asText(item.call_id) ?? asText(item.id) ?? ''
    const signature = this.#callSignature
    this.#callSignature = undefined
    emit({ type: 'tool-start', index: state.call, id, name: nameIn(item), signature })
  }

  #addInput(state: ItemState, json: string | undefined, emit: Emit): void {
    if (!json || state.call === undefined || !state.callOpen) return
    state.gaveInput = true
    emit({ type: 'tool-input-delta', index: state.call, json })
  }

  #endCall(state: ItemState, emit: Emit): void {
    if (state.call === undefined || !state.callOpen) return
    state.callOpen = false
    emit({ type: 'tool-end', index: state.call })
  }
}
