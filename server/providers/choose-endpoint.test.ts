import { describe, expect, test } from 'bun:test'
import type { DialectName, TranslatedDialect } from '../dialects/spec.ts'
import { headersOf, urlOf } from './address-request.ts'
import { chooseEndpoint, insistingEndpoint } from './choose-endpoint.ts'
import { type Calling, type Destination, defineProvider } from './define.ts'
import { providerOf } from './index.ts'

const chat: TranslatedDialect = 'openai-chat'
const responses: TranslatedDialect = 'openai-responses'

interface Row {
  readonly type: number
  readonly asked: TranslatedDialect
  readonly base?: string
  readonly dialects?: readonly TranslatedDialect[]
  readonly stream?: boolean
  readonly searches?: boolean
  readonly dialect: TranslatedDialect
  readonly url: string
  readonly header?: string
}

const rows: readonly Row[] = [
  { type: 1, asked: chat, dialect: chat, url: 'https://api.openai.com/v1/chat/completions' },
  { type: 1, asked: responses, dialect: responses, url: 'https://api.openai.com/v1/responses' },
  { type: 1, asked: responses, base: 'https://a', dialect: responses, url: 'https://a/v1/responses' },
  { type: 1, asked: 'anthropic', dialect: chat, url: 'https://api.openai.com/v1/chat/completions' },
  {
    type: 14,
    asked: chat,
    dialect: 'anthropic',
    url: 'https://api.anthropic.com/v1/messages',
    header: 'x-api-key',
  },
  {
    type: 25,
    asked: 'anthropic',
    dialect: 'anthropic',
    url: 'https://api.moonshot.cn/anthropic/v1/messages',
  },
  { type: 25, asked: 'anthropic', base: 'https://a', dialect: chat, url: 'https://a/v1/chat/completions' },
  { type: 25, asked: 'gemini', dialect: chat, url: 'https://api.moonshot.cn/v1/chat/completions' },
  // The plans for coding have Claude's dialect beside OpenAI's, each at an address of its own.
  ...(
    [
      [26, 'https://open.bigmodel.cn/api/coding/paas/v4', 'https://open.bigmodel.cn/api/anthropic'],
      [26, 'https://api.z.ai/api/coding/paas/v4', 'https://api.z.ai/api/anthropic'],
      [25, 'https://api.kimi.com/coding/v1', 'https://api.kimi.com/coding'],
      [45, 'https://ark.cn-beijing.volces.com/api/coding/v3', 'https://ark.cn-beijing.volces.com/api/coding'],
    ] as const
  ).flatMap(([type, base, claude]): Row[] => [
    { type, base, asked: 'anthropic', dialect: 'anthropic', url: `${claude}/v1/messages` },
    { type, base, asked: 'gemini', dialect: chat, url: `${base}/chat/completions` },
  ]),
  {
    ...{ type: 45, asked: 'anthropic', dialect: chat },
    url: 'https://ark.cn-beijing.volces.com/api/v3/chat/completions',
  },
  { type: 43, asked: responses, dialect: responses, url: 'https://api.deepseek.com/responses' },
  { type: 43, asked: responses, base: 'https://a', dialect: chat, url: 'https://a/v1/chat/completions' },
  // A search is asked for where it is made.
  {
    type: 1,
    asked: 'anthropic',
    searches: true,
    dialect: responses,
    url: 'https://api.openai.com/v1/responses',
  },
  { type: 48, asked: 'gemini', searches: true, dialect: responses, url: 'https://api.x.ai/v1/responses' },
  {
    type: 1,
    asked: chat,
    searches: true,
    dialect: chat,
    url: 'https://api.openai.com/v1/chat/completions',
  },
  {
    type: 1,
    asked: 'anthropic',
    base: 'https://a',
    searches: true,
    dialect: chat,
    url: 'https://a/v1/chat/completions',
  },
  {
    type: 1,
    asked: 'gemini',
    base: 'https://a',
    dialects: [chat, responses],
    searches: true,
    dialect: responses,
    url: 'https://a/v1/responses',
  },
  {
    type: 1,
    asked: 'gemini',
    base: 'https://a',
    dialects: [chat],
    searches: true,
    dialect: chat,
    url: 'https://a/v1/chat/completions',
  },
  {
    type: 43,
    asked: 'anthropic',
    searches: true,
    dialect: 'anthropic',
    url: 'https://api.deepseek.com/anthropic/v1/messages',
  },
  // What the operator says is spoken.
  {
    type: 1,
    asked: responses,
    base: 'https://a',
    dialects: [chat],
    dialect: chat,
    url: 'https://a/v1/chat/completions',
  },
  {
    type: 1,
    asked: chat,
    base: 'https://a',
    dialects: [],
    dialect: chat,
    url: 'https://a/v1/chat/completions',
  },
  {
    type: 1,
    asked: 'anthropic',
    base: 'https://a/v1',
    dialects: [chat, 'anthropic'],
    dialect: 'anthropic',
    url: 'https://a/v1/messages',
    header: 'x-api-key',
  },
  {
    type: 1,
    asked: 'gemini',
    base: 'https://a',
    dialects: [chat, 'gemini'],
    stream: true,
    dialect: 'gemini',
    url: 'https://a/v1beta/models/m:streamGenerateContent?alt=sse',
    header: 'x-goog-api-key',
  },
  {
    type: 25,
    asked: 'anthropic',
    base: 'https://a',
    dialects: [chat, 'anthropic'],
    dialect: 'anthropic',
    url: 'https://a/v1/messages',
    header: 'x-api-key',
  },
  {
    type: 14,
    asked: responses,
    base: 'https://a',
    dialects: [chat],
    dialect: chat,
    url: 'https://a/v1/chat/completions',
  },
  { type: 8, asked: chat, base: 'https://a', dialect: chat, url: 'https://a/v1/chat/completions' },
  {
    type: 8,
    asked: responses,
    base: 'https://a',
    dialects: [chat, responses],
    dialect: responses,
    url: 'https://a/v1/responses',
  },
  // A whole address is one address, of the first dialect named.
  { type: 8, asked: 'anthropic', base: 'https://a/x/{model}', dialect: chat, url: 'https://a/x/m' },
  {
    type: 8,
    asked: chat,
    base: 'https://a/x/{model}',
    dialects: [chat, responses],
    dialect: chat,
    url: 'https://a/x/m',
  },
  {
    type: 8,
    asked: chat,
    base: 'https://a/r',
    dialects: [responses, chat],
    dialect: responses,
    url: 'https://a/r',
  },
  {
    type: 8,
    asked: chat,
    base: 'https://a/x',
    dialects: ['anthropic'],
    dialect: 'anthropic',
    url: 'https://a/x',
    header: 'x-api-key',
  },
  {
    type: 8,
    asked: chat,
    base: 'https://a/p/{model}:generateContent',
    dialects: ['gemini'],
    stream: true,
    dialect: 'gemini',
    url: 'https://a/p/m:streamGenerateContent?alt=sse',
    header: 'x-goog-api-key',
  },
  {
    type: 8,
    asked: chat,
    base: 'https://a/p/{model}:generateContent',
    dialects: ['gemini'],
    dialect: 'gemini',
    url: 'https://a/p/m:generateContent',
    header: 'x-goog-api-key',
  },
]

const upstream = { key: 'k', model: 'm', stream: false, other: '', organization: undefined }

describe('chooseEndpoint', () => {
  test.each(rows)('%j', row => {
    const provider = providerOf(row.type)
    if (!provider) throw new Error('no provider')
    const baseUrl = row.base ?? provider.baseUrl
    const there = { ...upstream, baseUrl, dialects: row.dialects }
    const endpoint = chooseEndpoint(provider, row.asked, there, row.searches)
    if (!endpoint) throw new Error('no endpoint')
    const to: Destination = {
      baseUrl,
      key: 'k',
      model: 'm',
      stream: row.stream ?? false,
      other: '',
      organization: undefined,
    }
    expect(endpoint.dialect).toBe(row.dialect)
    expect(urlOf(endpoint, to)).toBe(row.url)
    const headers = headersOf(provider, endpoint, to)
    expect(headers[row.header ?? 'authorization']).toBe(row.header ? 'k' : 'Bearer k')
    expect('authorization' in headers).toBe(row.header === undefined)
    expect(headers['anthropic-version']).toBe(row.dialect === 'anthropic' ? '2023-06-01' : undefined)
  })

  test('finds nothing where there is no chat', () => {
    const silent = defineProvider({
      type: 0,
      id: 'silent',
      name: 'Silent',
      baseUrl: 'https://a',
      models: [],
      credential: () => ({}),
    })
    expect(chooseEndpoint(silent, chat, { ...upstream, baseUrl: 'https://a' })).toBeUndefined()
  })
})

test('interactions go where Google is spoken to in its own words, and nothing else goes there', () => {
  const chosen = (type: number, asked: DialectName, dialects?: readonly TranslatedDialect[]) => {
    const provider = providerOf(type)
    if (!provider) throw new Error(`no provider of type ${type}`)
    const { baseUrl } = provider
    const upstream = { baseUrl, key: 'k', model: 'm', stream: false, other: '', organization: undefined }
    return chooseEndpoint(provider, asked, { ...upstream, dialects })?.dialect
  }
  const interactions = 'gemini-interactions'
  expect(chosen(24, interactions)).toBe(interactions)
  expect(chosen(24, interactions, ['openai-chat', 'gemini'])).toBe(interactions)
  expect(chosen(24, interactions, ['openai-chat'])).toBe('openai-chat')
  expect(chosen(1, interactions)).toBe('openai-chat')
  expect(chosen(14, interactions)).toBe('anthropic')
  for (const asked of ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const)
    expect(chosen(24, asked)).toBe('gemini')
})

test('models that take functions in Responses only are led there where that surely is', () => {
  const lead = (type: number, model: string, baseUrl?: string, calling: Calling | 'none' = 'unsaid') => {
    const provider = providerOf(type)
    if (!provider) throw new Error(`no type ${type}`)
    const base = baseUrl ?? provider.baseUrl
    const to = { baseUrl: base, key: 'k', model, stream: false, other: '', organization: undefined }
    const endpoint = insistingEndpoint(provider, to, calling === 'none' ? undefined : calling)
    return endpoint && urlOf(endpoint, to)
  }
  const there = 'https://api.openai.com/v1/responses'
  for (const model of ['gpt-5.5', 'gpt-5.6-sol', 'gpt-6-astra', 'ft:gpt-6-luna:house']) {
    expect(lead(1, model)).toBe(there)
    expect(lead(1, model, 'https://api.openai.com/v1')).toBe(there)
    expect(lead(1, model, 'https://a')).toBeUndefined()
    expect(lead(1, model, undefined, 'thinking')).toBe(there)
  }
  for (const model of ['gpt-5.4', 'gpt-5.2', 'gpt-5', 'o3', 'gpt-4o', 'gpt-5.3-chat-latest', 'gpt-oss-120b'])
    expect(lead(1, model)).toBeUndefined()
  expect(lead(1, 'gpt-5.2', undefined, 'thinking')).toBeUndefined()
  expect(lead(1, 'gpt-5.6-sol', undefined, 'unthinking')).toBeUndefined()
  expect(lead(1, 'gpt-6-astra', undefined, 'unthinking')).toBe(there)
  expect(lead(1, 'gpt-5.6-sol', undefined, 'none')).toBeUndefined()
  expect(lead(1, 'gpt-5-pro', undefined, 'none')).toBe(there)
  // Azure refuses only who asks for thought.
  expect(lead(3, 'gpt-5.5', 'https://a')).toBeUndefined()
  expect(lead(3, 'gpt-5.5', 'https://a', 'thinking')).toBe('https://a/openai/v1/responses')
})
