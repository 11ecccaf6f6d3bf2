import { isObject, type Json, type JsonObject } from './json.ts'

const types: ReadonlySet<Json | undefined> = new Set(['additional_tools', 'tool_search_output'])

/** Whether an item of OpenAI's conversations tells of tools: they are on offer from there on. */
export function tellsTools(item: Json): item is JsonObject {
  return isObject(item) && types.has(item.type)
}
