import type { VendorPrices } from '../vendor-prices.ts'

export const groq: VendorPrices = {
  tokens: {
    'gemma-7b-it': { in: 0.05, out: 0.08 },
    'gpt-oss-120b': { in: 0.15, out: 0.6, cached: 0.075 },
    'gpt-oss-20b': { in: 0.075, out: 0.3, cached: 0.0375 },
    'gpt-oss-safeguard-20b': { in: 0.075, out: 0.3, cached: 0.037 },
    'kimi-k2-instruct-0905': { in: 1, out: 3, cached: 0.5 },
    'llama-3.1-8b-instant': { in: 0.05, out: 0.08 },
    'llama-3.3-70b-versatile': { in: 0.59, out: 0.79 },
    'llama-4-maverick-17b-128e-instruct': { in: 0.2, out: 0.6 },
    'llama-4-scout-17b-16e-instruct': { in: 0.11, out: 0.34 },
    'llama-guard-4-12b': { in: 0.2, out: 0.2 },
    'playai-tts': { in: 50 },
    'qwen3-32b': { in: 0.29, out: 0.59 },
    'whisper-large-v3': { in: 1.8498 },
    'whisper-large-v3-turbo': { in: 0.6666 },
  },
}
