import { codingPlans } from '../../../contract/coding-plans.ts'
import { AppError } from '../../errors.ts'
import { readJson } from '../../outbound/client.ts'
import { headersOf, signerOf, urlOf } from '../../providers/address-request.ts'
import type { Destination, Proof, Provider } from '../../providers/define.ts'
import { providerOf } from '../../providers/index.ts'
import { ProofRefused } from '../../providers/proof-refused.ts'
import { signingTools } from '../../providers/signing-tools.ts'
import { type ChannelRow, channelColumns } from '../../store/routed-channel.ts'
import type { App } from '../app.ts'
import { firstKey } from './key.ts'

/** An upstream to be asked about itself. */
export interface Asked {
  readonly type: number
  /** '' for the vendor's own. */
  readonly baseUrl: string
  readonly key: string
  readonly other: string
  readonly organization: string | undefined
  readonly proxy: string | undefined
}

export interface Upstream extends Asked {
  readonly provider: Provider | undefined
  /** Aborted when nobody waits for its answers any more. */
  readonly signal?: AbortSignal | undefined
}

const WAIT_MS = 30_000
const LARGEST_ANSWER = 16 * 1024 * 1024

/** A channel, as its upstream is asked about itself. */
export async function readUpstream(app: App, id: number): Promise<Upstream> {
  return upstreamOf(app, await readChannel(app, id))
}

export async function readChannel({ store }: App, id: number): Promise<ChannelRow> {
  const row = await store.db
    .selectFrom('channels')
    .select(channelColumns)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new AppError('row.not-found')
  return row
}

export function upstreamOf({ store }: App, row: ChannelRow): Upstream {
  return asUpstream({
    type: row.type,
    baseUrl: row.base_url ?? '',
    key: firstKey(store, row),
    other: row.other,
    organization: row.openai_organization ?? undefined,
    proxy: proxyOf(row.setting),
  })
}

export function asUpstream(asked: Asked): Upstream {
  const provider = providerOf(asked.type)
  const given = asked.baseUrl.trim().replace(/\/+$/, '')
  const baseUrl = codingPlans.get(given) ?? (given || (provider?.baseUrl ?? ''))
  return { ...asked, baseUrl, provider }
}

/** The JSON behind a path of an upstream, or why there is none. */
export async function askUpstream(
  { outbound }: Pick<App, 'outbound'>,
  upstream: Upstream,
  path: string,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const { provider, baseUrl, key, proxy, signal } = upstream
  if (baseUrl === '') throw new AppError('channel.upstream-unreached')
  const to = toOf(upstream)
  const endpoint = { path: () => path }
  const proof = provider ? headersOf(provider, endpoint, to) : { authorization: `Bearer ${key}` }
  const unsigned = {
    method: 'GET',
    url: urlOf(endpoint, to),
    headers: { accept: 'application/json', ...proof, ...headers },
    body: '',
  }
  const signer = provider && signerOf(provider, endpoint)
  const signed: Proof = signer ? await prove(signer.sign(unsigned, to, signingTools(outbound, proxy))) : {}
  const response = await outbound
    .fetch(signed.url ?? unsigned.url, {
      policy: 'operator',
      headers: { ...unsigned.headers, ...signed.headers },
      timeoutMs: WAIT_MS,
      wholeMs: WAIT_MS,
      maxBytes: LARGEST_ANSWER,
      ...(signal && { signal }),
      ...(proxy ? { proxy } : {}),
    })
    .catch(error => {
      throw new AppError('channel.upstream-unreached', {}, error)
    })
  if (!response.ok) {
    await response.body?.cancel()
    throw new AppError('channel.upstream-refused', { status: response.status })
  }
  return readJson(response, LARGEST_ANSWER).catch(error => {
    throw new AppError('channel.upstream-unreadable', {}, error)
  })
}

/** A vendor that gives no proof has refused the key. */
async function prove(proof: Proof | Promise<Proof>): Promise<Proof> {
  try {
    return await proof
  } catch (error) {
    if (error instanceof ProofRefused)
      throw new AppError('channel.upstream-refused', { status: error.problem.status }, error)
    throw new AppError('channel.upstream-unreached', {}, error)
  }
}

export function toOf({ baseUrl, key, other, organization }: Upstream): Destination {
  return { baseUrl, key, model: '', stream: false, other, organization }
}

export function proxyOf(setting: string | null): string | undefined {
  try {
    const { proxy } = JSON.parse(setting || '{}') as { proxy?: unknown }
    return typeof proxy === 'string' && proxy.trim() !== '' ? proxy.trim() : undefined
  } catch {
    return undefined
  }
}
