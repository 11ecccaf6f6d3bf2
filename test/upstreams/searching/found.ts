import { asArray, asText } from '../../../server/dialects/json.ts'
import { NO_TALLY } from '../tally.ts'
import type { Call, Rendered } from '../upstream.ts'

/** What there is to be found. */
export const FOUND = [
  { title: 'Foxes', url: 'https://foxes.example/', snippet: 'About foxes.', date: '2026-11-01' },
  { title: 'Dens', url: 'https://dens.example/', snippet: 'Where they live.', date: '2026-10-01' },
] as const

export function render(said: object): Rendered {
  return { contentType: 'application/json', body: JSON.stringify(said), tally: NO_TALLY }
}

/** In Perplexity's words; of several queries there is a list for each. */
export function answerResults({ body, newId }: Call): Rendered {
  const one = FOUND.map(found => ({ ...found, last_updated: '2026-11-02' }))
  const queries = asArray(body.query)
  return render({
    id: newId('search-', 8),
    results: asText(body.query) === undefined && queries.length > 1 ? queries.map(() => one) : one,
    server_time: null,
  })
}
