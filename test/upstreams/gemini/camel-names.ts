import { isObject, type Json, type JsonObject } from '../../../server/dialects/json.ts'

/** Data of the caller's own: its names are not the vendor's. */
const OPAQUE = ['args', 'response', 'parametersJsonSchema', 'responseJsonSchema', 'properties', 'labels']

/** The vendor takes both spellings of its names, `inline_data` and `inlineData`. */
export function camelNames(body: JsonObject): JsonObject {
  const camel: JsonObject = {}
  for (const [name, value] of Object.entries(body)) {
    const key = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    camel[key] = OPAQUE.includes(key) ? value : camelValue(value)
  }
  return camel
}

function camelValue(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map(one => camelValue(one) ?? null)
  return isObject(value) ? camelNames(value) : value
}

export function snakeName(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
