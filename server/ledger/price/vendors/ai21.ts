import type { VendorPrices } from '../vendor-prices.ts'

export const ai21: VendorPrices = {
  tokens: {
    'j2-light': { in: 3, out: 3 },
    'j2-mid': { in: 10, out: 10 },
    'j2-ultra': { in: 15, out: 15 },
    'jamba-1.5': { in: 0.2, out: 0.4 },
    'jamba-1.5-large': { in: 2, out: 8 },
    'jamba-1.5-large@001': { in: 2, out: 8 },
    'jamba-1.5-mini': { in: 0.2, out: 0.4 },
    'jamba-1.5-mini@001': { in: 0.2, out: 0.4 },
    'jamba-large-1.6': { in: 2, out: 8 },
    'jamba-large-1.7': { in: 2, out: 8 },
    'jamba-mini-1.6': { in: 0.2, out: 0.4 },
    'jamba-mini-1.7': { in: 0.2, out: 0.4 },
  },
}
