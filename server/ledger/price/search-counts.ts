import type { SearchPrice } from './price-snapshot.ts'

/** Models whose every answer comes of a search, which their vendor does not count for whoever asks. */
const alwaysSearch = ['gpt-4o-search-preview', 'gpt-4o-mini-search-preview', 'gpt-5-search-api']
/** Models that are paid by the prompt that was searched for, however often. */
const searchOnce = ['gemini-1', 'gemini-2']

export function searchCounts(model: string): SearchPrice['counts'] {
  if (alwaysSearch.some(name => model.startsWith(name))) return 'always'
  return searchOnce.some(name => model.startsWith(name)) ? 'once' : undefined
}
