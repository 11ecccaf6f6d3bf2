import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { name } from './settings/define.ts'

/** As many as one list may name, and as many as are taken at once. */
export const MOST_LISTED = 20_000
const MOST_TAKEN = 5000

/**
 * What can be said of one model: by `model_price` in dollars for a call, or by ratios. What is left out is unknown. The
 * last three are there together: what becomes of input and output when the input has more tokens than so many.
 */
const figure = z.number().check(z.gte(0), z.lte(1_000_000_000))
const listedPrice = z.object({
  model_price: z.optional(figure),
  model_ratio: z.optional(figure),
  completion_ratio: z.optional(figure),
  cache_ratio: z.optional(figure),
  create_cache_ratio: z.optional(figure),
  long_input_ratio: z.optional(figure),
  long_output_ratio: z.optional(figure),
  long_input_from: z.optional(figure),
})
export type ListedPrice = z.output<typeof listedPrice>

const comparedModel = z.object({
  model: name,
  /** Whether an enabled channel has it. */
  served: z.boolean(),
  /** What is in force here; null where it has no price. */
  own: z.nullable(listedPrice),
  theirs: listedPrice,
})
export type ComparedModel = z.output<typeof comparedModel>

export const priceSourceEndpoints = {
  priceSources: endpoint({
    method: 'GET',
    path: '/api/ratio_sync/channels',
    access: 'root',
    summary: {
      zh: '可以比较价格的渠道：填有自己地址的，每个地址一个',
      en: 'Channels to compare prices with: those with an address of their own, one for each address',
    },
    output: z.array(z.object({ id: z.int(), name: z.string(), base_url: z.string() })),
  }),
  comparePrices: endpoint({
    method: 'POST',
    path: '/api/ratio_sync/fetch',
    access: 'root',
    bodyLimit: 8 * 1024,
    summary: {
      zh: '读取某个渠道上游或某个地址的价格，返回与本站不同的模型；不修改任何内容',
      en: 'Read the prices of a channel’s upstream or of an address, and tell where they differ from those here; changes nothing',
    },
    /** One of the two. An address without a path is that of a gateway. */
    body: z.object({
      channel_id: z.optional(z.int().check(z.gte(1))),
      url: z.optional(z.string().check(z.maxLength(2000))),
    }),
    output: z.object({
      /** What kind of list was found. */
      form: z.enum(['ratio_config', 'pricing', 'litellm', 'models.dev', 'openrouter']),
      /** How many models it has a price for that could be taken over, and of how many others it says something. */
      listed: z.int(),
      left_out: z.int(),
      /** Those of the first kind whose price here is another. */
      models: z.array(comparedModel),
    }),
  }),
  takePrices: endpoint({
    method: 'POST',
    path: '/api/ratio_sync/apply',
    access: 'root',
    bodyLimit: 4 * 1024 * 1024,
    summary: {
      zh: '采用选中的价格：全部保存，或者在其中任何一个已被他人修改时全部不保存',
      en: 'Take chosen prices over: all of them, or none where the price here of any is no longer the one given as `own`',
    },
    body: z.object({
      models: z
        .array(z.pick(comparedModel, { model: true, own: true, theirs: true }))
        .check(z.minLength(1), z.maxLength(MOST_TAKEN)),
      /** Where they are from, for the record of changes. */
      source: z.optional(z.string().check(z.maxLength(2000))),
    }),
  }),
}
