import * as z from 'zod/mini'
import { AppError } from '../../errors.ts'
import { pathOf, readBalance } from '../../providers/ask-about-itself.ts'
import type { Balance } from '../../providers/define.ts'
import { providers } from '../../providers/index.ts'
import type { ChannelRow } from '../../store/routed-channel.ts'
import type { App } from '../app.ts'
import { askUpstream, readChannel, toOf, type Upstream, upstreamOf } from './upstream-request.ts'

const OPENAI = 1
const CUSTOM = 8
const MOONSHOT = 25
const SILICONCLOUD = 40
const DEEPSEEK = 43
const NEW_API = 60

/** Channels show dollars; vendors that are paid in yuan are converted at this rate. */
const YUAN_PER_DOLLAR = 7.3
const MICRO = 1_000_000
const DAY_SECONDS = 86_400
/** As far back as the resellers' interface looks. */
const USAGE_DAYS = 100

const amount = z.pipe(
  z.union([z.number(), z.string().check(z.regex(/^-?\d{1,15}(\.\d+)?$/))]),
  z.transform(Number),
)
const subscription = z.object({ hard_limit_usd: amount })
const usage = z.object({ total_usage: amount })
const moonshot = z.object({ data: z.object({ available_balance: amount }) })
const siliconcloud = z.object({ data: z.object({ totalBalance: amount }) })
const deepseek = z.object({
  balance_infos: z.array(z.object({ currency: z.string(), total_balance: amount })),
})

type Reader = (app: App, upstream: Upstream) => Promise<number>

/** Dollars left at an upstream, by type. */
const readers: Readonly<Record<number, Reader>> = {
  [OPENAI]: readReseller,
  [CUSTOM]: readReseller,
  [NEW_API]: readReseller,
  async [MOONSHOT](app, upstream) {
    const { data } = read(moonshot, await askUpstream(app, upstream, '/v1/users/me/balance'))
    return isAbroad(upstream, '.ai') ? data.available_balance : fromYuan(data.available_balance)
  },
  async [SILICONCLOUD](app, upstream) {
    const { data } = read(siliconcloud, await askUpstream(app, upstream, '/v1/user/info'))
    return isAbroad(upstream, '.com') ? data.totalBalance : fromYuan(data.totalBalance)
  },
  async [DEEPSEEK](app, upstream) {
    // Its money has no version, whatever version the operator has chosen for its models.
    const house = { ...upstream, baseUrl: upstream.baseUrl.replace(/\/v\d+$/, '') }
    const { balance_infos } = read(deepseek, await askUpstream(app, house, '/user/balance'))
    return balance_infos.reduce(
      (sum, { currency, total_balance }) =>
        sum + (currency === 'CNY' ? fromYuan(total_balance) : total_balance),
      0,
    )
  },
}

export const typesWithBalance = [
  ...Object.keys(readers).map(Number),
  ...providers.filter(({ balance }) => balance).map(({ type }) => type),
]

interface Found {
  /** Dollars. */
  readonly balance: number
  /** The channel as it was asked. */
  readonly of: ChannelRow
}

/** Asks a channel's upstream what is left and stores it. */
export async function updateBalance(app: App, id: number, signal?: AbortSignal): Promise<Found> {
  const of = await readChannel(app, id)
  const upstream = { ...upstreamOf(app, of), signal }
  const own = upstream.provider?.balance
  const reader = own ? readOwn(own) : readers[upstream.type]
  if (!reader) throw new AppError('channel.balance-unsupported')
  const micro = Math.round((await reader(app, upstream)) * MICRO)
  if (!Number.isSafeInteger(micro)) throw new AppError('channel.upstream-unreadable')
  await app.store.db
    .updateTable('channels')
    .set({ balance: micro, balance_updated_time: app.now() })
    .where('id', '=', id)
    .execute()
  return { balance: micro / MICRO, of }
}

/** As the provider's folder says. */
function readOwn(balance: Balance): Reader {
  return async (app, upstream) => {
    const to = toOf(upstream)
    const left = readBalance(balance, await askUpstream(app, upstream, pathOf(balance, to)), to)
    if (!left) throw new AppError('channel.upstream-unreadable')
    return left.currency === 'CNY' ? fromYuan(left.amount) : left.amount
  }
}

/** What was granted less what was used, which comes in cents. */
async function readReseller(app: App, upstream: Upstream): Promise<number> {
  if (upstream.provider?.isWholeAddress?.(upstream.baseUrl)) throw new AppError('channel.balance-unsupported')
  const granted = read(subscription, await askUpstream(app, upstream, '/v1/dashboard/billing/subscription'))
  const start = dayOf(app.now() - USAGE_DAYS * DAY_SECONDS)
  const path = `/v1/dashboard/billing/usage?start_date=${start}&end_date=${dayOf(app.now() + DAY_SECONDS)}`
  const { total_usage } = read(usage, await askUpstream(app, upstream, path))
  return granted.hard_limit_usd - total_usage / 100
}

/** Where the same vendor has a house that is paid in dollars. */
function isAbroad({ baseUrl }: Upstream, ending: string): boolean {
  return URL.parse(baseUrl)?.hostname.endsWith(ending) ?? false
}

function fromYuan(yuan: number): number {
  return yuan / YUAN_PER_DOLLAR
}

function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}

function read<S extends z.ZodMiniType>(schema: S, answer: unknown): z.output<S> {
  const result = schema.safeParse(answer)
  if (!result.success) throw new AppError('channel.upstream-unreadable', {}, result.error)
  return result.data
}
