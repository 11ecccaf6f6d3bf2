import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { queryNumber } from './query-number.ts'

const ratios = z.record(z.string(), z.number())

/** Of the last day. How many calls there were is nobody's business. */
const recentCalls = z.object({
  /** The share that was answered, in whole hundredths. */
  success: z.number(),
  /** Milliseconds until half of the answers had begun; null where too few were streamed. */
  first_token: z.nullable(z.int()),
  /** Milliseconds until half of them were whole; null where too few tell. */
  latency: z.nullable(z.int()),
})
export type RecentCalls = z.output<typeof recentCalls>

/** `quota_type` 0 is by tokens, 1 by calls. The ratios after `completion_ratio` are relative to `model_ratio`. */
const pricedModel = z.object({
  model_name: z.string(),
  quota_type: z.int(),
  model_ratio: z.number(),
  model_price: z.number(),
  /** Who made it, as far as its name tells. */
  owner_by: z.string(),
  completion_ratio: z.number(),
  cache_ratio: z.number(),
  create_cache_ratio: z.number(),
  image_ratio: z.number(),
  audio_ratio: z.number(),
  audio_completion_ratio: z.number(),
  /** Of input that is kept in the cache for an hour. */
  create_cache_1h_ratio: z.number(),
  /** Where each of its answers comes of a search, which is paid too. */
  always_searches: z.optional(z.literal(true)),
  /** Where a longer input costs more: these take the place of those above, for all of a call whose input exceeds `over`. */
  long_input: z.optional(
    z.object({
      over: z.int(),
      model_ratio: z.number(),
      completion_ratio: z.number(),
      audio_completion_ratio: z.number(),
    }),
  ),
  /** Where kinds of what it makes have prices other than `model_price`: these, by size, quality, resolution or speed. */
  kind_prices: z.optional(ratios),
  /** How its calls went, where that is told; null where too few calls were made, or by too few users. */
  recent: z.optional(z.nullable(recentCalls)),
  /** Of the groups that the caller may use. */
  enable_groups: z.array(z.string()),
})
export type PricedModel = z.output<typeof pricedModel>

export const pricingEndpoints = {
  pricing: endpoint({
    method: 'GET',
    path: '/api/pricing',
    access: 'public',
    shape: 'bare',
    summary: {
      zh: '可用模型的价格；登录后包含自己的分组，或以 team 指定的自己所在团队的分组',
      en: 'Prices of the models on offer; with your own group when logged in, or with that of a team you are in and name by team',
    },
    query: z.object({ team: queryNumber }),
    output: z.object({
      success: z.literal(true),
      message: z.string(),
      data: z.array(pricedModel),
      /** Whose prices these are; blank for nobody’s. */
      own_group: z.string(),
      group_ratio: ratios,
      /** Those of `auto`, in their order. */
      auto_groups: z.array(z.string()),
      usable_group: z.record(z.string(), z.string()),
      /** Dollars for a thousand of the vendors' own searches and other tools, by the beginning of a model's name. */
      web_search_price: ratios,
      tool_price: ratios,
      /** What everything costs in a batch, and tokens in a chosen region, relative to the usual price. */
      batch_ratio: z.number(),
      inference_geo_ratio: z.number(),
      /** The same of an answer that is given again, where answers are kept. */
      answer_cache_ratio: z.optional(z.number()),
    }),
  }),
  ratioConfig: endpoint({
    method: 'GET',
    path: '/api/ratio_config',
    access: 'public',
    summary: { zh: '所有模型倍率与价格', en: 'All model ratios and prices' },
    output: z.object({
      model_ratio: ratios,
      completion_ratio: ratios,
      cache_ratio: ratios,
      create_cache_ratio: ratios,
      model_price: ratios,
      /** What becomes of input and output when the input is long, and the tokens that it has to exceed for that. */
      long_input_ratio: ratios,
      long_output_ratio: ratios,
      long_input_from: ratios,
    }),
  }),
}
