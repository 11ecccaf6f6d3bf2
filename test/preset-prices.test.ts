import { expect, test } from 'bun:test'
import { settings } from '../contract/settings/index.ts'
import { PriceBook } from '../server/ledger/price/price-book.ts'
import { providers } from '../server/providers/index.ts'

/** What a channel offers at first and nothing is known of in advance, by why that is so. */
const withoutPrice: Record<string, readonly string[]> = {
  'run on the operator’s own machines': [
    ...['gpt-oss:20b', 'qwen3:8b', 'gemma4', 'llama3.2', 'nomic-embed-text'],
    ...['m3e-large', 'm3e-base', 'm3e-small'],
  ],
  'paid as whatever it chooses': ['openrouter/auto'],
  'free at its vendor, and paid elsewhere': ['glm-4.7-flash'],
  'open models, for which every host has a price of its own': [
    ...['deepseek-ai/DeepSeek-V4.1-Flash', 'BAAI/bge-m3', 'BAAI/bge-reranker-v2-m3'],
    ...['Qwen/Qwen3-235B-A22B-Instruct-2507', 'Qwen/Qwen3-235B-A22B-Thinking-2507'],
    ...['Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8', 'zai-org/GLM-4.5-FP8', 'deepseek-ai/DeepSeek-V3.1'],
    ...['qwen/qwen3.6-27b', 'meta-llama/Llama-3.3-70B-Instruct-Turbo'],
  ],
  'pictures and films, which mostly cost by their size and length': [
    ...['black-forest-labs/flux-1.1-pro-ultra', 'google/imagen-4'],
    ...['bytedance/seedream-4', 'doubao-seedance-1-5-pro-251215', 'image-01', 'MiniMax-Hailuo-2.3'],
    ...['qwen-image-2.0', 'wan2.6-t2v', 'wan2.6-i2v'],
  ],
  'sold by packages of tokens': [
    ...['jina-embeddings-v5-text-small', 'jina-embeddings-v4', 'jina-reranker-v3'],
  ],
  'without a list price in dollars that two lists agree on': [
    ...['ernie-5.1', 'ernie-5.0-thinking-preview', 'ernie-4.5-turbo-128k', 'ernie-3.5-8k'],
    ...['ernie-speed-pro-128k', 'chatglm_turbo', 'chatglm_pro', 'embedding-3'],
    ...['qwen3.6-flash', 'gte-rerank-v2', 'lite', 'generalv3.5', '4.0Ultra', 'spark-x', 'spark-x2.5'],
    ...['360gpt2-pro', '360zhinao2-o1', 'hy4-preview', 'hy3-preview'],
    ...['yi-lightning', 'yi-large', 'yi-vision-v2', 'PaLM-2', 'chat-bison-001'],
    ...['doubao-seed-2-1-pro-260628', 'doubao-seed-2-1-turbo-260628', 'doubao-seed-1-6-251015'],
  ],
}

test('what a new channel offers has a price, except what cannot be known in advance', () => {
  const defaults = Object.fromEntries(
    Object.entries(settings).map(([key, setting]) => [key, setting.default]),
  )
  const book = new PriceBook(defaults as ConstructorParameters<typeof PriceBook>[0])
  const offered = new Set(providers.flatMap(({ models }) => models))
  const unpriced = [...offered].filter(model => !book.findPrice(model))
  expect(unpriced.sort()).toEqual(Object.values(withoutPrice).flat().sort())
})
