import { asArray, isObject, type Json, type JsonObject } from './json.ts'

const DEEPEST = 64
/** Words of JSON Schema that OpenAI's strict mode refuses. */
const REFUSED = [
  'allOf',
  'oneOf',
  'not',
  'if',
  'default',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'propertyNames',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
  'uniqueItems',
]

/**
 * Whether OpenAI takes a schema as strict: an object that names all it holds, each of them required, all the
 * way down. Other vendors hold models to looser ones, so what they call strict need not be.
 */
export function isStrictSchema(schema: JsonObject): boolean {
  return schema.type === 'object' && keepsRules(schema, 0)
}

function keepsRules(schema: Json | undefined, depth: number): boolean {
  if (!isObject(schema) || depth > DEEPEST) return false
  if (REFUSED.some(word => schema[word] !== undefined)) return false
  const properties = isObject(schema.properties) ? schema.properties : {}
  if (isOfObjects(schema) && !isClosed(schema, Object.keys(properties))) return false
  const inner = [
    ...[properties, schema.$defs, schema.definitions].flatMap(map =>
      isObject(map) ? Object.values(map) : [],
    ),
    ...asArray(schema.anyOf),
    ...(schema.items === undefined ? [] : [schema.items]),
  ]
  return inner.every(each => keepsRules(each, depth + 1))
}

function isOfObjects({ type, properties }: JsonObject): boolean {
  return type === 'object' || asArray(type).includes('object') || properties !== undefined
}

function isClosed(schema: JsonObject, names: readonly string[]): boolean {
  const required = new Set(asArray(schema.required))
  return schema.additionalProperties === false && names.every(name => required.has(name))
}
