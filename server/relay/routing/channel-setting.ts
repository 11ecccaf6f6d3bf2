import { isCostRatio } from '../../../contract/cost-ratio.ts'
import { type DialectName, dialectNames } from '../../../contract/dialects.ts'
import { type HeaderRules, readHeaderRules } from '../../../contract/override/headers.ts'
import type { Operation } from '../../../contract/override/operations.ts'
import { hasOperations, readOperations } from '../../../contract/override/read-operations.ts'
import { type PassRules, readPassRules, usualPassRules } from '../../../contract/pass-through.ts'
import { asFlag, asObject, asText, type Json, type JsonObject, parseObject } from '../../dialects/json.ts'
import { log } from '../../log.ts'

/** What an operator may say of one channel beyond its columns. */
export interface ChannelSetting {
  readonly proxy?: string | undefined
  /** Streams are written anew instead of being passed through. */
  readonly force_format?: boolean | undefined
  /** What the upstream speaks, where its type alone does not tell. */
  readonly dialects?: readonly DialectName[] | undefined
  /** Fields that are put into every request. */
  readonly param_override?: JsonObject | undefined
  /** `param_override` in its other form: operations that are done to every request, one after the other. */
  readonly operations?: readonly Operation[] | undefined
  readonly header_override?: HeaderRules | undefined
  /** For whoever brings no instructions of their own. */
  readonly system_prompt?: string | undefined
  /** Before the caller's own instructions too. */
  readonly system_prompt_override?: boolean | undefined
  /** Lets clients ask for tiers, tools and plugins that the vendor asks more for; they are charged as usual. */
  readonly allow_service_tier?: boolean | undefined
  /** Lets callers name what the upstream then reads with the operator's rights: for those whose callers are their own. */
  readonly allow_account_data?: boolean | undefined
  /** Chat clients read what a model thought as the beginning of what it says. */
  readonly thinking_to_content?: boolean | undefined
  /** What share of the listed price it costs the operator; absent when that is not known. */
  readonly cost_ratio?: number | undefined
  /** Of any HTTP API: what passes, and how its key is sent. */
  readonly pass?: PassRules | undefined
}

/** Fields of another kind than expected count as absent; undefined when the text is no JSON object at all. */
export function readChannelSetting(text: string): ChannelSetting | undefined {
  const object = parseObject(text)
  if (!object) return undefined
  return {
    proxy: filled(object.proxy),
    force_format: asFlag(object.force_format),
    dialects: readDialects(object.dialects),
    ...readOverride(asObject(object.param_override)),
    header_override: readHeaders(object.header_override),
    system_prompt: filled(object.system_prompt),
    system_prompt_override: asFlag(object.system_prompt_override),
    allow_service_tier: asFlag(object.allow_service_tier),
    allow_account_data: asFlag(object.allow_account_data),
    thinking_to_content: asFlag(object.thinking_to_content),
    cost_ratio: isCostRatio(object.cost_ratio) ? object.cost_ratio : undefined,
    pass: readPass(object.pass),
  }
}

function readOverride(
  override: JsonObject | undefined,
): Pick<ChannelSetting, 'param_override' | 'operations'> {
  if (!override || !hasOperations(override)) return { param_override: override }
  try {
    const operations = readOperations(override)
    return operations.length > 0 ? { operations } : {}
  } catch (error) {
    log.warn('a channel has operations that cannot be obeyed; none of them is', { error })
    return {}
  }
}

/** What cannot be read might have closed something: then nothing passes. */
function readPass(value: Json | undefined): PassRules | undefined {
  if (value === undefined || value === null) return undefined
  const rules = readPassRules(value)
  if (!('fault' in rules)) return rules
  log.warn('a channel has rules for what passes that cannot be read; nothing does', { member: rules.fault })
  return { ...usualPassRules, methods: [] }
}

function readDialects(value: Json | undefined): readonly DialectName[] | undefined {
  return Array.isArray(value) ? value.filter(isDialectName) : undefined
}

function isDialectName(value: Json): value is DialectName {
  return dialectNames.some(name => name === value)
}

function readHeaders(value: Json | undefined): HeaderRules | undefined {
  const object = asObject(value)
  if (!object) return undefined
  const texts = Object.entries(object).filter(([, text]) => typeof text === 'string')
  return readHeaderRules(Object.fromEntries(texts), header =>
    log.warn('a channel has a header that cannot be sent; it is left out', { header }),
  )
}

function filled(value: Json | undefined): string | undefined {
  return asText(value)?.trim() || undefined
}
