import { findBytes } from '../find-bytes.ts'
import { lastOf, parseFirst } from '../gemini/running-usage.ts'
import { asNumber, asObject, asText, type JsonObject, parseObject } from '../json.ts'
import type { Problem, TokenUsage } from '../spec.ts'
import type { ToolUse } from '../usage.ts'
import type { StoredIds, StreamWatcher, Verdict } from '../watching.ts'
import { readLateProblem } from './problems.ts'
import { readUsage, readUsageOf, searchesOf, withSearches } from './read-usage.ts'
import { endByStatus, STATUS_UPDATE } from './statuses.ts'
import { storedIds } from './stored-ids.ts'

/**
 * One of these is in every frame that ends or breaks an interaction, or tells of a tool: what that is called with and
 * answers may hold anything, also what looks like usage.
 */
const MARKS = [
  ...['interaction.completed', STATUS_UPDATE, '"error"', 'event: error', 'event:error', '_call"', '_result"'],
].map(mark => Buffer.from(mark))
/** Beside a piece of the answer, and at the end of a step: what the whole has come to so far. */
const RUNNING = ['"total_usage"', '"usage"'].map(mark => Buffer.from(mark))
/** More than it ever is. */
const LONGEST_USAGE = 4096

export function createWatcher(): StreamWatcher {
  return new InteractionWatcher()
}

class InteractionWatcher implements StreamWatcher {
  #usage: TokenUsage | undefined
  /** The bytes of one that the next will replace: read when somebody asks. */
  #running: Uint8Array | undefined
  /** By the number of the step. */
  readonly #searches = new Map<number, number>()
  /** Its end was told by its status alone so far. */
  #isBrief = false
  problem: Problem | undefined
  complete = false
  stored: StoredIds | undefined
  /** What tools have found is read by the model, and how much that was is told later. */
  tellsLater = false

  get usage(): TokenUsage | undefined {
    const running = this.#running && readUsageOf(parseFirst(this.#running))
    return withSearches(running ?? this.#usage, this.#searched)
  }

  get awaitsUsage(): boolean {
    return this.complete && this.#isBrief
  }

  get toolUse(): ToolUse | undefined {
    return this.#searched > 0 ? { searches: this.#searched } : undefined
  }

  get #searched(): number {
    let sum = 0
    for (const count of this.#searches.values()) sum += count
    return sum
  }

  mayMatter(chunk: Uint8Array): boolean {
    for (const mark of MARKS) if (findBytes(chunk, mark) >= 0) return true
    this.#noteRunning(chunk)
    return false
  }

  look(event: string, data: string): Verdict {
    const after = this.problem ? 'drop' : this.complete ? 'hold' : undefined
    // Behind its mark nothing is told any more.
    if (event === 'done' || data.startsWith('[DONE]')) this.#isBrief = false
    if (after && !this.#isBrief) return after
    const body = parseObject(data)
    if (!body) return after ?? (event === 'error' ? this.#drop({}) : 'pass')
    const type = asText(body.event_type) ?? event
    if (type === 'error' && after !== 'hold') return this.#drop(body)
    if (type === 'interaction.completed') return this.#end(asObject(body.interaction) ?? {})
    if (after) return after
    const ending = endByStatus(body, type)
    if (ending) return this.#end(ending, true)
    if (type === 'step.start') this.#noteTool(body, asObject(body.step))
    if (type === 'step.delta') this.#noteTool(body, asObject(body.delta))
    const running = asObject(asObject(body.metadata)?.total_usage) ?? asObject(body.usage)
    if (running) this.#running = Buffer.from(JSON.stringify(running))
    return 'pass'
  }

  #end(told: JsonObject, isBrief = false): Verdict {
    // An end that tells nothing is counted here: what was told before knows nothing of it.
    this.#running = undefined
    this.#usage = readUsage(told) ?? this.#usage
    this.#isBrief = isBrief
    if (told.status === 'failed') return this.#drop(told)
    this.problem = undefined
    this.complete = true
    this.stored = storedIds(told) ?? this.stored
    return 'hold'
  }

  #noteTool({ index }: JsonObject, step: JsonObject | undefined): void {
    const type = asText(step?.type)
    if (!type?.endsWith('_call') || type === 'function_call') return
    this.tellsLater = true
    const at = asNumber(index) ?? 0
    const searches = searchesOf(step)
    if (searches > (this.#searches.get(at) ?? 0)) this.#searches.set(at, searches)
  }

  #noteRunning(bytes: Uint8Array): void {
    let last = -1
    for (const mark of RUNNING) {
      const at = lastOf(bytes, mark)
      if (at >= 0) last = Math.max(last, at + mark.length)
    }
    if (last >= 0) this.#running = bytes.slice(last, last + LONGEST_USAGE)
  }

  #drop(body: JsonObject): Verdict {
    this.complete = false
    this.problem = readLateProblem(body)
    return 'drop'
  }
}
