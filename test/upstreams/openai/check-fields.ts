import { asArray, asObject, isObject, type Json, type JsonObject } from '../../../server/dialects/json.ts'
import type { Call } from '../upstream.ts'
import { refuseModel, refuseOpenai } from './fail.ts'

type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'

const ARTICLES: Record<Kind, string> = {
  string: 'a string',
  number: 'a decimal',
  integer: 'an integer',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
}

/** `null` stands for "not given" in most of the vendor's fields. */
export function checkTypes(body: JsonObject, kinds: Readonly<Record<string, Kind | readonly Kind[]>>): void {
  for (const [name, kind] of Object.entries(kinds)) {
    const value = body[name]
    if (value === undefined || value === null) continue
    const wanted = typeof kind === 'string' ? [kind] : kind
    if (wanted.some(one => isKind(value, one))) continue
    const got = Array.isArray(value) ? 'an array' : `a${typeof value === 'object' ? 'n' : ''} ${typeof value}`
    const list = wanted.map(one => ARTICLES[one]).join(' or ')
    refuseOpenai(
      `Invalid type for '${name}': expected ${list}, but got ${got} instead.`,
      name,
      'invalid_type',
    )
  }
}

function isKind(value: unknown, kind: Kind): boolean {
  if (kind === 'array') return Array.isArray(value)
  if (kind === 'integer') return Number.isInteger(value)
  if (kind === 'object') return typeof value === 'object' && !Array.isArray(value)
  return typeof value === kind
}

export function checkRange(body: JsonObject, name: string, low: number, high: number): void {
  const value = body[name]
  if (typeof value !== 'number') return
  if (value < low)
    refuseOpenai(
      `Invalid '${name}': decimal below minimum value. Expected a value >= ${low}, but got ${value} instead.`,
      name,
      'decimal_below_min_value',
    )
  if (value > high)
    refuseOpenai(
      `Invalid '${name}': decimal above maximum value. Expected a value <= ${high}, but got ${value} instead.`,
      name,
      'decimal_above_max_value',
    )
}

export function checkModel(call: Call): string {
  const { model } = call.body
  if (typeof model !== 'string' || model === '') refuseOpenai('you must provide a model parameter')
  if (call.options.models !== undefined && !call.options.models.includes(model)) refuseModel(model)
  return model
}

/** o1, o3, o4-mini, gpt-5 and whatever came after. */
export function isReasoningModel(model: string): boolean {
  if (/^o\d/.test(model)) return true
  const version = /^gpt-(\d+)/.exec(model)?.[1]
  return version !== undefined && Number(version) >= 5 && !model.includes('chat-latest')
}

export function checkName(name: unknown, where: string): void {
  if (typeof name !== 'string')
    refuseOpenai(`Missing required parameter: '${where}'.`, where, 'missing_required_parameter')
  if (!/^[a-zA-Z0-9_-]+$/.test(name))
    refuseOpenai(
      `Invalid '${where}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
      where,
      'invalid_value',
    )
  if (name.length > 64)
    refuseOpenai(
      `Invalid '${where}': string too long. Expected a string with maximum length 64, but got a string with length ${name.length} instead.`,
      where,
      'string_above_max_length',
    )
}

export function checkStrictSchema(schema: unknown, strict: unknown, what: string, param: string): void {
  if (strict === true && isObject(schema)) checkStrict(schema, `Invalid schema for ${what}:`, param, [])
}

/** Every object of it is closed, and has no field that may be left out. */
function checkStrict(schema: JsonObject, start: string, param: string, path: readonly string[]): void {
  const properties = asObject(schema.properties) ?? {}
  const where = `${start} In context=(${path.map(step => `'${step}'`).join(', ')}),`
  if ([schema.type].flat().includes('object')) {
    if (schema.additionalProperties !== false)
      refuseOpenai(
        `${where} 'additionalProperties' is required to be supplied and to be false.`,
        param,
        'invalid_json_schema',
      )
    const missing = Object.keys(properties).find(name => !asArray(schema.required).includes(name))
    if (missing !== undefined)
      refuseOpenai(
        `${where} 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`,
        param,
        'invalid_json_schema',
      )
  }
  for (const word of ['allOf', 'oneOf', 'not', 'default'])
    if (schema[word] !== undefined)
      refuseOpenai(`${where} '${word}' is not permitted.`, param, 'invalid_json_schema')
  const inner: [string, Json | undefined][] = [
    ...Object.entries(properties),
    ...Object.entries(asObject(schema.$defs) ?? {}),
    ...asArray(schema.anyOf).map((each, at): [string, Json] => [String(at), each]),
    ['items', schema.items],
  ]
  for (const [name, each] of inner) if (isObject(each)) checkStrict(each, start, param, [...path, name])
}
