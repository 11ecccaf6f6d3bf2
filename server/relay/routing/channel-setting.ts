import { asFlag, asObject, asText, type Json, type JsonObject, parseObject } from '../../dialects/json.ts'
import type { DialectName } from '../../dialects/spec.ts'

/** What an operator may say of one channel beyond its columns. */
export interface ChannelSetting {
  readonly proxy?: string | undefined
  /** Streams of a custom channel are written anew instead of being passed through. */
  readonly force_format?: boolean | undefined
  /** What the upstream speaks, where its type alone does not tell. */
  readonly dialects?: readonly DialectName[] | undefined
  readonly param_override?: JsonObject | undefined
  readonly header_override?: Readonly<Record<string, string>> | undefined
  readonly system_prompt?: string | undefined
  /** Lets clients ask for tiers that the vendor asks more for; they are charged as for the usual one. */
  readonly allow_service_tier?: boolean | undefined
  /** An Azure deployment that answers the Responses calls. */
  readonly azure_responses?: boolean | undefined
}

const dialectNames: Readonly<Record<DialectName, true>> = {
  'openai-chat': true,
  'openai-responses': true,
  anthropic: true,
  gemini: true,
}

/** Fields of another kind than expected count as absent; undefined when the text is no JSON object at all. */
export function readChannelSetting(text: string): ChannelSetting | undefined {
  const object = parseObject(text)
  if (!object) return undefined
  return {
    proxy: filled(object.proxy),
    force_format: asFlag(object.force_format),
    dialects: readDialects(object.dialects),
    param_override: asObject(object.param_override),
    header_override: readHeaders(object.header_override),
    system_prompt: filled(object.system_prompt),
    allow_service_tier: asFlag(object.allow_service_tier),
    azure_responses: asFlag(object.azure_responses),
  }
}

function readDialects(value: Json | undefined): readonly DialectName[] | undefined {
  return Array.isArray(value) ? value.filter(isDialectName) : undefined
}

function isDialectName(value: Json): value is DialectName {
  return typeof value === 'string' && Object.hasOwn(dialectNames, value)
}

function readHeaders(value: Json | undefined): Readonly<Record<string, string>> | undefined {
  const object = asObject(value)
  if (!object) return undefined
  return Object.fromEntries(
    Object.entries(object).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  )
}

function filled(value: Json | undefined): string | undefined {
  return asText(value)?.trim() || undefined
}
