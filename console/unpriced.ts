import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fill, type Params } from '../contract/language.ts'
import { MOST_ASKED, unpricedEndpoints } from '../contract/unpriced.ts'
import { call } from './api.ts'
import { useLanguage } from './text.ts'
import { unpricedTexts } from './unpriced-words.ts'

/** Of these models, or else of all that enabled channels offer, the ones that nobody has priced. */
export function unpricedQuery(models?: readonly string[]) {
  return queryOptions({
    queryKey: ['unpriced', models ?? 'offered'],
    queryFn: ({ signal }) =>
      call(unpricedEndpoints.unpricedModels, {
        body: models ? { models: models.slice(0, MOST_ASKED) } : {},
        signal,
      }),
    placeholderData: keepPreviousData,
    // Prices are set in another tab, and whoever comes back wants to see that it helped.
    refetchOnWindowFocus: 'always',
  })
}

export function useUnpricedText(): (text: keyof typeof unpricedTexts, params?: Params) => string {
  const language = useLanguage()
  return (text, params) => fill(unpricedTexts[text][language], params)
}
