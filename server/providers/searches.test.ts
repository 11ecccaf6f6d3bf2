import { expect, test } from 'bun:test'
import { headersOf, urlOf } from './address-request.ts'
import { canServe } from './can-serve.ts'
import { plainEndpointsOf } from './choose-endpoint.ts'
import type { Capability } from './define.ts'
import { providerOf } from './index.ts'

const bearer = { authorization: 'Bearer k' }
const named = { 'x-api-key': 'k' }

test.each<[type: number, baseUrl: string | undefined, url: string, headers: Record<string, string>]>([
  [27, undefined, 'https://api.perplexity.ai/search', bearer],
  [27, 'https://api.perplexity.ai/v1', 'https://api.perplexity.ai/search', bearer],
  [27, 'https://a/v1', 'https://a/v1/search', bearer],
  [60, 'https://a', 'https://a/v1/search', bearer],
  [1002, undefined, 'https://api.tavily.com/search', bearer],
  [1003, undefined, 'https://api.exa.ai/search', named],
  [1004, undefined, 'https://google.serper.dev/search', named],
])('type %i at %s searches at %s', (type, given, url, headers) => {
  const provider = providerOf(type)
  const [endpoint] = provider ? plainEndpointsOf(provider, 'web-search') : []
  if (!provider || !endpoint) throw new Error('it does not search')
  const baseUrl = given ?? provider.baseUrl
  const to = { baseUrl, key: 'k', model: 'm', stream: false, other: '', organization: undefined }
  expect([urlOf(endpoint, to), headersOf(provider, endpoint, to)]).toEqual([url, headers])
})

test.each<[number, Capability, string, boolean]>([
  [8, 'ocr', 'https://a', true],
  [8, 'ocr', 'https://a/x/chat', false],
  [42, 'ocr', 'https://a', true],
  [42, 'web-search', 'https://a', false],
  [27, 'ocr', 'https://a', false],
  [1, 'ocr', 'https://a', false],
  [1, 'web-search', 'https://a', false],
  [1002, 'chat', 'https://a', false],
])('type %i, %s at %s: %p', (type, capability, baseUrl, serves) => {
  const provider = providerOf(type)
  expect(provider && canServe(provider, capability, baseUrl)).toBe(serves)
})
