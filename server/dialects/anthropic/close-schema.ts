import { asArray, isObject, type Json, type JsonObject } from '../json.ts'

const DEEPEST = 64
/** Constraints that are a 400 here; they are told to the model in the description instead. */
const UNTAKEN: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
])
const LISTS: ReadonlySet<string> = new Set(['anyOf', 'allOf', 'prefixItems'])
const MAPS: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions'])

/**
 * A schema as output_config.format takes it: every object closed. Undefined where that would change what is
 * asked for: an object with names of its own choosing could only be empty then.
 */
export function closeSchema(schema: JsonObject, depth = 0): JsonObject | undefined {
  if (depth > DEEPEST || isMap(schema)) return undefined
  const closed: JsonObject = {}
  const told: string[] = []
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$schema' || key === '__proto__' || value === undefined) continue
    const name = key === 'oneOf' ? 'anyOf' : key
    if (UNTAKEN.has(name) || (name === 'minItems' && value !== 0 && value !== 1)) {
      told.push(`${name}: ${JSON.stringify(value)}`)
      continue
    }
    const inner = closeInner(name, value, depth + 1)
    if (inner === undefined) return undefined
    closed[name] = inner
  }
  if (told.length > 0) closed.description = describe(closed.description, told)
  if (isObjectSchema(schema)) closed.additionalProperties = false
  return closed
}

function closeInner(name: string, value: Json, depth: number): Json | undefined {
  if (name === 'items') return isObject(value) ? closeSchema(value, depth) : value
  if (LISTS.has(name)) return closeList(asArray(value), depth)
  if (!MAPS.has(name) || !isObject(value)) return value
  const entries = Object.entries(value)
  const closed = closeList(
    entries.map(([, each]) => each ?? null),
    depth,
  )
  return closed && Object.fromEntries(entries.map(([key], index) => [key, closed[index]]))
}

function closeList(list: readonly Json[], depth: number): Json[] | undefined {
  const closed: Json[] = []
  for (const each of list) {
    const one = isObject(each) ? closeSchema(each, depth) : each
    if (one === undefined) return undefined
    closed.push(one)
  }
  return closed
}

function isObjectSchema({ type, properties }: JsonObject): boolean {
  return type === 'object' || asArray(type).includes('object') || isObject(properties)
}

function isMap(schema: JsonObject): boolean {
  const { properties, additionalProperties: others } = schema
  if (!isObjectSchema(schema) || others === false) return false
  return isObject(others) || !isObject(properties) || Object.keys(properties).length === 0
}

function describe(description: Json | undefined, told: readonly string[]): string {
  const said = `(${told.join(', ')})`
  return typeof description === 'string' && description !== '' ? `${description} ${said}` : said
}
