import type { VendorPrices } from '../vendor-prices.ts'

export const jina: VendorPrices = {
  tokens: {
    'jina-reranker-v2-base-multilingual': { in: 0.018, out: 0.018 },
  },
}
