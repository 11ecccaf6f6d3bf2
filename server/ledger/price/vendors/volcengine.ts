import type { VendorPrices } from '../vendor-prices.ts'

export const volcengine: VendorPrices = {
  tokens: {
    'doubao-seed-2-0-code-preview-260215': { in: 0.46, out: 2.3 },
    'doubao-seed-2-0-lite-260215': { in: 0.087, out: 0.52 },
    'doubao-seed-2-0-mini-260215': { in: 0.029, out: 0.29 },
    'doubao-seed-2-0-pro-260215': { in: 0.46, out: 2.3 },
  },
}
