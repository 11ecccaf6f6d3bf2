import { type DialectName, dialectNames } from '../../../contract/dialects.ts'
import { asFlag, asObject, asText, type Json, type JsonObject, parseObject } from '../../dialects/json.ts'

/** What an operator may say of one channel beyond its columns. */
export interface ChannelSetting {
  readonly proxy?: string | undefined
  /** Streams of a custom channel are written anew instead of being passed through. */
  readonly force_format?: boolean | undefined
  /** What the upstream speaks, where its type alone does not tell. */
  readonly dialects?: readonly DialectName[] | undefined
  readonly param_override?: JsonObject | undefined
  readonly header_override?: Readonly<Record<string, string>> | undefined
  /** For whoever brings no instructions of their own. */
  readonly system_prompt?: string | undefined
  /** Before the caller's own instructions too. */
  readonly system_prompt_override?: boolean | undefined
  /** Lets clients ask for tiers, tools and plugins that the vendor asks more for; they are charged as usual. */
  readonly allow_service_tier?: boolean | undefined
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
    system_prompt_override: asFlag(object.system_prompt_override),
    allow_service_tier: asFlag(object.allow_service_tier),
  }
}

function readDialects(value: Json | undefined): readonly DialectName[] | undefined {
  return Array.isArray(value) ? value.filter(isDialectName) : undefined
}

function isDialectName(value: Json): value is DialectName {
  return dialectNames.some(name => name === value)
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
