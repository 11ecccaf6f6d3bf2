import type { WatcherOptions } from '../dialect.ts'
import { findBytes } from '../find-bytes.ts'
import { asArray, asNumber, asObject, asText, isObject, type JsonObject, parseObject } from '../json.ts'
import type { Problem, TokenUsage } from '../spec.ts'
import { SseReader } from '../sse.ts'
import type { ToolUse } from '../usage.ts'
import type { StreamWatcher, Verdict } from '../watching.ts'
import { blankNullUsage } from './blank-null-usage.ts'
import { readFinishReason } from './map-finish-reason.ts'
import { isOwnSearch, OWN_SEARCH, tellOwnSearches, withOwnSearches } from './own-searches.ts'
import { makeFinishProblem, readChunkProblem } from './read-problem.ts'
import { readUsage } from './read-usage.ts'

const DONE = Buffer.from('[DONE]')
const EVENT = Buffer.from('event:')
const DATA = Buffer.from('data:')
const USAGE = Buffer.from('"usage"')
const ERROR = Buffer.from('"error"')
const FINISH = Buffer.from('"finish_reason"')
const CHOICES = Buffer.from('"choices"')
const SEARCH = Buffer.from(OWN_SEARCH)

const SPACE = 32
const COLON = 58
const QUOTE = 34
const LETTER_N = 110
const OPEN_LIST = 91
const OPEN_OBJECT = 123

export class ChatStreamWatcher implements StreamWatcher {
  readonly #wantsUsage: boolean
  readonly blank: ((chunk: Uint8Array) => void) | undefined
  #usage: TokenUsage | undefined
  /** Frames of an answer that goes on, with a usage that the next will replace: read when somebody asks. */
  #unread: Uint8Array | undefined
  #problem: Problem | undefined
  readonly #finished = new Set<number>()
  /** Choices that were heard of and have not finished; of one alone only what comes after its end. */
  readonly #open = new Set<number>()
  /** Whether anything of an answer has come: an end without one ends nothing. */
  #heard = false
  #done = false
  #holding = false
  readonly #mayOwnSearch: boolean
  readonly #several: boolean
  /** Calls of it, by choice and id: some gateways say the name in every frame of a call. */
  #ownSearches: Set<string> | undefined

  constructor({ wantsUsage, mayOwnSearch = false, several = false }: WatcherOptions) {
    this.#wantsUsage = wantsUsage
    this.#mayOwnSearch = mayOwnSearch
    this.#several = several
    this.blank = wantsUsage ? undefined : blankNullUsage
  }

  get usage(): TokenUsage | undefined {
    if (this.#unread) this.#readRunning(this.#unread)
    return withOwnSearches(this.#usage, this.#ownSearches?.size ?? 0)
  }

  get toolUse(): ToolUse | undefined {
    return tellOwnSearches(this.#ownSearches?.size ?? 0)
  }

  get problem(): Problem | undefined {
    return this.#problem
  }

  get complete(): boolean {
    return (this.#hasFinished || this.#done) && this.#problem === undefined
  }

  get #hasFinished(): boolean {
    return this.#finished.size > 0 && this.#open.size === 0
  }

  mayMatter(chunk: Uint8Array): boolean {
    // Once frames are held, those that follow must be too; after a finish other choices may go on.
    if (this.#holding || this.#finished.size > 0 || this.#several) return true
    if (this.#mayOwnSearch && findBytes(chunk, SEARCH) >= 0) return true
    if (
      saysSomething(chunk, FINISH) ||
      saysSomething(chunk, ERROR) ||
      findBytes(chunk, DONE) >= 0 ||
      findBytes(chunk, EVENT) >= 0
    )
      return true
    if (!saysSomething(chunk, USAGE)) {
      if (chunk[0] !== COLON) this.#heard = true
      return false
    }
    if (!goesOn(chunk)) return true
    this.#heard = true
    this.#unread = new Uint8Array(chunk)
    return false
  }

  look(event: string, data: string): Verdict {
    if (data.startsWith('[DONE]')) {
      if (!this.#heard) return 'drop'
      this.#done = true
      return this.#hold()
    }
    const chunk = parseObject(data)
    if (chunk === undefined) return this.#pass()
    if (asArray(chunk.choices).length > 0 || isObject(chunk.usage)) this.#heard = true
    if (this.#mayOwnSearch) this.#countSearches(chunk)
    const problem = readChunkProblem(event, chunk) ?? this.#readFinish(chunk)
    if (problem !== undefined) {
      this.#problem ??= problem
      return 'drop'
    }
    return this.#readUsage(chunk) ? this.#judgeUsageFrame() : this.#pass()
  }

  /** Remembers the usage. True for a frame that holds nothing else. */
  #readUsage(chunk: JsonObject): boolean {
    const choices = asArray(chunk.choices)
    const usage = readUsage(chunk.usage) ?? readUsage(asObject(choices[0])?.usage)
    if (usage !== undefined) {
      this.#usage = usage
      this.#unread = undefined
    }
    return isObject(chunk.usage) && choices.length === 0
  }

  #countSearches(chunk: JsonObject): void {
    for (const one of asArray(chunk.choices)) {
      const choice = asObject(one)
      for (const value of asArray(asObject(choice?.delta)?.tool_calls)) {
        const call = asObject(value)
        if (!isOwnSearch(call)) continue
        this.#ownSearches ??= new Set()
        this.#ownSearches.add(`${choice?.index} ${call?.id || call?.index}`)
      }
    }
  }

  #readRunning(frames: Uint8Array): void {
    this.#unread = undefined
    const reader = new SseReader((_, data) => {
      const chunk = parseObject(data)
      if (chunk) this.#readUsage(chunk)
    })
    reader.push(frames)
    reader.end()
  }

  /** One that comes while the answer goes on completes nothing, and holding it would hold the answer. */
  #judgeUsageFrame(): Verdict {
    if (!this.#wantsUsage) return 'drop'
    return this.#hasFinished ? this.#hold() : this.#pass()
  }

  #readFinish(chunk: JsonObject): Problem | undefined {
    for (const item of asArray(chunk.choices)) {
      const choice = asObject(item)
      const index = asNumber(choice?.index) ?? 0
      const word = asText(choice?.finish_reason)
      if (!word) {
        if (!this.#finished.has(index)) this.#open.add(index)
        continue
      }
      if (readFinishReason(word, { tools: false, refusal: false }) === 'failed')
        return makeFinishProblem(word)
      this.#finished.add(index)
      this.#open.delete(index)
    }
    return undefined
  }

  #hold(): Verdict {
    this.#holding = true
    return 'hold'
  }

  #pass(): Verdict {
    return this.#holding ? 'hold' : 'pass'
  }
}

/** Whether every frame of it has something of the answer: one with usage alone is judged, not passed. */
function goesOn(bytes: Uint8Array): boolean {
  let frames = 0
  for (let at = findBytes(bytes, DATA); at >= 0; at = findBytes(bytes, DATA, at + 1)) frames++
  for (let at = findBytes(bytes, CHOICES); at >= 0; at = findBytes(bytes, CHOICES, at + 1), frames--) {
    let next = skipSpace(bytes, at + CHOICES.length)
    if (bytes[next] !== COLON) return false
    next = skipSpace(bytes, next + 1)
    if (bytes[next] !== OPEN_LIST || bytes[skipSpace(bytes, next + 1)] !== OPEN_OBJECT) return false
  }
  return frames === 0
}

/** Whether a key stands there with a value other than null or ''. A word that is no key counts as well. */
function saysSomething(bytes: Uint8Array, key: Uint8Array): boolean {
  for (let at = findBytes(bytes, key); at >= 0; at = findBytes(bytes, key, at + 1)) {
    let next = skipSpace(bytes, at + key.length)
    if (bytes[next] !== COLON) return true
    next = skipSpace(bytes, next + 1)
    if (bytes[next] === LETTER_N || (bytes[next] === QUOTE && bytes[next + 1] === QUOTE)) continue
    return true
  }
  return false
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] === SPACE) at++
  return at
}
