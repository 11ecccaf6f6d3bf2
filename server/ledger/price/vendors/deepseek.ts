import type { VendorPrices } from '../vendor-prices.ts'

export const deepseek: VendorPrices = {
  tokens: {
    'deepseek-chat': { in: 0.28, out: 0.42, cached: 0.028 },
    'deepseek-coder': { in: 0.14, out: 0.28 },
    'deepseek-r1': { in: 0.55, out: 2.19 },
    'deepseek-reasoner': { in: 0.28, out: 0.42, cached: 0.028 },
    'deepseek-v3': { in: 0.27, out: 1.1, cached: 0.07, written: 0.27 },
    'deepseek-v3.2': { in: 0.28, out: 0.4 },
    'deepseek-v4-flash': { in: 0.14, out: 0.28, cached: 0.0028, written: 0.14 },
    'deepseek-v4-pro': { in: 0.435, out: 0.87, cached: 0.003625, written: 0.435 },
  },
}
