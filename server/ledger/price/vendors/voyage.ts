import type { VendorPrices } from '../vendor-prices.ts'

export const voyage: VendorPrices = {
  tokens: {
    'rerank-2': { in: 0.05 },
    'rerank-2-lite': { in: 0.02 },
    'rerank-2.5': { in: 0.05 },
    'rerank-2.5-lite': { in: 0.02 },
    'voyage-2': { in: 0.1 },
    'voyage-3': { in: 0.06 },
    'voyage-3-large': { in: 0.18 },
    'voyage-3-lite': { in: 0.02 },
    'voyage-3.5': { in: 0.06 },
    'voyage-3.5-lite': { in: 0.02 },
    'voyage-code-2': { in: 0.12 },
    'voyage-code-3': { in: 0.18 },
    'voyage-context-3': { in: 0.18 },
    'voyage-finance-2': { in: 0.12 },
    'voyage-large-2': { in: 0.12 },
    'voyage-law-2': { in: 0.12 },
    'voyage-lite-01': { in: 0.1 },
    'voyage-lite-02-instruct': { in: 0.1 },
    'voyage-multimodal-3': { in: 0.12 },
  },
}
