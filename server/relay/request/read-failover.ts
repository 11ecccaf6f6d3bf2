import { MOST_OWN_FALLBACKS } from '../../../contract/model-calls.ts'
import { ANY_MODEL } from '../../../contract/settings/model-fallbacks.ts'
import { isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'

/** What a caller wants where its model cannot be had, in the words that clients of LiteLLM use. */
export interface Failover {
  /** Its own model, or none. */
  readonly off: boolean
  /** In place of those that the operator names. */
  readonly models: readonly string[] | undefined
  /** How many more channels of a model may be asked, as far as the operator allows it. */
  readonly retries: number | undefined
}

const NO_LIST = 'must be a list of models'

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
  if (typeof value !== 'boolean') throw refusal('disable_fallbacks', 'must be true or false')
  return value
}

function readRetries(value: Json | undefined): number | undefined {
  if (value === undefined || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0))
    return value
  throw refusal('num_retries', 'must be a whole number of 0 or more')
}

/** A list of names, or lists by the model that they are for; what is said of other models says nothing of this. */
function readModels(value: Json | undefined, model: string): readonly string[] | undefined {
  if (value === undefined) return undefined
  const given = Array.isArray(value) ? value : [value]
  const names = given.map(nameOf)
  if (names.every(name => name !== undefined)) return bounded(names)
  const byModel = new Map<string, readonly string[]>()
  for (const one of given) {
    if (!isObject(one)) throw refusal('fallbacks', NO_LIST)
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
  throw refusal('fallbacks', NO_LIST)
}

function bounded(names: readonly string[]): readonly string[] {
  if (names.length > MOST_OWN_FALLBACKS)
    throw refusal('fallbacks', `must be ${MOST_OWN_FALLBACKS} models at most`)
  return [...new Set(names)]
}

function refusal(field: string, detail: string): AppError {
  return new AppError('dialect.field', { field, detail })
}
