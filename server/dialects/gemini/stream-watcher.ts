import { findBytes } from '../find-bytes.ts'
import { asArray, asObject, isObject, type JsonObject } from '../json.ts'
import type { Problem, StreamWatcher, TokenUsage, Verdict } from '../spec.ts'
import { readFinishWord } from './finish-reasons.ts'
import { readStreamProblem } from './problems.ts'
import { readBlocked } from './read-answer.ts'
import { readUsageMetadata } from './read-usage.ts'

/** Ends of `finishReason`, `blockReason` and their other spelling; usage is repeated beside them. */
const NEEDLES = ['Reason"', '_reason"', '"error"'].map(needle => Buffer.from(needle))

class GeminiWatcher implements StreamWatcher {
  usage: TokenUsage | undefined
  problem: Problem | undefined
  complete = false

  mayMatter(chunk: Uint8Array): boolean {
    if (this.complete) return true
    for (const needle of NEEDLES) if (findBytes(chunk, needle) >= 0) return true
    return false
  }

  look(_event: string, data: string): Verdict {
    const chunks = parseChunks(data)
    let verdict: Verdict = 'pass'
    for (const chunk of chunks) {
      const problem = readStreamProblem(chunk)
      if (problem) {
        this.problem = problem
        return 'drop'
      }
      this.usage = readUsageMetadata(chunk.usageMetadata ?? chunk.usage_metadata) ?? this.usage
      if (isFinal(chunk)) verdict = 'hold'
    }
    if (verdict === 'hold') this.complete = true
    return verdict
  }
}

function isFinal(chunk: JsonObject): boolean {
  const candidate = asObject(asArray(chunk.candidates)[0])
  const word = candidate?.finishReason ?? candidate?.finish_reason
  return readFinishWord(word) !== undefined || readBlocked(chunk) !== undefined
}

function parseChunks(data: string): JsonObject[] {
  try {
    const value: unknown = JSON.parse(data)
    return (Array.isArray(value) ? value : [value]).filter(isObject)
  } catch {
    return []
  }
}

export function createWatcher(): StreamWatcher {
  return new GeminiWatcher()
}
