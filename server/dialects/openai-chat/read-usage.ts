import { asObject, type Json, type JsonObject } from '../json.ts'
import type { TokenUsage } from '../spec.ts'

/** Undefined unless input and output are both usable: half a usage would be charged as if it were whole. */
export function readUsage(value: unknown): TokenUsage | undefined {
  const usage = asObject(value)
  if (usage === undefined) return undefined
  const prompt = asCount(usage.prompt_tokens)
  if (prompt === undefined) return undefined
  const said = asCount(usage.completion_tokens ?? rest(usage.total_tokens, prompt))
  if (said === undefined) return undefined
  const inside = asObject(usage.prompt_tokens_details) ?? {}
  const outside = asObject(usage.completion_tokens_details) ?? {}
  const output = said + thoughtsBeside(usage.total_tokens, prompt + said, outside.reasoning_tokens)
  const cacheRead = atMost(
    prompt,
    inside.cached_tokens,
    usage.cached_tokens,
    usage.prompt_cache_hit_tokens,
    usage.num_cached_tokens,
  )
  const input = prompt + writtenBeside(usage.cache_creation_input_tokens, prompt - (cacheRead ?? 0))
  const cacheWrite = atMost(
    input - (cacheRead ?? 0),
    inside.cache_write_tokens,
    inside.cache_creation_input_tokens,
    inside.cache_creation_tokens,
    usage.cache_creation_input_tokens,
  )
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    ...(cacheWrite && inside.cache_creation_token_details ? readHour(inside, cacheWrite) : {}),
    reasoning: atMost(output, outside.reasoning_tokens),
    audioInput: atMost(input, inside.audio_tokens),
    audioOutput: atMost(output, outside.audio_tokens),
    imageInput: atMost(input, inside.image_tokens),
    imageOutput: atMost(output, outside.image_tokens),
    ...(usage.search_context_size === undefined ? {} : readSearches(usage)),
    ...(usage.plugins === undefined ? {} : readPlugins(usage.plugins)),
    ...(usage.server_tool_use === undefined ? {} : readServerTools(usage.server_tool_use)),
  }
}

/** Some versions of LiteLLM leave out of the prompt what Claude's cache took of it, which shows where that was more. */
function writtenBeside(written: unknown, unread: number): number {
  const count = asCount(written) ?? 0
  return count > unread ? count : 0
}

/** As LiteLLM tells what Claude keeps for how long. */
function readHour({ cache_creation_token_details: kept }: JsonObject, cacheWrite: number) {
  const hour = asCount(asObject(kept)?.ephemeral_1h_input_tokens)
  return hour ? { cacheWriteHour: Math.min(hour, cacheWrite) } : {}
}

/** Of models that search the web for every answer, some of them more than once. */
function readSearches({ search_context_size: size, num_search_queries: queries }: JsonObject): Searches {
  return typeof size === 'string' ? { searches: asCount(queries) || 1, searchSize: size } : {}
}

/** As Ali tells them in its own form, and not everywhere in this one. */
function readPlugins(plugins: Json): Searches {
  const searches = asCount(asObject(asObject(plugins)?.search)?.count)
  return searches ? { searches } : {}
}

/** As gateways tell them that search for any model; nought where it was offered, and not made use of. */
function readServerTools(use: Json): Searches {
  const searches = asCount(asObject(use)?.web_search_requests)
  return searches === undefined ? {} : { searches }
}

type Searches = Pick<TokenUsage, 'searches' | 'searchSize'>

function asCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

/** Answers without output leave `completion_tokens` out. */
function rest(total: unknown, input: number): number | undefined {
  const all = asCount(total)
  return all === undefined ? undefined : all - input
}

/** Some vendors count thoughts beside the output, which only the total shows; with all others they are in it. */
function thoughtsBeside(total: unknown, told: number, reasoning: unknown): number {
  const thoughts = asCount(reasoning) ?? 0
  return thoughts > 0 && asCount(total) === told + thoughts ? thoughts : 0
}

/** The first place that says more than zero; zero when one says so, undefined when none is usable. */
function atMost(limit: number, ...places: (Json | undefined)[]): number | undefined {
  let found: number | undefined
  for (const place of places) {
    const count = asCount(place)
    if (count === undefined) continue
    if (count > 0) return Math.min(count, limit)
    found = 0
  }
  return found
}
