import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import type { Text } from './language.ts'

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

/** How an operator is told of models without a price, in the form of a channel, on the dashboard and beside the prices. */
export const unpricedTexts = {
  chosen: {
    zh: '{count} 个模型没有价格，调用会被拒绝。',
    en: 'Models without a price: {count}. Calls of them are refused.',
  },
  offered: {
    zh: '渠道提供的 {count} 个模型没有价格，调用会被拒绝。',
    en: 'Models on offer without a price: {count}. Calls of them are refused.',
  },
  set: { zh: '设置价格', en: 'Set prices' },
  setEach: { zh: '点击名称设置价格：', en: 'Click a name to set its price:' },
  ask: { zh: '只有超级管理员可以设置价格。', en: 'Only the super administrator can set prices.' },
  all: { zh: '全部 {count} 个', en: 'All {count}' },
} as const satisfies Readonly<Record<string, Text>>
