import { createRoute } from '@tanstack/react-router'
import {
  type RankingMeasure,
  type RankingPeriod,
  rankingMeasures,
  rankingPeriods,
} from '../../../contract/ranking-choices.ts'
import { rootRoute } from '../../root-route.ts'
import { keepOnly, readChoice } from '../../search-params.ts'
import { loadText } from '../../text.ts'
import { rankingsText } from './catalogue.ts'

export interface RankingsSearch {
  period?: RankingPeriod
  by?: RankingMeasure
}

export const rankingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rankings',
  validateSearch: keepOnly(
    (search): RankingsSearch => ({
      ...readChoice(search, 'period', rankingPeriods),
      ...readChoice(search, 'by', rankingMeasures),
    }),
  ),
  loader: () => loadText(rankingsText),
}).lazy(() => import('./screen.tsx').then(({ screen }) => screen))
