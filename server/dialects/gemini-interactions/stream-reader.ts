import type { StreamReader } from '../dialect.ts'
import { readCreated } from '../gemini/read-answer.ts'
import { asArray, asNumber, asObject, asText, type Json, type JsonObject, parseObject } from '../json.ts'
import type { StreamPart } from '../spec.ts'
import { readLateProblem } from './problems.ts'
import { isCall, nameOf, readContent, readFinish } from './read-answer.ts'
import { readUsage } from './read-usage.ts'
import { endByStatus } from './statuses.ts'

type Emit = (part: StreamPart) => void

export function createReader(): StreamReader {
  return new InteractionReader()
}

class InteractionReader implements StreamReader {
  #started = false
  #state: 'open' | 'whole' | 'broken' = 'open'
  /** The end, if nothing follows that tells more. */
  #ending: JsonObject | undefined
  /** Calls that were begun, by the number of their step. */
  readonly #calls = new Set<number>()

  read(event: string, data: string, emit: Emit): void {
    if (this.#state !== 'open') return
    const body = parseObject(data)
    if (!body) return
    const type = asText(body.event_type) ?? event
    this.#ending = endByStatus(body, type)
    const told = asObject(body.interaction) ?? this.#ending ?? {}
    const index = asNumber(body.index) ?? 0
    if (type === 'error') return this.#break(body, emit)
    this.#start(told, emit)
    switch (type) {
      case 'step.start':
        return this.#begin(index, asObject(body.step) ?? {}, emit)
      case 'step.delta':
        return this.#add(index, asObject(body.delta) ?? {}, emit)
      case 'step.stop':
        return this.#close(index, emit)
      case 'interaction.completed':
        return this.#finish(told, emit)
    }
  }

  end(emit: Emit): boolean {
    if (this.#ending && this.#state === 'open') this.#finish(this.#ending, emit)
    for (const index of [...this.#calls]) this.#close(index, emit)
    return this.#state === 'whole'
  }

  #start(told: JsonObject, emit: Emit): void {
    if (this.#started) return
    this.#started = true
    const model = asText(told.model) ?? asText(told.agent) ?? ''
    emit({ type: 'start', id: asText(told.id) ?? '', model, created: readCreated(told.created) })
  }

  /** Mostly empty, but for the name of what is called. */
  #begin(index: number, step: JsonObject, emit: Emit): void {
    if (isCall(step)) return this.#call(index, step, emit)
    for (const content of asArray(step.content)) this.#say(content, emit)
    for (const content of asArray(step.summary)) this.#think(content, emit)
  }

  #add(index: number, delta: JsonObject, emit: Emit): void {
    if (delta.type === 'arguments_delta') return this.#write(index, delta.arguments, emit)
    if (delta.type === 'thought_summary') return this.#think(delta.content, emit)
    if (isCall(delta)) return this.#call(index, delta, emit)
    // What tools have found, and what only marks the text, is nothing that the model made.
    if (delta.type !== 'thought_signature' && !asText(delta.type)?.endsWith('_result')) this.#say(delta, emit)
  }

  #say(content: Json | undefined, emit: Emit): void {
    for (const part of readContent(content)) {
      if (part.type === 'text') emit({ type: 'text-delta', text: part.text })
      else if (part.type === 'media') emit({ type: 'media', media: part })
    }
  }

  #think(content: Json | undefined, emit: Emit): void {
    const text = asText(asObject(content)?.text)
    if (text) emit({ type: 'thinking-delta', text })
  }

  #call(index: number, call: JsonObject, emit: Emit): void {
    if (!this.#calls.has(index)) {
      this.#calls.add(index)
      emit({ type: 'tool-start', index, id: asText(call.id) ?? '', name: nameOf(call) })
    }
    const given = asObject(call.arguments)
    if (given && Object.keys(given).length > 0) this.#write(index, JSON.stringify(given), emit)
  }

  #write(index: number, json: Json | undefined, emit: Emit): void {
    if (typeof json === 'string' && json !== '') emit({ type: 'tool-input-delta', index, json })
  }

  #close(index: number, emit: Emit): void {
    if (this.#calls.delete(index)) emit({ type: 'tool-end', index })
  }

  #finish(told: JsonObject, emit: Emit): void {
    if (told.status === 'failed') return this.#break(told, emit)
    for (const index of [...this.#calls]) this.#close(index, emit)
    const usage = readUsage(told)
    if (usage) emit({ type: 'usage', usage })
    emit({ type: 'finish', finish: readFinish(told) })
    this.#state = 'whole'
  }

  #break(body: JsonObject, emit: Emit): void {
    this.#start({}, emit)
    emit({ type: 'problem', problem: readLateProblem(body) })
    this.#state = 'broken'
  }
}
