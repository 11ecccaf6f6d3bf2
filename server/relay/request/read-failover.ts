import { MOST_OWN_FALLBACKS } from '../../../contract/model-calls.ts'
import { ANY_MODEL } from '../../../contract/settings/model-fallbacks.ts'
import { isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import { refuseField } from '../../dialects/refuse.ts'

/** What a caller wants where its model cannot be had, in the words that clients of LiteLLM use. */
export interface Failover {
  /** Its own model, or none. */
  readonly off: boolean
  /** In place of those that the operator names. */
  readonly models: readonly string[] | undefined
  /** How many more channels of a model may be asked, as far as the operator allows it. */
  readonly retries: number | undefined
}

/** Undefined where nothing is said of it, as nearly always. */
export function readFailover(json: JsonObject, model: string): Failover | undefined {
  const { disable_fallbacks, fallbacks, num_retries } = json
  if (disable_fallbacks === undefined && fallbacks === undefined && num_retries === undefined)
    return undefined
  return {
    off: readFlag(disable_fallbacks ?? false),
    models: readModels(fallbacks ?? undefined, model),
    retries: readRetries(num_retries ?? undefined),
  }
}

function readFlag(value: Json): boolean {
  if (typeof value !== 'boolean') refuseField('disable_fallbacks', 'field.flag')
  return value
}

function readRetries(value: Json | undefined): number | undefined {
  if (value === undefined || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0))
    return value
  refuseField('num_retries', 'field.whole-from', { least: 0 })
}

/** A list of names, or lists by the model that they are for; what is said of other models says nothing of this. */
function readModels(value: Json | undefined, model: string): readonly string[] | undefined {
  // Anthropic's clients leave it to others which they are.
  if (value === undefined || value === 'default') return undefined
  const given = Array.isArray(value) ? value : [value]
  const names = given.map(nameOf)
  if (names.every(name => name !== undefined)) return bounded(names)
  const byModel = new Map<string, readonly string[]>()
  for (const one of given) {
    if (!isObject(one)) refuseField('fallbacks', 'field.models')
    for (const [of, list] of Object.entries(one)) if (!byModel.has(of)) byModel.set(of, asNames(list))
  }
  const own = byModel.get(model) ?? byModel.get(ANY_MODEL)
  return own && bounded(own)
}

/** A model may also stand in an object of its own; one that is to be asked something else cannot be had here. */
function nameOf(value: Json): string | undefined {
  if (typeof value === 'string') return value
  if (!isObject(value) || typeof value.model !== 'string') return undefined
  return Object.keys(value).length === 1 ? value.model : undefined
}

function asNames(value: Json | undefined): readonly string[] {
  if (Array.isArray(value) && value.every(name => typeof name === 'string')) return value
  refuseField('fallbacks', 'field.models')
}

function bounded(names: readonly string[]): readonly string[] {
  if (names.length > MOST_OWN_FALLBACKS)
    refuseField('fallbacks', 'field.most-models', { most: MOST_OWN_FALLBACKS })
  return [...new Set(names)]
}
