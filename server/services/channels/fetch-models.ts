import * as z from 'zod/mini'
import { channelTypeOf } from '../../../contract/channel-types.ts'
import { AppError } from '../../errors.ts'
import { pathOf as pathOfOwn, readModelNames } from '../../providers/ask-about-itself.ts'
import type { ModelList } from '../../providers/define.ts'
import type { App } from '../app.ts'
import { type Editor, refuseNewWay, withPasswords } from './guard-address.ts'
import { checkKeySigns, refuseFront } from './key.ts'
import { askUpstream, asUpstream, proxyOf, toOf, type Upstream } from './upstream-request.ts'

const types = {
  azure: 3,
  custom: 8,
  anthropic: 14,
  gemini: 24,
  zhipu: 26,
  deepseek: 43,
} as const
/** Nobody lists models there: what they serve is one application. Long jobs are named by us, services by operators. */
const FASTGPT = 22

const MOST_MODELS = 10_000
const MOST_PAGES = 20
const AZURE_VERSION = '2024-10-21'

const named = z.object({ id: z.string() })
const envelope = z.object({ data: z.optional(z.unknown()), models: z.optional(z.unknown()) })
const anthropicPage = z.object({
  data: z.array(z.unknown()),
  has_more: z.optional(z.nullable(z.boolean())),
})
const geminiPage = z.object({
  models: z._default(z.array(z.object({ name: z.string() })), []),
  nextPageToken: z.optional(z.nullable(z.string())),
})

type Ask = (path: string, headers?: Record<string, string>) => Promise<unknown>
type Lister = (ask: Ask, upstream: Upstream) => Promise<string[]>
/** How a vendor that has its own way lists its models, where its folder cannot say it in a line. */
const listers: Readonly<Record<number, Lister>> = {
  [types.anthropic]: listAnthropic,
  [types.gemini]: listGemini,
}

/** The names of the models that an upstream says it has. */
export async function fetchModels(app: Pick<App, 'outbound'>, upstream: Upstream): Promise<string[]> {
  const own = upstream.provider?.modelList
  const { tasks, passes } = channelTypeOf(upstream.type) ?? {}
  if (own === 'none' || (!own && (upstream.type === FASTGPT || tasks || passes)))
    throw new AppError('channel.list-unsupported')
  const list = own ? listOwn(own) : (listers[upstream.type] ?? listPlain)
  const { at, path } = upstream.type === types.custom ? addressOfCustom(upstream) : { at: upstream, path: '' }
  const ask: Ask = (asked, headers) => askUpstream(app, at, path || asked, headers)
  const found = await list(ask, at)
  const usable = found.flatMap(name => {
    const trimmed = name.trim()
    return trimmed !== '' && trimmed.length <= 255 && !trimmed.includes(',') ? trimmed : []
  })
  return [...new Set(usable)].slice(0, MOST_MODELS)
}

/** As the provider's folder says. */
function listOwn(list: Exclude<ModelList, 'none'>): Lister {
  return async (ask, upstream) => {
    const found = readModelNames(list, await ask(pathOfOwn(list, toOf(upstream))))
    if (!found) throw new AppError('channel.upstream-unreadable')
    return [...found]
  }
}

async function listPlain(ask: Ask, upstream: Upstream): Promise<string[]> {
  const answer = await ask(pathOf(upstream))
  const { data } = envelope.safeParse(answer)
  return namesIn([answer, data?.data, data?.models].find(list => Array.isArray(list)))
}

/** Some leave out the envelope or call it otherwise, and one entry that is odd does not make the others so. */
function namesIn(list: unknown): string[] {
  const entries = Array.isArray(list) ? list : undefined
  const names = entries?.flatMap(entry => named.safeParse(entry).data?.id ?? [])
  if (!entries || !names || (entries.length > 0 && names.length === 0))
    throw new AppError('channel.upstream-unreadable')
  return names
}

function pathOf({ type, baseUrl, other, provider }: Upstream): string {
  switch (type) {
    case types.azure:
      // A base that ends in a version names the newer surface.
      if (/\/v\d+$/.test(baseUrl)) return '/openai/v1/models'
      return `/openai/models?api-version=${encodeURIComponent(other.trim() || AZURE_VERSION)}`
    case types.zhipu:
      return '/api/paas/v4/models'
    case types.deepseek:
      return baseUrl === provider?.baseUrl ? '/models' : '/v1/models'
    default:
      return '/v1/models'
  }
}

/** The whole address of chat leads to the list when it is OpenAI's; otherwise nobody knows where that is. */
function addressOfCustom(upstream: Upstream): { at: Upstream; path: string } {
  if (!upstream.provider?.isWholeAddress?.(upstream.baseUrl)) return { at: upstream, path: '/v1/models' }
  const [, house] = /^(.*)\/chat\/completions$/.exec(upstream.baseUrl) ?? []
  if (house === undefined || house.includes('{model}')) throw new AppError('channel.list-unsupported')
  return { at: { ...upstream, baseUrl: house }, path: `${house}/models` }
}

async function listAnthropic(ask: Ask): Promise<string[]> {
  const all: string[] = []
  let after = ''
  for (let page = 0; page < MOST_PAGES; page++) {
    const path = `/v1/models?limit=1000${after && `&after_id=${encodeURIComponent(after)}`}`
    const { data, has_more } = read(anthropicPage, await ask(path, { 'anthropic-version': '2023-06-01' }))
    const names = namesIn(data)
    all.push(...names)
    const last = names.at(-1)
    if (!has_more || last === undefined || last === after) break
    after = last
  }
  return all
}

async function listGemini(ask: Ask): Promise<string[]> {
  const all: string[] = []
  let token = ''
  for (let page = 0; page < MOST_PAGES; page++) {
    const path = `/v1beta/models?pageSize=1000${token && `&pageToken=${encodeURIComponent(token)}`}`
    const { models, nextPageToken } = read(geminiPage, await ask(path))
    all.push(...models.map(({ name }) => name.replace(/^models\//, '')))
    if (!nextPageToken || nextPageToken === token) break
    token = nextPageToken
  }
  return all
}

function read<S extends z.ZodMiniType>(schema: S, answer: unknown): z.output<S> {
  const result = schema.safeParse(answer)
  if (!result.success) throw new AppError('channel.upstream-unreadable', {}, result.error)
  return result.data
}

interface Given {
  /** The channel whose form it is. */
  readonly id?: number | string | undefined
  readonly base_url?: string | undefined
  readonly setting?: string | undefined
  readonly key?: string | undefined
  readonly type?: number | string | undefined
  readonly other?: string | undefined
  readonly explain?: boolean | undefined
}

const OPENAI = 1

/**
 * The same for an address that is not a channel yet. Failures keep the words and status that tools expect, unless
 * somebody asks for the reason.
 */
export async function fetchModelsOf(app: App, doer: Editor, given: Given): Promise<string[]> {
  const { base_url, setting } = await asMeant(app, doer, given)
  const type = Number(given.type ?? OPENAI) || OPENAI
  const key = (given.key ?? '').trim().split('\n', 1)[0]?.trim() ?? ''
  const { other = '' } = given
  const upstream = asUpstream({
    ...{ type, key, other },
    baseUrl: base_url,
    organization: undefined,
    proxy: proxyOf(setting),
  })
  if (!URL.canParse(upstream.baseUrl)) throw new AppError('channel.fetch-arguments')
  try {
    refuseFront(type, key)
    checkKeySigns(type, key)
    return await fetchModels(app, upstream)
  } catch (error) {
    if (error instanceof AppError && (given.explain || error.code === 'channel.list-unsupported')) throw error
    throw new AppError('channel.fetch-models', {}, error)
  }
}

/** A form shows addresses without their passwords, which only its channel knows. */
async function asMeant({ store }: App, doer: Editor, { id, base_url = '', setting = '' }: Given) {
  const known = await store.db
    .selectFrom('channels')
    .select(['type', 'base_url', 'setting'])
    .where('id', '=', Number.isSafeInteger(Number(id)) ? Number(id) : 0)
    .executeTakeFirst()
  const meant = withPasswords({ base_url, setting }, known)
  if (known) refuseNewWay(doer, known, { type: known.type, ...meant }, base_url)
  return meant
}
