import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { insertChannel } from '../../test/relay/sample-channels.ts'
import { openSampleStore } from '../../test/sample-store.ts'
import { dropAll, engines } from '../../test/services/databases.ts'
import { AppError } from '../errors.ts'
import type { Store } from '../store/index.ts'
import type { Admitted } from './callers/authorise.ts'
import { matchRoute } from './request/match-route.ts'
import { ChannelSnapshot } from './routing/channel-snapshot.ts'
import { serveModels } from './serve-models.ts'

let store: Store
let channels: ChannelSnapshot
beforeAll(async () => {
  const url = (await engines[0]?.freshUrl()) ?? ''
  store = await openSampleStore(url)
  await insertChannel(store, { id: 1, type: 14, models: 'claude-x,a-model', priority: 1 })
  await insertChannel(store, { id: 2, type: 1, models: 'a-model,bge-m3,dall-e-3,vendor/rerank-2' })
  await insertChannel(store, { id: 3, type: 9999, models: 'odd' })
  await insertChannel(store, { id: 4, type: 1, models: 'secret-model', group: 'vip' })
  await insertChannel(store, { id: 5, type: 1, models: 'off', status: 2 })
  channels = await ChannelSnapshot.load(store)
})
afterAll(async () => {
  await store.close()
  await dropAll()
})

const all = ['a-model', 'bge-m3', 'claude-x', 'dall-e-3', 'odd', 'vendor/rerank-2']

function admitted(models?: string[], group = 'default', groups?: string[]): Admitted {
  const caller = {
    userId: 1,
    username: 'u',
    role: 1,
    userStatus: 1,
    userGroup: 'default',
    tokenId: 1,
    tokenName: 't',
    tokenStatus: 1,
    hasMoved: false,
    expiresAt: -1,
    tokenGroup: '',
    models: models && new Set(models),
    addresses: undefined,
    tokenLimits: undefined,
    userLimits: undefined,
    spendLimits: undefined,
    labels: undefined,
    balance: 0,
  }
  return { caller, group, groups, pinned: undefined }
}

const vendors = {
  openai: {},
  anthropic: { 'anthropic-version': '2023-06-01' },
  gemini: { 'x-goog-api-key': 'sk-x' },
} satisfies Record<string, HeadersInit>

function get(vendor: keyof typeof vendors, target: string, who = admitted()): Response {
  const request = new Request(`http://gate.test${target}`, { headers: vendors[vendor] })
  const route = matchRoute(request, new URL(request.url).pathname)
  if (route?.kind !== 'models') throw new Error(`no models at ${target}`)
  return serveModels({ channels }, { request }, route, who)
}

function refusal(...given: Parameters<typeof get>): AppError {
  try {
    get(...given)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('it was not refused')
}

describe('the list of models', () => {
  test('as OpenAI has it', async () => {
    for (const path of ['/v1/models', '/v1/models/', '/v1beta/openai/models']) {
      const list = (await get('openai', path).json()) as {
        success: boolean
        object: string
        data: { id: string; owned_by: string; supported_endpoint_types: string[] }[]
      }
      expect([list.success, list.object]).toEqual([true, 'list'])
      expect(list.data[0]).toEqual({
        id: 'a-model',
        object: 'model',
        created: 1626777600,
        owned_by: 'anthropic',
        supported_endpoint_types: ['openai', 'anthropic', 'gemini', 'openai-response'],
      } as (typeof list.data)[0])
      expect(
        list.data.map(({ id, owned_by, supported_endpoint_types }) => [
          id,
          owned_by,
          supported_endpoint_types[0],
        ]),
      ).toEqual([
        ['a-model', 'anthropic', 'openai'],
        ['bge-m3', 'openai', 'embeddings'],
        ['claude-x', 'anthropic', 'openai'],
        ['dall-e-3', 'openai', 'image-generation'],
        ['odd', 'custom', 'openai'],
        ['vendor/rerank-2', 'openai', 'jina-rerank'],
      ])
    }
  })

  test('of several groups is one list', async () => {
    const several = admitted(undefined, 'auto', ['vip', 'default', 'empty'])
    const list = (await get('openai', '/v1/models', several).json()) as { data: { id: string }[] }
    expect(list.data.map(({ id }) => id)).toEqual([...all, 'secret-model'].sort())
    expect(refusal('openai', '/v1/models/off', several).code).toBe('relay.model-unknown')
  })

  test('holds what the token allows and the group has, in every shape', async () => {
    const limited = admitted(['odd', 'secret-model', 'off', 'nowhere'])
    const nothing = admitted([])
    expect(await ids('openai', '/v1/models', limited)).toEqual(['odd'])
    expect(await ids('anthropic', '/v1/models', limited)).toEqual(['odd'])
    expect(await ids('gemini', '/v1beta/models', limited)).toEqual(['models/odd'])
    expect(await ids('openai', '/v1/models', nothing)).toEqual([])
    expect(await ids('openai', '/v1/models', admitted(undefined, 'vip'))).toEqual(['secret-model'])
    expect(await ids('openai', '/v1/models', admitted(undefined, '__proto__'))).toEqual([])
    expect(await get('anthropic', '/v1/models', nothing).json()).toEqual({
      data: [],
      first_id: null,
      last_id: null,
      has_more: false,
    })
  })

  test('as Anthropic has it, forwards and backwards', async () => {
    expect(await get('anthropic', '/v1/models?limit=2').json()).toEqual({
      data: ['a-model', 'bge-m3'].map(id => ({
        type: 'model',
        id,
        display_name: id,
        created_at: '2021-07-20T10:40:00Z',
      })),
      first_id: 'a-model',
      last_id: 'bge-m3',
      has_more: true,
    })
    const pages: [string, string[], boolean][] = [
      ['', all, false],
      ['?limit=1000&after_id=dall-e-3', ['odd', 'vendor/rerank-2'], false],
      ['?limit=1&after_id=dall-e-3', ['odd'], true],
      ['?after_id=deleted-meanwhile', ['odd', 'vendor/rerank-2'], false],
      ['?limit=2&before_id=dall-e-3', ['bge-m3', 'claude-x'], true],
      ['?before_id=bge-m3', ['a-model'], false],
      ['?after_id=zzz', [], false],
    ]
    for (const [query, expected, more] of pages) {
      const page = (await get('anthropic', `/v1/models${query}`).json()) as Record<string, unknown>
      const found = (page.data as { id: string }[]).map(({ id }) => id)
      expect([query, found, page.has_more, page.first_id, page.last_id]).toEqual([
        query,
        expected,
        more,
        expected[0] ?? null,
        expected.at(-1) ?? null,
      ])
    }
  })

  test('as Gemini has it, page by page', async () => {
    const found: string[] = []
    let token: string | undefined = ''
    for (let pages = 0; token !== undefined && pages < 10; pages++) {
      const query = `?key=sk-x&pageSize=4${token && `&pageToken=${token}`}`
      const page = (await get('openai', `/v1beta/models${query}`).json()) as {
        models: { name: string }[]
        nextPageToken?: string
      }
      found.push(...page.models.map(({ name }) => name))
      token = page.nextPageToken
    }
    expect(found).toEqual(all.map(id => `models/${id}`))
    expect(await get('gemini', '/v1/models/bge-m3').json()).toEqual({
      name: 'models/bge-m3',
      version: '001',
      displayName: 'bge-m3',
      description: 'bge-m3',
      inputTokenLimit: 1048576,
      outputTokenLimit: 65536,
      supportedGenerationMethods: ['embedContent', 'batchEmbedContents'],
    })
  })

  test.each([
    ['anthropic', '/v1/models?limit=0', 'limit'],
    ['anthropic', '/v1/models?limit=-1', 'limit'],
    ['anthropic', '/v1/models?limit=1e3', 'limit'],
    ['gemini', '/v1beta/models?pageSize=x', 'pageSize'],
    ['gemini', '/v1beta/models?pageToken=%25%25', 'pageToken'],
  ] as const)('%s %s is refused', (vendor, target, field) => {
    const error = refusal(vendor, target)
    expect(error.code).toStartWith('field.')
    expect([error.status, error.params.field]).toEqual([400, field])
  })
})

describe('one model', () => {
  test('in each shape, by a name with a slash too', async () => {
    expect(await get('openai', '/v1/models/vendor/rerank-2').json()).toMatchObject({
      id: 'vendor/rerank-2',
      object: 'model',
    })
    expect(await get('anthropic', '/v1/models/claude-x').json()).toMatchObject({
      type: 'model',
      id: 'claude-x',
    })
    expect(await get('openai', '/v1beta/models/a-model').json()).toMatchObject({ name: 'models/a-model' })
  })

  test.each(['nowhere', 'off', 'secret-model', '__proto__', 'constructor'])('%s does not exist', model => {
    const error = refusal('openai', `/v1/models/${model}`)
    expect([error.code, error.status, error.params.model]).toEqual(['relay.model-unknown', 404, model])
  })

  test('does not exist for a token that may not use it', () => {
    expect(refusal('anthropic', '/v1/models/a-model', admitted(['odd'])).status).toBe(404)
  })
})

async function ids(...given: Parameters<typeof get>): Promise<string[]> {
  const list = (await get(...given).json()) as { data?: { id: string }[]; models?: { name: string }[] }
  return list.data?.map(({ id }) => id) ?? list.models?.map(({ name }) => name) ?? []
}
