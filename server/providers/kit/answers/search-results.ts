import { asObject, asText, type Json, type JsonObject } from '../../../dialects/json.ts'

/** Something that was found, as its vendor tells it. */
export interface Found {
  readonly title?: Json | undefined
  readonly url?: Json | undefined
  readonly snippet?: Json | undefined
  readonly date?: Json | undefined
}

/** The answer to a search in Perplexity's words. `units` is as how many searches the vendor counts it, where it does. */
export function writeResults(
  id: Json | undefined,
  results: readonly Json[],
  readResult: (result: JsonObject) => Found,
  units: number | undefined,
): JsonObject {
  return {
    object: 'search',
    id: asText(id) ?? crypto.randomUUID(),
    results: results.flatMap(result => {
      const { title, url, snippet, date } = readResult(asObject(result) ?? {})
      if (!asText(url)) return []
      const told = { title: asText(title) ?? '', url, snippet: asText(snippet) ?? '' }
      return [{ ...told, date: asText(date) ?? null, last_updated: null }]
    }),
    ...(units !== undefined && { usage: { search_units: units } }),
  }
}
