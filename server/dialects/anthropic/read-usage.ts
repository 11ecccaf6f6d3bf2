import { asArray, asObject, asText, type Json, type JsonObject } from '../json.ts'
import type { TokenUsage } from '../spec.ts'

/**
 * Input here counts without what the cache gave or took; the neutral form counts all of it. Whoever ran code is told
 * in which container.
 */
export function readUsage(usage: JsonObject | undefined, container?: Json): TokenUsage | undefined {
  if (usage === undefined) return undefined
  const read = readCounts(usage)
  if (read === undefined) return undefined
  const counts = usage.iterations ? withCompactions(read, usage.iterations) : read
  return (
    counts && {
      ...counts,
      searches: readCount(asObject(usage.server_tool_use)?.web_search_requests) || undefined,
      ...(asObject(container)?.id ? { tools: ranCode } : {}),
      ...(usage.inference_geo ? { geo: asText(usage.inference_geo) } : {}),
    }
  )
}

const ranCode = { code_execution: 1 }

function readCounts(usage: JsonObject): TokenUsage | undefined {
  const cache = asObject(usage.cache_creation)
  const plain = readCount(usage.input_tokens)
  const output = readCount(usage.output_tokens)
  const read = readCount(usage.cache_read_input_tokens, 0)
  const hour = readCount(cache?.ephemeral_1h_input_tokens, 0)
  const minutes = readCount(cache?.ephemeral_5m_input_tokens, 0)
  const thinking = readCount(asObject(usage.output_tokens_details)?.thinking_tokens, 0)
  if (hour === undefined || minutes === undefined) return undefined
  const written = readCount(usage.cache_creation_input_tokens, hour + minutes)
  if (plain === undefined || output === undefined || read === undefined) return undefined
  if (written === undefined || thinking === undefined) return undefined
  const input = plain + read + written
  if (!Number.isSafeInteger(input)) return undefined
  return {
    input,
    output,
    cacheRead: read || undefined,
    cacheWrite: written || undefined,
    cacheWriteHour: Math.min(hour, written) || undefined,
    reasoning: Math.min(thinking, output) || undefined,
  }
}

/** A conversation that the vendor made shorter on the way was read and written for that too, and that is not in the sum. */
function withCompactions(usage: TokenUsage, iterations: Json): TokenUsage | undefined {
  let sum = usage
  for (const item of asArray(iterations)) {
    const iteration = asObject(item)
    if (iteration?.type !== 'compaction') continue
    const more = readCounts(iteration)
    if (more === undefined) return undefined
    sum = {
      input: sum.input + more.input,
      output: sum.output + more.output,
      cacheRead: add(sum.cacheRead, more.cacheRead),
      cacheWrite: add(sum.cacheWrite, more.cacheWrite),
      cacheWriteHour: add(sum.cacheWriteHour, more.cacheWriteHour),
      reasoning: add(sum.reasoning, more.reasoning),
    }
  }
  return sum
}

function add(one: number | undefined, other: number | undefined): number | undefined {
  return (one ?? 0) + (other ?? 0) || undefined
}

/** Whether a block of a stream begins a search on the web, which usage tells at the end only. */
export function isSearch(block: JsonObject | undefined): boolean {
  return block?.type === 'server_tool_use' && block.name === 'web_search'
}

/**
 * Gathers the usage of a stream: values are cumulative, and the last that is not null counts. Some servers say at the end
 * that nothing was read, for they have told before what was: that takes nothing back.
 */
export class UsageGatherer {
  readonly #seen: JsonObject = {}
  #container: Json | undefined

  /** `container` stands beside it, in what holds it or in what that says last. */
  take(usage: Json | undefined, container?: Json): TokenUsage | undefined {
    const given = asObject(usage)
    if (container) this.#container = container
    if (given === undefined) return undefined
    const isKnown = INPUT.some(field => this.#seen[field]) && !INPUT.some(field => given[field])
    for (const field of isKnown ? BESIDES_INPUT : FIELDS) {
      const value = given[field]
      if (value !== null && value !== undefined) this.#seen[field] = value
    }
    return readUsage(this.#seen, this.#container)
  }
}

const INPUT = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const
const BESIDES_INPUT = [
  'output_tokens',
  'output_tokens_details',
  'server_tool_use',
  'inference_geo',
  'iterations',
] as const
const FIELDS = [...INPUT, 'cache_creation', ...BESIDES_INPUT] as const

function readCount(value: Json | undefined, absent?: number): number | undefined {
  if (value === undefined || value === null) return absent
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}
