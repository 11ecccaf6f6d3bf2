import type { VendorPrices } from '../vendor-prices.ts'

/** What it still serves (flash and v4) costs this at its busy hours, and half at others. */
export const deepseek: VendorPrices = {
  tokens: {
    'deepseek-chat': { in: 0.28, out: 0.42, cached: 0.028 },
    'deepseek-coder': { in: 0.14, out: 0.28 },
    'deepseek-flash': { in: 0.3, out: 1.2, cached: 0.006, written: 0.3 },
    'deepseek-r1': { in: 0.55, out: 2.19 },
    'deepseek-reasoner': { in: 0.28, out: 0.42, cached: 0.028 },
    'deepseek-v3': { in: 0.27, out: 1.1, cached: 0.07, written: 0.27 },
    'deepseek-v3.2': { in: 0.28, out: 0.4 },
    'deepseek-v4-flash': { in: 0.3, out: 1.2, cached: 0.006, written: 0.3 },
    'deepseek-v4-pro': { in: 1.32, out: 3.96, cached: 0.044, written: 1.32 },
  },
}
