import type { VendorPrices } from '../vendor-prices.ts'

export const alibaba: VendorPrices = {
  tokens: {
    'qwen-coder': { in: 0.3, out: 1.5 },
    'qwen-flash': { in: 0.05, out: 0.4 },
    'qwen-max': { in: 1.6, out: 6.4 },
    'qwen-plus': { in: 0.4, out: 1.2 },
    'qwen-turbo': { in: 0.05, out: 0.2 },
    'qwen3-coder-flash': { in: 0.3, out: 1.5 },
    'qwen3-coder-plus': { in: 1, out: 5 },
    'qwen3-max': { in: 1.2, out: 6 },
    'qwen3-max-preview': { in: 1.2, out: 6 },
    'qwen3-next-80b-a3b-instruct': { in: 0.15, out: 1.2 },
    'qwen3-next-80b-a3b-thinking': { in: 0.15, out: 1.2 },
    'qwen3-vl-235b-a22b-instruct': { in: 0.4, out: 1.6 },
    'qwen3-vl-235b-a22b-thinking': { in: 0.4, out: 4 },
    'qwen3-vl-32b-instruct': { in: 0.16, out: 0.64 },
    'qwen3-vl-32b-thinking': { in: 0.16, out: 2.87 },
    'qwen3-vl-plus': { in: 0.2, out: 1.6 },
    'qwen3.5-plus': { in: 0.4, out: 2.4 },
    'qwen3.7-max': { in: 2.5, out: 7.5, cached: 0.5 },
    'qwen3.7-plus': { in: 0.4, out: 1.6 },
    'qwen3.8-flash': { in: 0.15, out: 0.47, cached: 0.016, written: 0.2 },
    'qwen3.8-max': { in: 2, out: 6 },
    'qwq-plus': { in: 0.8, out: 2.4 },
    'text-embedding-v4': { in: 0.07 },
  },
}
