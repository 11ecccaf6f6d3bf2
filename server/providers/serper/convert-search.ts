import { asArray, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { PlainConversion } from '../define.ts'
import { asCount } from '../kit/answers/count.ts'
import { writeResults } from '../kit/answers/search-results.ts'
import { pickFields, readCountry, readDomains, readSearch } from '../kit/edits/search-fields.ts'

const carried = ['search_domain_filter', 'country', 'search_recency_filter'] as const
const own = ['hl', 'location', 'tbs', 'page', 'autocorrect'] as const

/** What Google is asked: the words, and the sites to search alone or to leave out in words of their own. */
export const searchConversion: PlainConversion = {
  writeRequest(fields) {
    const { only, never } = readDomains(fields)
    const sites = only.map(domain => `site:${domain}`).join(' OR ')
    const words = [
      readSearch(fields, carried),
      only.length > 1 ? `(${sites})` : sites,
      ...never.map(domain => `-site:${domain}`),
    ]
    const { max_results: most, search_recency_filter: recency } = fields
    const country = readCountry(fields)
    return {
      q: words.filter(Boolean).join(' '),
      ...(typeof most === 'number' && { num: most }),
      ...(country !== undefined && { gl: country.toLowerCase() }),
      ...(asText(recency) && { tbs: readRange(recency) }),
      ...pickFields(fields, own),
    }
  },
  readAnswer(body) {
    if (!Array.isArray(body.organic)) return undefined
    return writeResults(undefined, asArray(body.organic), readResult, asCount(body.credits))
  },
}

function readResult({ title, link, snippet, date }: JsonObject) {
  return { title, url: link, snippet, date }
}

const ranges: Readonly<Record<string, string>> = { hour: 'h', day: 'd', week: 'w', month: 'm', year: 'y' }

function readRange(recency: Json | undefined): string {
  const told = asText(recency) ?? ''
  const letter = Object.hasOwn(ranges, told) ? ranges[told] : undefined
  return letter === undefined ? refuseNamed('search_recency_filter', told) : `qdr:${letter}`
}
