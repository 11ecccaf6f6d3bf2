import type { JsonObject } from '../../dialects/json.ts'
import { refuseField } from '../../dialects/refuse.ts'
import { readBounded } from './read-fields.ts'

/** Up to so many results are one search to every vendor. */
const USUAL_RESULTS = 10

/** One query, or several at once. */
export function checkQueries(fields: JsonObject): void {
  const { query } = fields
  const queries = Array.isArray(query) ? query : [query]
  const isTold = queries.length > 0 && queries.every(one => typeof one === 'string' && one.trim() !== '')
  if (!isTold) refuseField('query', 'field.text-or-texts')
  readBounded(fields, 'max_results')
}

/** As how many searches a vendor may count it: some take twice as much for going deeper, or for more results. */
export function mostUnits(fields: JsonObject): number {
  const { max_results = 0, search_depth } = fields
  return search_depth === 'advanced' || Number(max_results) > USUAL_RESULTS ? 2 : 1
}
