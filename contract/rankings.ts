import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { rankingMeasures, rankingPeriods } from './ranking-choices.ts'

/** Shares are of everything that was used of the models which users may choose, in whole thousandths. */
const place = {
  rank: z.int(),
  share: z.number(),
  /** In the period before; null where it was not among those that can be told of. */
  rank_before: z.nullable(z.int()),
  share_before: z.nullable(z.number()),
}
const rankedModel = z.object({ model_name: z.string(), owner_by: z.string(), ...place })
export type RankedModel = z.output<typeof rankedModel>

const rankedVendor = z.object({ vendor: z.string(), ...place })
export type RankedVendor = z.output<typeof rankedVendor>

const rankings = z.object({
  period: z.enum(rankingPeriods),
  by: z.enum(rankingMeasures),
  /** Whole hours: from this one on, and before that one. */
  from: z.int(),
  to: z.int(),
  /** Those that came first, of which enough was used, and by enough users, to tell. */
  models: z.array(rankedModel),
  vendors: z.array(rankedVendor),
})
export type Rankings = z.output<typeof rankings>

export const rankingEndpoints = {
  rankings: endpoint({
    method: 'GET',
    path: '/api/rankings',
    access: 'public',
    summary: {
      zh: '最近一天、一周或一月中使用最多的模型与厂商，按 Token 或调用次数所占的份额；未启用时为 404',
      en: 'The models and vendors that were used most in a day, a week or a month, by their share of tokens or calls; 404 while it is switched off',
    },
    query: z.object({
      period: z._default(z.enum(rankingPeriods), 'week'),
      by: z._default(z.enum(rankingMeasures), 'tokens'),
    }),
    output: rankings,
  }),
}
