import { expect, test } from 'bun:test'
import { canServe } from './can-serve.ts'
import type { Capability } from './define.ts'
import { providerOf } from './index.ts'

const rows: readonly [number, Capability, string, boolean][] = [
  [1, 'embeddings', 'https://a', true],
  [14, 'embeddings', 'https://api.anthropic.com', false],
  [14, 'chat', 'https://api.anthropic.com', true],
  [31, 'realtime', 'https://a', false],
  [8, 'chat', 'https://a/x/chat', true],
  [8, 'embeddings', 'https://a/x/chat', false],
  [8, 'realtime', 'https://a/v1/chat/completions', false],
  [8, 'embeddings', 'https://a', true],
  [8, 'embeddings', 'https://a/api/v1', true],
]

test.each(rows)('type %i, %s at %s: %p', (type, capability, baseUrl, serves) => {
  const provider = providerOf(type)
  expect(provider && canServe(provider, capability, baseUrl)).toBe(serves)
})
