import type { VendorPrices } from '../vendor-prices.ts'

export const zhipu: VendorPrices = {
  tokens: {
    'glm-4-32b-0414-128k': { in: 0.1, out: 0.1 },
    'glm-4.5': { in: 0.6, out: 2.2 },
    'glm-4.5-air': { in: 0.2, out: 1.1 },
    'glm-4.5-airx': { in: 1.1, out: 4.5 },
    'glm-4.5-x': { in: 2.2, out: 8.9 },
    'glm-4.5v': { in: 0.6, out: 1.8 },
    'glm-4.6': { in: 0.6, out: 2.2, cached: 0.11, written: 0.6 },
    'glm-4.7': { in: 0.6, out: 2.2, cached: 0.11, written: 0.6 },
    'glm-5': { in: 1, out: 3.2, cached: 0.2, written: 1 },
    'glm-5-code': { in: 1.2, out: 5, cached: 0.3, written: 1.2 },
    'glm-5.1': { in: 1.4, out: 4.4, cached: 0.26, written: 1.4 },
    'glm-5.2': { in: 1.4, out: 4.4, cached: 0.26, written: 1.4 },
    'glm-5.3': { in: 1.4, out: 4.4, cached: 0.26, written: 1.4 },
    'glm-5.3-flash': { in: 0.15, out: 0.5 },
  },
}
