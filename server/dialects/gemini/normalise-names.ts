import type { Json, JsonObject } from '../json.ts'

/** Below these stand the caller's own names, which are nobody's to change. */
const OPAQUE = new Set([
  'args',
  'labels',
  'parameters',
  'parametersJsonSchema',
  'partMetadata',
  'response',
  'responseJsonSchema',
  'responseSchema',
])
/** Deeper than any field of the API. */
const DEEPEST = 16

/** The API takes every field as `camelCase` and as `snake_case`; from here on there is only the first. */
export function normaliseNames(body: JsonObject): JsonObject {
  return normaliseObject(body, 0)
}

function normaliseObject(object: JsonObject, depth: number): JsonObject {
  const named: JsonObject = {}
  for (const key of Object.keys(object)) {
    if (key === '__proto__') continue
    const name = toCamel(key)
    if (name !== key && object[name] !== undefined) continue
    const value = object[key]
    named[name] = value === undefined || OPAQUE.has(name) ? value : normaliseValue(value, depth + 1)
  }
  return named
}

function normaliseValue(value: Json, depth: number): Json {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value
  if (Array.isArray(value)) return value.map(item => normaliseValue(item, depth + 1))
  return normaliseObject(value, depth)
}

function toCamel(key: string): string {
  return key.includes('_') ? key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()) : key
}
