import { AppError } from '../errors.ts'
import type { Admitted } from './callers/authorise.ts'
import type { RelayParts } from './parts.ts'
import type { Route } from './request/match-route.ts'

type Parts = Pick<RelayParts, 'store' | 'settings'>
type BillingRoute = Extract<Route, { kind: 'billing' }>

/** What clients of this family take for "no limit". */
const UNLIMITED = 100_000_000

/** The two figures that OpenAI's dashboard once had, and balance displays still ask for. */
export async function serveBilling(
  { store, settings }: Parts,
  { what }: BillingRoute,
  { caller }: Admitted,
): Promise<Response> {
  const row = await readFigures(store, caller.tokenId)
  const ofToken = settings.get('DisplayTokenStatEnabled')
  const used = ofToken ? row.token_used : row.user_used
  const unit = settings.get('DisplayInCurrencyEnabled') ? settings.get('QuotaPerUnit') : 1
  if (what === 'usage') return Response.json({ object: 'list', total_usage: (used * 100) / unit })
  const left = ofToken ? row.remain_quota : row.quota
  const limit = ofToken && row.unlimited_quota === 1 ? UNLIMITED : (left + used) / unit
  return Response.json({
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    access_until: Math.max(0, row.expired_time),
  })
}

/** From the database: what is remembered of a caller may be seconds old. */
async function readFigures({ db }: Parts['store'], tokenId: number) {
  const row = await db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .select(['tokens.remain_quota', 'tokens.used_quota as token_used', 'tokens.unlimited_quota'])
    .select(['tokens.expired_time', 'users.quota', 'users.used_quota as user_used'])
    .where('tokens.id', '=', tokenId)
    .executeTakeFirst()
  if (!row) throw new AppError('relay.bad-key')
  return row
}
