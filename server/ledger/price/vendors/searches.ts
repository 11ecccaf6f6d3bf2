import type { VendorPrices } from '../vendor-prices.ts'

/** Who searches the web and does nothing else. What is sold by credits stands here for one at its usual price. */
export const searches: VendorPrices = {
  calls: {
    'exa-search': 0.007,
    'serper-search': 0.001,
    'tavily-search': 0.008,
  },
}
