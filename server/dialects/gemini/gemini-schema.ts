import { asArray, isObject, type Json, type JsonObject } from '../json.ts'
import { refuseField } from '../refuse.ts'

const DEEPEST = 64
/** What the OpenAPI subset knows and JSON Schema spells the same. */
const SHARED = [
  'title',
  'description',
  'format',
  'default',
  'pattern',
  'required',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
]
const COUNTS = new Set(['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties'])

/** The API's own schema (types in capitals, `nullable`, either spelling of the names) as JSON Schema. */
export function toJsonSchema(schema: JsonObject, field: string, depth = 0): JsonObject {
  if (depth > DEEPEST) refuseField(field, 'field.too-deep')
  const inner = (value: Json | undefined) => (isObject(value) ? toJsonSchema(value, field, depth + 1) : value)
  const plain: JsonObject = {}
  for (const key of Object.keys(schema)) {
    const value = schema[key]
    const name = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    if (key === '__proto__' || value === undefined || value === null) continue
    if (name === 'nullable' || name === 'propertyOrdering') continue
    if (name === 'type') plain.type = lowerType(value)
    else if ((name === 'properties' || name === '$defs') && isObject(value))
      plain[name] = mapValues(value, inner)
    else if (name === 'items' || name === 'additionalProperties') plain[name] = inner(value)
    else if (name === 'anyOf') plain.anyOf = asArray(value).map(item => inner(item) ?? null)
    else if (name === 'example') plain.examples = [value]
    else if (COUNTS.has(name)) plain[name] = readCount(value)
    else if (name === 'format' && value === 'enum') continue
    else plain[name] = value
  }
  return schema.nullable === true ? allowNull(plain) : plain
}

/** JSON Schema as the subset that models before 2.5 take; what it cannot say is left out. */
export function toGeminiSchema(schema: JsonObject, field: string, depth = 0): JsonObject {
  if (depth > DEEPEST) refuseField(field, 'field.too-deep')
  const inner = (value: Json | undefined) => (isObject(value) ? toGeminiSchema(value, field, depth + 1) : {})
  const subset: JsonObject = {}
  for (const key of SHARED) if (schema[key] !== undefined) subset[key] = schema[key]
  const types = typesOf(schema)
  const branches = asArray(schema.anyOf ?? schema.oneOf)
  const real = branches.filter(branch => !isNull(branch))
  const [first] = real
  if (types.includes('null') || real.length < branches.length) subset.nullable = true
  if (real.length === 1) Object.assign(subset, inner(first))
  else if (real.length > 1) subset.anyOf = real.map(inner)
  const type = types.find(word => word !== 'null')
  if (type !== undefined) subset.type = type.toUpperCase()
  if (isObject(schema.properties)) subset.properties = mapValues(schema.properties, inner)
  if (type === 'array' || schema.items !== undefined) subset.items = inner(schema.items)
  const choices = schema.const === undefined ? schema.enum : [schema.const]
  if (Array.isArray(choices) && choices.every(choice => typeof choice === 'string')) subset.enum = choices
  return subset
}

/** Both of Google's JSON Schema fields refuse the dialect mark. */
export function stripSchemaMark(schema: JsonObject): JsonObject {
  if (schema.$schema === undefined) return schema
  const { $schema: _, ...rest } = schema
  return rest
}

function isNull(value: Json): boolean {
  return isObject(value) && value.type === 'null'
}

function typesOf(schema: JsonObject): string[] {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  return types.filter(type => typeof type === 'string')
}

function lowerType(value: Json): Json {
  if (typeof value === 'string') return value.toLowerCase()
  return Array.isArray(value) ? value.map(lowerType) : value
}

/** The API writes its 64-bit counts as text. */
function readCount(value: Json): Json {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
}

function allowNull(schema: JsonObject): JsonObject {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  const withNull: JsonObject = { ...schema, type: [schema.type, 'null'] }
  if (Array.isArray(schema.enum)) withNull.enum = [...schema.enum, null]
  return withNull
}

function mapValues(object: JsonObject, change: (value: Json | undefined) => Json | undefined): JsonObject {
  const entries = Object.entries(object).map(([key, value]) => [key, change(value)] as const)
  return Object.fromEntries(entries)
}
