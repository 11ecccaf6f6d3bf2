import type { VendorPrices } from '../vendor-prices.ts'

/** Models that others sell with their maker's name before them, and for what they cost there or at their maker. */
export const underMakersNames: VendorPrices = {
  tokens: {
    'openai/gpt-4.1': { in: 2, out: 8, cached: 0.5 },
    'openai/gpt-4o': { in: 2.5, out: 10, cached: 1.25 },
    'openai/gpt-4o-mini': { in: 0.15, out: 0.6, cached: 0.075 },
    'openai/gpt-oss-120b': { in: 0.15, out: 0.6 },
    'openai/gpt-oss-20b': { in: 0.075, out: 0.3 },
    'openai/text-embedding-3-small': { in: 0.02 },
  },
}
