import type { VendorPrices } from '../vendor-prices.ts'

export const cohere: VendorPrices = {
  tokens: {
    command: { in: 1, out: 2 },
    'command-a-03-2025': { in: 2.5, out: 10 },
    'command-light': { in: 0.3, out: 0.6 },
    'command-nightly': { in: 1, out: 2 },
    'command-r': { in: 0.15, out: 0.6 },
    'command-r-plus': { in: 2.5, out: 10 },
    'command-r7b-12-2024': { in: 0.0375, out: 0.15 },
    'embed-english-light-v2.0': { in: 0.1 },
    'embed-english-light-v3.0': { in: 0.1 },
    'embed-english-v2.0': { in: 0.1 },
    'embed-english-v3.0': { in: 0.1 },
    'embed-multilingual-light-v3.0': { in: 0.1 },
    'embed-multilingual-v2.0': { in: 0.1 },
    'embed-multilingual-v3.0': { in: 0.1 },
    'embed-v4.0': { in: 0.12 },
  },
  calls: {
    'rerank-english-v2.0': 0.002,
    'rerank-english-v3.0': 0.002,
    'rerank-multilingual-v2.0': 0.002,
    'rerank-multilingual-v3.0': 0.002,
    'rerank-v3.5': 0.002,
  },
}
