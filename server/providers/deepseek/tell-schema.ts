import { asArray, asObject, type JsonObject } from '../../dialects/json.ts'
import type { Edits } from '../define.ts'
import { addSystem } from '../kit/edits/add-system.ts'

/** The vendor knows JSON but no schemas: the model is told of the schema instead of being held to it. */
export function tellSchema(body: JsonObject): Edits | undefined {
  const format = asObject(body.response_format)
  if (format?.type !== 'json_schema') return undefined
  const schema = asObject(asObject(format.json_schema)?.schema) ?? {}
  const words = `Answer with one JSON value that matches the JSON Schema below and nothing else: no prose around it, no code fence.\n${JSON.stringify(schema)}`
  return {
    messages: addSystem(asArray(body.messages), words),
    // What it calls JSON is always an object.
    response_format: (schema.type ?? 'object') === 'object' ? { type: 'json_object' } : undefined,
  }
}
