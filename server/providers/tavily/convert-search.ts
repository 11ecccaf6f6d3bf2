import { asArray, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { PlainConversion } from '../define.ts'
import { asCount } from '../kit/answers/count.ts'
import { writeResults } from '../kit/answers/search-results.ts'
import { pickFields, readCountry, readDay, readDomains, readSearch } from '../kit/edits/search-fields.ts'

const carried = [
  'search_domain_filter',
  'country',
  'search_recency_filter',
  'search_after_date_filter',
  'search_before_date_filter',
] as const
/** What only this vendor has. Its answers in words and its pictures have no place in what comes back. */
const own = ['topic', 'search_depth', 'chunks_per_source', 'time_range', 'exact_match'] as const
const MOST_RESULTS = 20

export const searchConversion: PlainConversion = {
  writeRequest(fields) {
    const { only, never } = readDomains(fields)
    const after = readDay(fields, 'search_after_date_filter')
    const before = readDay(fields, 'search_before_date_filter')
    const country = readCountry(fields)
    const { max_results: most, search_recency_filter: recency } = fields
    return {
      query: readSearch(fields, carried),
      // A search that goes deeper costs two credits.
      include_usage: true,
      ...(typeof most === 'number' && { max_results: Math.min(most, MOST_RESULTS) }),
      ...(only.length > 0 && { include_domains: only }),
      ...(never.length > 0 && { exclude_domains: never }),
      ...(after !== undefined && { start_date: after }),
      ...(before !== undefined && { end_date: before }),
      ...(country !== undefined && { country: nameCountry(country) }),
      ...(asText(recency) && { time_range: readRange(recency) }),
      ...pickFields(fields, own),
    }
  },
  readAnswer(body, { search_depth }) {
    if (!Array.isArray(body.results)) return undefined
    const units = asCount(asObject(body.usage)?.credits) ?? (search_depth === 'advanced' ? 2 : 1)
    return writeResults(body.request_id, asArray(body.results), readResult, units)
  },
}

function readResult({ title, url, content, published_date }: JsonObject) {
  return { title, url, snippet: content, date: published_date }
}

const ranges = ['day', 'week', 'month', 'year']

function readRange(recency: Json | undefined): string {
  const told = asText(recency) ?? ''
  if (!ranges.includes(told)) refuseNamed('search_recency_filter', told)
  return told
}

const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
/** Where the vendor has an older name. */
const otherNames: Readonly<Record<string, string>> = {
  CZ: 'czech republic',
  HK: 'hong kong',
  MM: 'myanmar',
  TR: 'turkey',
}

/** Countries have their English names there. */
function nameCountry(code: string): string {
  const name = otherNames[code] ?? names.of(code)?.toLowerCase()
  return name ?? refuseNamed('country', code)
}
