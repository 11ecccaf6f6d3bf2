import type { VendorPrices } from '../vendor-prices.ts'

export const moonshot: VendorPrices = {
  tokens: {
    'kimi-k2-0711-preview': { in: 0.6, out: 2.5, cached: 0.15 },
    'kimi-k2-0905-preview': { in: 0.6, out: 2.5, cached: 0.15 },
    'kimi-k2-thinking': { in: 0.6, out: 2.5, cached: 0.15 },
    'kimi-k2-thinking-turbo': { in: 1.15, out: 8, cached: 0.15 },
    'kimi-k2-turbo-preview': { in: 1.15, out: 8, cached: 0.15 },
    'kimi-k2.5': { in: 0.6, out: 3, cached: 0.1 },
    'kimi-k2.6': { in: 0.95, out: 4, cached: 0.16 },
    'kimi-k2.7-code': { in: 0.95, out: 4, cached: 0.19 },
    'kimi-k3': { in: 3, out: 15, cached: 0.3 },
    'kimi-latest': { in: 2, out: 5, cached: 0.15 },
    'kimi-latest-128k': { in: 2, out: 5, cached: 0.15 },
    'kimi-latest-32k': { in: 1, out: 3, cached: 0.15 },
    'kimi-latest-8k': { in: 0.2, out: 2, cached: 0.15 },
    'kimi-thinking-preview': { in: 0.6, out: 2.5, cached: 0.15 },
    'moonshot-v1-128k': { in: 2, out: 5 },
    'moonshot-v1-128k-vision-preview': { in: 2, out: 5 },
    'moonshot-v1-32k': { in: 1, out: 3 },
    'moonshot-v1-32k-vision-preview': { in: 1, out: 3 },
    'moonshot-v1-8k': { in: 0.2, out: 2 },
    'moonshot-v1-8k-vision-preview': { in: 0.2, out: 2 },
    'moonshot-v1-auto': { in: 2, out: 5 },
  },
}
