import type { VendorPrices } from '../vendor-prices.ts'

export const minimax: VendorPrices = {
  tokens: {
    'MiniMax-M2': { in: 0.3, out: 1.2, cached: 0.03, written: 0.375 },
    'MiniMax-M2.1': { in: 0.3, out: 1.2, cached: 0.03, written: 0.375 },
    'MiniMax-M2.1-lightning': { in: 0.3, out: 2.4, cached: 0.03, written: 0.375 },
    'MiniMax-M2.5': { in: 0.3, out: 1.2, cached: 0.03, written: 0.375 },
    'MiniMax-M2.5-lightning': { in: 0.3, out: 2.4, cached: 0.03, written: 0.375 },
    'MiniMax-M2.7': { in: 0.3, out: 1.2, cached: 0.06, written: 0.375 },
    'MiniMax-M3': { in: 0.3, out: 1.2, cached: 0.06, longIn: 0.6, longOut: 2.4, longFrom: 512_000 },
    'speech-02-hd': { in: 100 },
    'speech-02-turbo': { in: 60 },
    'speech-2.6-hd': { in: 100 },
    'speech-2.6-turbo': { in: 60 },
  },
}
