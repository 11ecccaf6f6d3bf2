import { findBytes } from '../find-bytes.ts'
import { asArray, asObject, asText, isObject, type JsonObject, parseObject } from '../json.ts'
import type { Problem, StreamWatcher, TokenUsage, Verdict } from '../spec.ts'
import { readFinishReason } from './map-finish-reason.ts'
import { makeFinishProblem, readChunkProblem } from './read-problem.ts'
import { readUsage } from './read-usage.ts'

const DONE = Buffer.from('[DONE]')
const EVENT = Buffer.from('event:')
const USAGE = Buffer.from('"usage"')
const ERROR = Buffer.from('"error"')
const FINISH = Buffer.from('"finish_reason"')

const SPACE = 32
const COLON = 58
const QUOTE = 34
const LETTER_N = 110

export class ChatStreamWatcher implements StreamWatcher {
  readonly #wantsUsage: boolean
  #usage: TokenUsage | undefined
  #problem: Problem | undefined
  #finished = false
  #done = false
  #holding = false

  constructor(wantsUsage: boolean) {
    this.#wantsUsage = wantsUsage
  }

  get usage(): TokenUsage | undefined {
    return this.#usage
  }

  get problem(): Problem | undefined {
    return this.#problem
  }

  get complete(): boolean {
    return (this.#finished || this.#done) && this.#problem === undefined
  }

  mayMatter(chunk: Uint8Array): boolean {
    // Once frames are held, those that follow must be too.
    if (this.#holding) return true
    return (
      saysSomething(chunk, FINISH) ||
      saysSomething(chunk, USAGE) ||
      saysSomething(chunk, ERROR) ||
      findBytes(chunk, DONE) >= 0 ||
      findBytes(chunk, EVENT) >= 0
    )
  }

  look(event: string, data: string): Verdict {
    if (data.startsWith('[DONE]')) {
      this.#done = true
      return this.#hold()
    }
    const chunk = parseObject(data)
    if (chunk === undefined) return this.#pass()
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
    if (usage !== undefined) this.#usage = usage
    return isObject(chunk.usage) && choices.length === 0
  }

  /** One that comes while the answer goes on completes nothing, and holding it would hold the answer. */
  #judgeUsageFrame(): Verdict {
    if (!this.#wantsUsage) return 'drop'
    return this.#finished ? this.#hold() : this.#pass()
  }

  #readFinish(chunk: JsonObject): Problem | undefined {
    for (const choice of asArray(chunk.choices)) {
      const word = asText(asObject(choice)?.finish_reason)
      if (!word) continue
      if (readFinishReason(word, { tools: false, refusal: false }) === 'failed')
        return makeFinishProblem(word)
      this.#finished = true
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
