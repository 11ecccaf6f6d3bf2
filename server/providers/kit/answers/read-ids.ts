import { asArray, asObject, asText, type JsonObject } from '../../../dialects/json.ts'

/** The names in a list of models as OpenAI has it; undefined when it is no list. */
export function readIds({ data }: JsonObject): readonly string[] | undefined {
  return Array.isArray(data) ? asArray(data).flatMap(model => asText(asObject(model)?.id) ?? []) : undefined
}
