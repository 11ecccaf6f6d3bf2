import { asArray, asText, type Json, type JsonObject } from '../../../dialects/json.ts'
import { refuseField, refuseNamed, refuseValue } from '../../../dialects/refuse.ts'

/** What narrows a search in Perplexity's words, and must not be lost: other results would come. */
const filters = [
  'search_domain_filter',
  'country',
  'search_language_filter',
  'search_recency_filter',
  'search_after_date_filter',
  'search_before_date_filter',
  'last_updated_after_filter',
  'last_updated_before_filter',
] as const
type Filter = (typeof filters)[number]

/** The one query, for a vendor that takes no more at once; refuses what it cannot be told. */
export function readSearch(fields: JsonObject, carried: readonly Filter[]): string {
  const { query, search_type: type = null } = fields
  const [first, ...more] = Array.isArray(query) ? query : [query]
  if (more.length > 0) refuseNamed('query', `${more.length + 1}`)
  if (type !== null && type !== 'web' && type !== 'fast') refuseNamed('search_type', type)
  for (const name of filters) if (isGiven(fields[name]) && !carried.includes(name)) refuseNamed(name)
  return asText(first) ?? ''
}

function isGiven(value: Json | undefined): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== ''
}

/** Sites to search alone, and those that are left out, which have a minus before them. */
export function readDomains({ search_domain_filter: given }: JsonObject): {
  readonly only: string[]
  readonly never: string[]
} {
  const all = asArray(given).flatMap(one => asText(one)?.trim() || [])
  return {
    only: all.filter(domain => !domain.startsWith('-')),
    never: all.filter(domain => domain.startsWith('-')).map(domain => domain.slice(1)),
  }
}

const americanDate = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/
const longDate = /^\d{4}-\d{2}-\d{2}$/

/** Days are written as 11/18/2026 there; as 2026-11-18 everywhere else. */
export function readDay(
  fields: JsonObject,
  name: 'search_after_date_filter' | 'search_before_date_filter',
): string | undefined {
  const given = fields[name]
  if (!isGiven(given)) return undefined
  const text = asText(given)?.trim() ?? ''
  if (longDate.test(text)) return text
  const [, month, day, year] = americanDate.exec(text) ?? []
  if (!month || !day || !year) refuseField(name, 'field.like', { example: '11/18/2026' })
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** Two letters, in capitals. */
export function readCountry({ country }: JsonObject): string | undefined {
  if (!isGiven(country)) return undefined
  const code = asText(country)?.trim().toUpperCase() ?? ''
  if (!/^[A-Z]{2}$/.test(code)) refuseValue('country', country)
  return code
}

/** Those of the vendor's own fields that a client has sent, as they are. */
export function pickFields(fields: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap(name => (isGiven(fields[name]) ? [[name, fields[name]]] : [])))
}
