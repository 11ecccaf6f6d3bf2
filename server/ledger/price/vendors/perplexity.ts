import type { VendorPrices } from '../vendor-prices.ts'

export const perplexity: VendorPrices = {
  tokens: {
    'codellama-34b-instruct': { in: 0.35, out: 1.4 },
    'codellama-70b-instruct': { in: 0.7, out: 2.8 },
    'llama-2-70b-chat': { in: 0.7, out: 2.8 },
    'llama-3.1-70b-instruct': { in: 1, out: 1 },
    'llama-3.1-8b-instruct': { in: 0.2, out: 0.2 },
    'mistral-7b-instruct': { in: 0.07, out: 0.28 },
    'mixtral-8x7b-instruct': { in: 0.07, out: 0.28 },
    'pplx-70b-chat': { in: 0.7, out: 2.8 },
    'pplx-7b-chat': { in: 0.07, out: 0.28 },
    'pplx-embed-v1-0.6b': { in: 0.004 },
    'pplx-embed-v1-4b': { in: 0.03 },
    sonar: { in: 1, out: 1 },
    'sonar-deep-research': { in: 2, out: 8 },
    'sonar-medium-chat': { in: 0.6, out: 1.8 },
    'sonar-pro': { in: 3, out: 15 },
    'sonar-reasoning': { in: 1, out: 5 },
    'sonar-reasoning-pro': { in: 2, out: 8 },
    'sonar-small-chat': { in: 0.07, out: 0.28 },
  },
  calls: {
    'perplexity-search': 0.005,
    search: 0.005,
  },
}
