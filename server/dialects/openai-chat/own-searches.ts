import { asArray, asObject, type JsonObject } from '../json.ts'
import type { TokenUsage, ToolUse } from '../usage.ts'

/**
 * Moonshot's own search. It comes as a call whose arguments the client hands back as they are, and the vendor asks for
 * each such call; its usage does not tell of them.
 */
export const OWN_SEARCH = '$web_search'

export function countOwnSearches({ choices }: JsonObject): number {
  let count = 0
  for (const choice of asArray(choices)) {
    const calls = asObject(asObject(choice)?.message)?.tool_calls
    if (calls) count += asArray(calls).filter(call => isOwnSearch(asObject(call))).length
  }
  return count
}

export function isOwnSearch(call: JsonObject | undefined): boolean {
  return asObject(call?.function)?.name === OWN_SEARCH
}

/** Undefined where there were none. */
export function tellOwnSearches(count: number): ToolUse | undefined {
  return count > 0 ? { tools: { [OWN_SEARCH]: count } } : undefined
}

export function withOwnSearches(usage: TokenUsage | undefined, count: number): TokenUsage | undefined {
  return usage && count > 0 ? { ...usage, ...tellOwnSearches(count) } : usage
}
