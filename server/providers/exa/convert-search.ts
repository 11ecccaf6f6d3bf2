import { asArray, asText, type JsonObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { PlainConversion } from '../define.ts'
import { writeResults } from '../kit/answers/search-results.ts'
import { pickFields, readCountry, readDay, readDomains, readSearch } from '../kit/edits/search-fields.ts'

const carried = [
  'search_domain_filter',
  'country',
  'search_after_date_filter',
  'search_before_date_filter',
] as const
/** Further results are paid one by one: whoever asks for more gets as many as the price of a search is for. */
const MOST_RESULTS = 10
/** Those that cost no more than the usual one. */
const types = ['auto', 'fast', 'instant', 'lite', 'neural', 'keyword']
const own = ['type', 'category'] as const
const TOKENS_PER_PAGE = 500
const CHARACTERS_PER_TOKEN = 4

export const searchConversion: PlainConversion = {
  writeRequest(fields) {
    const { only, never } = readDomains(fields)
    const after = readDay(fields, 'search_after_date_filter')
    const before = readDay(fields, 'search_before_date_filter')
    const country = readCountry(fields)
    const { max_results: most, max_tokens_per_page: length } = fields
    const type = fields.type ?? 'auto'
    if (!types.includes(asText(type) ?? '')) refuseNamed('type', type)
    const tokens = typeof length === 'number' && length > 0 ? length : TOKENS_PER_PAGE
    return {
      query: readSearch(fields, carried),
      numResults: Math.min(typeof most === 'number' ? most : MOST_RESULTS, MOST_RESULTS),
      contents: { text: { maxCharacters: Math.round(tokens * CHARACTERS_PER_TOKEN) } },
      ...(only.length > 0 && { includeDomains: only }),
      ...(never.length > 0 && { excludeDomains: never }),
      ...(after !== undefined && { startPublishedDate: `${after}T00:00:00.000Z` }),
      ...(before !== undefined && { endPublishedDate: `${before}T23:59:59.999Z` }),
      ...(country !== undefined && { userLocation: country }),
      ...pickFields(fields, own),
    }
  },
  readAnswer(body) {
    if (!Array.isArray(body.results)) return undefined
    return writeResults(body.requestId, asArray(body.results), readResult, undefined)
  },
}

function readResult({ title, url, text, publishedDate }: JsonObject) {
  return { title, url, snippet: text, date: asText(publishedDate)?.slice(0, 10) }
}
