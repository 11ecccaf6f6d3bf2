import { isCrowded } from '../crowded-json.ts'
import type { WatcherOptions } from '../dialect.ts'
import { findBytes } from '../find-bytes.ts'
import { asArray, asNumber, asObject, isObject, type JsonObject } from '../json.ts'
import type { Problem, TokenUsage } from '../spec.ts'
import type { StoredIds, StreamWatcher, Verdict } from '../watching.ts'
import { continuationsIn } from './continuation.ts'
import { readFinishWord } from './finish-reasons.ts'
import { readStreamProblem } from './problems.ts'
import { readBlocked } from './read-answer.ts'
import { countSearches, readUsageMetadata, withSearches } from './read-usage.ts'
import { lastOf, parseFirst } from './running-usage.ts'

/** Ends of `finishReason`, `blockReason`, `webSearchQueries` and their other spelling; usage is repeated beside them. */
const NEEDLES = ['Reason"', '_reason"', 'earchQueries"', 'earch_queries"', '"error"'].map(needle =>
  Buffer.from(needle),
)

const USAGE = Buffer.from('"usageMetadata"')
/** More than it ever is. */
const LONGEST_USAGE = 4096

/**
 * There is no end mark: a frame that names a finish is held, and it is for whoever holds it to let it go when
 * another follows. What says nothing of the answer passes.
 */
class GeminiWatcher implements StreamWatcher {
  #usage: TokenUsage | undefined
  /** The bytes of one that the next will replace: read when somebody asks. */
  #running: Uint8Array | undefined
  problem: Problem | undefined
  stored: StoredIds | undefined
  readonly #finished = new Set<number>()
  /** Candidates that were heard of and have not finished; of one alone only what comes after its end. */
  readonly #open = new Set<number>()
  readonly #several: boolean
  #blocked = false
  #searches = 0

  constructor(several: boolean) {
    this.#several = several
  }

  get usage(): TokenUsage | undefined {
    const running = this.#running && readUsageMetadata(parseFirst(this.#running))
    return running ? withSearches(running, this.#searches) : this.#usage
  }

  get complete(): boolean {
    return this.#blocked || (this.#finished.size > 0 && this.#open.size === 0)
  }

  mayMatter(chunk: Uint8Array): boolean {
    if (this.#blocked || this.#finished.size > 0 || this.#several) return true
    for (const needle of NEEDLES) if (findBytes(chunk, needle) >= 0) return true
    const at = lastOf(chunk, USAGE)
    if (at >= 0) this.#running = chunk.slice(at + USAGE.length, at + LONGEST_USAGE)
    return false
  }

  look(_event: string, data: string): Verdict {
    let goesOn = false
    for (const chunk of parseChunks(data)) {
      const problem = readStreamProblem(chunk)
      if (problem) {
        this.problem = problem
        return 'drop'
      }
      this.#searches = Math.max(this.#searches, countSearches(chunk))
      const usage = readUsageMetadata(chunk.usageMetadata ?? chunk.usage_metadata) ?? this.#usage
      // An end that tells nothing is counted here: what was told before knows nothing of it.
      this.#running = undefined
      this.#usage = withSearches(usage, this.#searches)
      if (this.#readChunk(chunk)) goesOn = true
    }
    return goesOn && this.complete ? 'hold' : 'pass'
  }

  /** Whether it has something of the answer. */
  #readChunk(chunk: JsonObject): boolean {
    const candidates = asArray(chunk.candidates)
    for (const item of candidates) this.#readCandidate(asObject(item))
    const items = continuationsIn(chunk)
    if (items.length > 0) this.stored = { response: undefined, items }
    const isBlocked = readBlocked(chunk) !== undefined
    if (isBlocked) this.#blocked = true
    return isBlocked || candidates.length > 0
  }

  #readCandidate(candidate: JsonObject | undefined): void {
    const index = asNumber(candidate?.index) ?? 0
    if (readFinishWord(candidate?.finishReason ?? candidate?.finish_reason) !== undefined) {
      this.#finished.add(index)
      this.#open.delete(index)
    } else if (!this.#finished.has(index)) this.#open.add(index)
  }
}

function parseChunks(data: string): JsonObject[] {
  if (isCrowded(data)) return []
  try {
    const value: unknown = JSON.parse(data)
    return (Array.isArray(value) ? value : [value]).filter(isObject)
  } catch {
    return []
  }
}

export function createWatcher({ several = false }: WatcherOptions): StreamWatcher {
  return new GeminiWatcher(several)
}
