import { isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import { refuseField } from '../../dialects/refuse.ts'
import type { Usage } from '../../ledger/price/price-snapshot.ts'

/** What of its commands goes to a search engine. Opening what was found, reading on in it and the clock are free. */
const queries = ['search_query', 'image_query'] as const
const MOST_QUERIES = 100

/** How often the web is searched: once for each query; where no command is given, at least once, as the model likes. */
export function countSearches({ commands = null }: JsonObject): number {
  if (commands === null) return 1
  if (!isObject(commands)) refuseField('commands', 'field.object')
  let count = 0
  for (const name of queries) count += queriesIn(name, commands[name])
  if (count > MOST_QUERIES) refuseField('commands', 'field.most', { most: MOST_QUERIES })
  const isTold = Object.values(commands).some(given => Array.isArray(given) && given.length > 0)
  return isTold ? count : 1
}

function queriesIn(name: string, value: Json | undefined): number {
  if (value === undefined || value === null) return 0
  if (!Array.isArray(value)) refuseField(`commands.${name}`, 'field.list')
  return value.length
}

/** Nothing but searches is paid: what they find costs as input of the call in which it is read. */
export function searchUsage(fields: JsonObject): Usage {
  return { calls: 0, searches: countSearches(fields) }
}
