import { asArray, asObject, asText, type Json, type JsonObject } from '../../server/dialects/json.ts'

/** An object that fits the schema: its required fields, each told by its own name. */
export function fillSchema(schema: JsonObject | undefined): JsonObject {
  const properties = asObject(schema?.properties) ?? {}
  const filled: JsonObject = {}
  for (const name of asArray(schema?.required)) {
    if (typeof name === 'string') filled[name] = fillValue(name, asObject(properties[name]) ?? {})
  }
  return filled
}

function fillValue(name: string, schema: JsonObject): Json {
  const [choice] = asArray(schema.enum)
  if (choice !== undefined) return choice
  const type = asText(schema.type)?.toLowerCase()
  if (type === 'number' || type === 'integer') return 1
  if (type === 'boolean') return true
  if (type === 'array') return [fillValue(name, asObject(schema.items) ?? {})]
  if (type === 'object') return fillSchema(schema)
  return `some ${name}`
}
