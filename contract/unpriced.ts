import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** As many as one question may name. */
export const MOST_ASKED = 5000

/** Apart from the other prices, which every visitor's console knows of. */
export const unpricedEndpoints = {
  unpricedModels: endpoint({
    method: 'POST',
    path: '/api/pricing/unpriced',
    access: 'admin',
    bodyLimit: 2 * 1024 * 1024,
    summary: {
      zh: '没有价格、调用会被拒绝的模型：所给的 models 之中，未给时为已启用渠道提供的模型之中',
      en: 'Models without a price, whose calls are refused: of those given, or else of those that enabled channels offer',
    },
    body: z.object({
      models: z.optional(z.array(z.string().check(z.maxLength(255))).check(z.maxLength(MOST_ASKED))),
    }),
    output: z.array(z.string()),
  }),
}
