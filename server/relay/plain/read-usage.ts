import { asNumber, asObject, type JsonObject } from '../../dialects/json.ts'
import type { TokenUsage } from '../../dialects/spec.ts'
import type { Seen } from './seen.ts'

/** Usage as the vendors of what is not chat say it; undefined when nothing usable is said. */
export function readPlainUsage(body: JsonObject): TokenUsage | undefined {
  return (
    readTokens(asObject(body.usage)) ??
    readMeta(asObject(body.meta)) ??
    readGoogle(asObject(body.usageMetadata))
  )
}

/** How long the sound was, where that is what the vendor counts or tells. */
export function readSeconds(body: JsonObject): number | undefined {
  const usage = asObject(body.usage)
  const counted = usage?.type === 'duration' ? usage.seconds : besideTokens(usage)
  // Some vendors write it as text.
  const said = counted ?? body.duration
  const seconds = typeof said === 'string' && said !== '' ? Number(said) : asNumber(said)
  return seconds !== undefined && seconds > 0 && seconds <= MOST_SECONDS ? seconds : undefined
}

const MOST_SECONDS = 1_000_000

/** Mistral's, whose count of what was read is without the sound: what it asks for is the time. */
function besideTokens(usage: JsonObject | undefined): number | undefined {
  return asNumber(usage?.prompt_audio_seconds) || undefined
}

/** How many searches a call came to: vendors count so many documents, or one that goes deeper, as more than one. */
export function readUnits(body: JsonObject): number | undefined {
  const billed = asObject(asObject(body.meta)?.billed_units)
  const units = asCount((billed ?? asObject(body.usage))?.search_units)
  return units !== undefined && units > 0 && units <= MOST_UNITS ? units : undefined
}

const MOST_UNITS = 100_000

/** How many pages of a document were read, and described besides, as Mistral tells it. */
export function readPages({ usage_info }: JsonObject): Pick<Seen, 'pages' | 'annotated'> {
  const info = asObject(usage_info)
  return {
    // Who does not count says that there are none.
    pages: believable(info?.pages_processed) || undefined,
    annotated: believable(info?.pages_processed_annotation),
  }
}

const MOST_PAGES_TOLD = 10_000

function believable(told: unknown): number | undefined {
  const count = asCount(told)
  return count !== undefined && count <= MOST_PAGES_TOLD ? count : undefined
}

function readTokens(usage: JsonObject | undefined): TokenUsage | undefined {
  if (!usage || usage.type === 'duration' || besideTokens(usage)) return undefined
  const total = asCount(usage.total_tokens)
  const made = asCount(usage.completion_tokens) ?? asCount(usage.output_tokens)
  const input =
    asCount(usage.prompt_tokens) ?? asCount(usage.input_tokens) ?? (total && Math.max(0, total - (made ?? 0)))
  if (input === undefined) return undefined
  const output = made ?? Math.max(0, (total ?? input) - input)
  if (input + output === 0) return undefined
  const details =
    asObject(usage.input_tokens_details ?? usage.input_token_details ?? usage.prompt_tokens_details) ?? {}
  return {
    input,
    output,
    cacheRead: asCount(details.cached_tokens),
    audioInput: asCount(details.audio_tokens),
    imageInput: asCount(details.image_tokens),
  }
}

function readMeta(meta: JsonObject | undefined): TokenUsage | undefined {
  const tokens = asObject(meta?.tokens) ?? asObject(meta?.billed_units)
  return tokens && readTokens({ input_tokens: tokens.input_tokens, output_tokens: tokens.output_tokens ?? 0 })
}

function readGoogle(usage: JsonObject | undefined): TokenUsage | undefined {
  if (!usage) return undefined
  const { promptTokenCount, totalTokenCount, candidatesTokenCount } = usage
  return readTokens({
    input_tokens: promptTokenCount ?? totalTokenCount,
    output_tokens: candidatesTokenCount ?? 0,
  })
}

function asCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}
