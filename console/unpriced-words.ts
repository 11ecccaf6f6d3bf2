import type { Text } from '../contract/language.ts'

/** How an operator is told of models without a price, in the form of a channel, on the dashboard and beside the prices. */
export const unpricedTexts = {
  chosen: {
    zh: '{count} 个模型没有价格，调用会被拒绝。',
    en: 'Models without a price: {count}. Calls to them are refused.',
  },
  offered: {
    zh: '渠道提供的 {count} 个模型没有价格，调用会被拒绝。',
    en: 'Offered models without a price: {count}. Calls to them are refused.',
  },
  /** In the one line that a phone has for it. */
  hint: {
    zh: '{count} 个模型没有价格，调用会被拒绝',
    en: 'Unpriced models, calls refused: {count}',
  },
  set: { zh: '设置价格', en: 'Set prices' },
  setEach: { zh: '点击名称设置价格：', en: 'Click a name to set its price:' },
  ask: { zh: '只有超级管理员可以设置价格。', en: 'Only the super administrator can set prices.' },
  all: { zh: '全部 {count} 个', en: 'All {count}' },
} as const satisfies Readonly<Record<string, Text>>
