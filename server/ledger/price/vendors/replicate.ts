import type { VendorPrices } from '../vendor-prices.ts'

/** Those of its pictures that cost the same whatever their size. */
export const replicate: VendorPrices = {
  calls: {
    'black-forest-labs/flux-1.1-pro': 0.04,
    'black-forest-labs/flux-dev': 0.025,
    'black-forest-labs/flux-schnell': 0.003,
  },
}
