import { describe, expect, test } from 'bun:test'
import { headersOf, urlOf } from './address-request.ts'
import { plainEndpointsOf } from './choose-endpoint.ts'
import { type Destination, type Endpoint, type Provider, plainCapabilities } from './define.ts'
import { providerOf, providers } from './index.ts'

const key = 'sk-secret'
const json = { authorization: `Bearer ${key}` }
const claude = { ...json, 'anthropic-version': '2023-06-01' }

function find(type: number): Provider {
  const provider = providerOf(type)
  if (!provider) throw new Error(`no provider of type ${type}`)
  return provider
}

function to(provider: Provider, more: Partial<Destination> = {}): Destination {
  const { baseUrl } = provider
  return { baseUrl, key, model: 'the-model', stream: false, other: '', organization: undefined, ...more }
}

/** Every address that a provider has, by capability; chat by dialect. */
function endpointsOf(provider: Provider): [string, Endpoint][] {
  const all: [string, Endpoint][] = (provider.chat ?? []).map(endpoint => [
    typeof endpoint.dialect === 'string' ? endpoint.dialect : 'own',
    endpoint,
  ])
  for (const capability of plainCapabilities)
    for (const endpoint of plainEndpointsOf(provider, capability)) all.push([capability, endpoint])
  if (provider.realtime) all.push(['realtime', provider.realtime])
  return all
}

const openaiPlain = {
  completions: '/v1/completions',
  embeddings: '/v1/embeddings',
  rerank: '/v1/rerank',
  moderations: '/v1/moderations',
  images: '/v1/images/generations',
  'image-edits': '/v1/images/edits',
  speech: '/v1/audio/speech',
  transcriptions: '/v1/audio/transcriptions',
  translations: '/v1/audio/translations',
  realtime: '/v1/realtime?model=the-model',
}
const besides = { ocr: '/v1/ocr', 'web-search': '/v1/search' }
const azureTask = (task: string) => `/openai/deployments/the-model/${task}?api-version=2025-04-01-preview`

/** Those whose folder has no test of its own. */
const addresses: readonly [type: number, baseUrl: string, paths: Record<string, string>][] = [
  [
    1,
    'https://api.openai.com',
    {
      'openai-chat': '/v1/chat/completions',
      'openai-responses': '/v1/responses',
      ...openaiPlain,
      search: '/v1/alpha/search',
    },
  ],
  [
    3,
    'https://house.openai.azure.com',
    {
      'openai-chat': azureTask('chat/completions'),
      'openai-responses': '/openai/v1/responses',
      completions: azureTask('completions'),
      embeddings: azureTask('embeddings'),
      images: azureTask('images/generations'),
      'image-edits': azureTask('images/edits'),
      speech: azureTask('audio/speech'),
      transcriptions: azureTask('audio/transcriptions'),
      translations: azureTask('audio/translations'),
      realtime: '/openai/realtime?api-version=2025-04-01-preview&deployment=the-model',
    },
  ],
  [
    4,
    'http://localhost:11434',
    { own: '/api/chat', completions: '/v1/completions', embeddings: '/api/embed' },
  ],
  [8, 'https://house.example', { 'openai-chat': '/v1/chat/completions', ...openaiPlain, ...besides }],
  [
    14,
    'https://api.anthropic.com',
    { anthropic: '/v1/messages', 'count-tokens': '/v1/messages/count_tokens' },
  ],
  [19, 'https://api.360.cn', { 'openai-chat': '/v1/chat/completions', embeddings: '/v1/embeddings' }],
  [22, 'https://house.example/api', { 'openai-chat': '/v1/chat/completions' }],
  [
    24,
    'https://generativelanguage.googleapis.com',
    {
      ...{ gemini: '/v1beta/models/the-model:generateContent', 'gemini-interactions': '/v1/interactions' },
      embeddings: '/v1beta/models/the-model:batchEmbedContents',
      'count-tokens': '/v1beta/models/the-model:countTokens',
      images: '/v1beta/models/the-model:predict',
      speech: '/v1beta/models/the-model:generateContent',
    },
  ],
  [
    25,
    'https://api.moonshot.cn',
    { 'openai-chat': '/v1/chat/completions', anthropic: '/anthropic/v1/messages' },
  ],
  [
    26,
    'https://open.bigmodel.cn',
    {
      'openai-chat': '/api/paas/v4/chat/completions',
      anthropic: '/api/anthropic/v1/messages',
      'openai-responses': '/api/v1/responses',
      embeddings: '/api/paas/v4/embeddings',
      images: '/api/paas/v4/images/generations',
    },
  ],
  [38, 'https://api.jina.ai', { embeddings: '/v1/embeddings', rerank: '/v1/rerank' }],
  [31, 'https://api.lingyiwanwu.com', { 'openai-chat': '/v1/chat/completions' }],
  [
    40,
    'https://api.siliconflow.cn',
    {
      'openai-chat': '/v1/chat/completions',
      embeddings: '/v1/embeddings',
      rerank: '/v1/rerank',
      images: '/v1/images/generations',
      'image-edits': '/v1/images/generations',
      speech: '/v1/audio/speech',
      transcriptions: '/v1/audio/transcriptions',
    },
  ],
  [
    42,
    'https://api.mistral.ai',
    {
      'openai-chat': '/v1/chat/completions',
      embeddings: '/v1/embeddings',
      moderations: '/v1/moderations',
      speech: '/v1/audio/speech',
      transcriptions: '/v1/audio/transcriptions',
      ocr: '/v1/ocr',
    },
  ],
  [
    43,
    'https://api.deepseek.com',
    {
      'openai-chat': '/chat/completions',
      anthropic: '/anthropic/v1/messages',
      'openai-responses': '/responses',
      completions: '/beta/completions',
    },
  ],
  [
    20,
    'https://openrouter.ai/api',
    {
      'openai-chat': '/v1/chat/completions',
      'openai-responses': '/v1/responses',
      anthropic: '/v1/messages',
      completions: '/v1/completions',
      embeddings: '/v1/embeddings',
    },
  ],
  [
    45,
    'https://ark.cn-beijing.volces.com',
    {
      'openai-chat': '/api/v3/chat/completions',
      'openai-responses': '/api/v3/responses',
      // Not asked here: only with the plan for coding, at an address of its own.
      anthropic: '/v1/messages',
      embeddings: '/api/v3/embeddings',
      images: '/api/v3/images/generations',
      'image-edits': '/api/v3/images/generations',
    },
  ],
  [
    47,
    'https://house.example',
    {
      'openai-chat': '/v1/chat/completions',
      completions: '/v1/completions',
      embeddings: '/v1/embeddings',
      rerank: '/v1/rerank',
      images: '/v1/images/generations',
      'image-edits': '/v1/images/edits',
      speech: '/v1/audio/speech',
      transcriptions: '/v1/audio/transcriptions',
      translations: '/v1/audio/translations',
    },
  ],
  [
    48,
    'https://api.x.ai',
    {
      'openai-chat': '/v1/chat/completions',
      'openai-responses': '/v1/responses',
      images: '/v1/images/generations',
      'image-edits': '/v1/images/edits',
    },
  ],
  [
    101,
    'https://api.groq.com',
    {
      'openai-chat': '/openai/v1/chat/completions',
      'openai-responses': '/openai/v1/responses',
      speech: '/openai/v1/audio/speech',
      transcriptions: '/openai/v1/audio/transcriptions',
      translations: '/openai/v1/audio/translations',
    },
  ],
  [
    102,
    'https://api.together.xyz',
    {
      'openai-chat': '/v1/chat/completions',
      completions: '/v1/completions',
      embeddings: '/v1/embeddings',
      rerank: '/v1/rerank',
      images: '/v1/images/generations',
      speech: '/v1/audio/speech',
      transcriptions: '/v1/audio/transcriptions',
    },
  ],
  [
    103,
    'https://models.github.ai',
    { 'openai-chat': '/inference/chat/completions', embeddings: '/inference/embeddings' },
  ],
]

describe('addresses', () => {
  test.each(addresses)('of type %i', (type, baseUrl, paths) => {
    const provider = find(type)
    const found = endpointsOf(provider).map(([name, endpoint]) => [
      name,
      urlOf(endpoint, to(provider, { baseUrl })),
    ])
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, baseUrl + path])),
    )
  })

  test('have the vendors’ base URLs', () => {
    for (const [type, baseUrl] of addresses)
      expect(find(type).baseUrl).toBe([3, 8, 22, 47].includes(type) ? '' : baseUrl)
  })

  const special: readonly [number, string, Partial<Destination>, string][] = [
    [
      3,
      'openai-chat',
      { baseUrl: 'https://a', other: '2024-10-21' },
      'https://a/openai/deployments/the-model/chat/completions?api-version=2024-10-21',
    ],
    [
      3,
      'openai-chat',
      { baseUrl: 'https://a', other: ' x&y ', model: 'gpt-3.5-turbo' },
      'https://a/openai/deployments/gpt-35-turbo/chat/completions?api-version=x%26y',
    ],
    [
      3,
      'embeddings',
      { baseUrl: 'https://a', model: 'gpt-4.1/../x', other: 'v' },
      'https://a/openai/deployments/gpt-4.1%2F..%2Fx/embeddings?api-version=v',
    ],
    [3, 'openai-chat', { baseUrl: 'https://a/openai/v1' }, 'https://a/openai/v1/chat/completions'],
    [3, 'openai-responses', { baseUrl: 'https://a/openai/v1' }, 'https://a/openai/v1/responses'],
    [3, 'realtime', { baseUrl: 'https://a/openai/v1' }, 'https://a/openai/v1/realtime?model=the-model'],
    [1, 'openai-chat', { baseUrl: 'https://a/v1' }, 'https://a/v1/chat/completions'],
    [1, 'realtime', { baseUrl: 'https://a', model: 'a b&c' }, 'https://a/v1/realtime?model=a%20b%26c'],
    [8, 'openai-chat', { baseUrl: 'https://a/v1' }, 'https://a/v1/chat/completions'],
    [8, 'openai-chat', { baseUrl: 'https://a/x/{model}/chat?k=1' }, 'https://a/x/the-model/chat?k=1'],
    [
      8,
      'openai-chat',
      { baseUrl: 'https://a/{model}/go', model: '../../v1/files' },
      'https://a/..%2F..%2Fv1%2Ffiles/go',
    ],
    [8, 'embeddings', { baseUrl: 'https://a/{model}/v1' }, 'https://a/the-model/v1/embeddings'],
    [22, 'openai-chat', { baseUrl: 'https://a' }, 'https://a/api/v1/chat/completions'],
    [22, 'openai-chat', { baseUrl: 'https://a/api/v1' }, 'https://a/api/v1/chat/completions'],
    [
      24,
      'gemini',
      { stream: true },
      'https://generativelanguage.googleapis.com/v1beta/models/the-model:streamGenerateContent?alt=sse',
    ],
    [
      24,
      'gemini',
      { baseUrl: 'https://a/v1beta', model: 'models/g' },
      'https://a/v1beta/models/g:generateContent',
    ],
    [
      24,
      'gemini',
      { baseUrl: 'https://a', model: '../../v1/files' },
      'https://a/v1beta/models/..%2F..%2Fv1%2Ffiles:generateContent',
    ],
    [
      26,
      'openai-chat',
      { baseUrl: 'https://a/api/coding/paas/v4' },
      'https://a/api/coding/paas/v4/chat/completions',
    ],
    [
      43,
      'openai-chat',
      { baseUrl: 'https://api.deepseek.com/v1' },
      'https://api.deepseek.com/v1/chat/completions',
    ],
    [43, 'openai-chat', { baseUrl: 'https://a' }, 'https://a/v1/chat/completions'],
    [43, 'completions', { baseUrl: 'https://a' }, 'https://a/v1/completions'],
    [
      45,
      'openai-chat',
      { baseUrl: 'https://a', model: 'bot-2026-x' },
      'https://a/api/v3/bots/chat/completions',
    ],
    [45, 'openai-chat', { baseUrl: 'https://a/api/v3' }, 'https://a/api/v3/chat/completions'],
    [101, 'openai-chat', { baseUrl: 'https://a/openai/v1' }, 'https://a/openai/v1/chat/completions'],
    [
      103,
      'openai-chat',
      { baseUrl: 'https://a/orgs/o/inference' },
      'https://a/orgs/o/inference/chat/completions',
    ],
  ]
  test.each(special)('of type %i, %s with %j', (type, name, more, url) => {
    const provider = find(type)
    const endpoint = endpointsOf(provider).find(([its]) => its === name)?.[1]
    expect(endpoint && urlOf(endpoint, to(provider, more))).toBe(url)
  })
})

describe('headers', () => {
  const expected: Record<number, Record<string, string>> = {
    3: { 'api-key': key },
    14: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    24: { 'x-goog-api-key': key },
  }
  test.each(addresses.map(([type]) => type))('of type %i', type => {
    const provider = find(type)
    for (const [name, endpoint] of endpointsOf(provider)) {
      const other = name === 'anthropic' ? claude : json
      expect(headersOf(provider, endpoint, to(provider))).toEqual(expected[type] ?? other)
    }
  })

  test('name the organization with OpenAI', () => {
    const provider = find(1)
    for (const [, endpoint] of endpointsOf(provider))
      expect(headersOf(provider, endpoint, to(provider, { organization: 'org-1' }))).toEqual({
        ...json,
        'openai-organization': 'org-1',
      })
  })
})

test('types, ids and models are each named once', () => {
  expect(new Set(providers.map(({ type }) => type)).size).toBe(providers.length)
  expect(new Set(providers.map(({ id }) => id)).size).toBe(providers.length)
  for (const { models } of providers) expect(new Set(models).size).toBe(models.length)
  expect(providerOf(2)).toBeUndefined()
})

test('usage is asked for where that is understood', () => {
  const asked = addresses.map(([type]) => type).filter(type => find(type).chat?.[0]?.asksForUsage)
  expect(asked).toEqual([1, 3, 8, 25, 26, 40, 43, 20, 45, 47, 48, 101, 102, 103])
})

test('every provider reads errors of status 200', () => {
  for (const [type] of addresses)
    expect(find(type).readFailure?.({ error: { message: 'no' } })).toMatchObject({ message: 'no' })
})
