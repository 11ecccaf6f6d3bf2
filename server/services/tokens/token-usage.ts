import { tokenStatuses } from '../../../contract/tokens.ts'
import { userStatuses } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import { type GivenKey, readKey, tokenHashes } from '../../store/given-key.ts'
import { splitList } from '../../store/split-list.ts'
import type { App } from '../app.ts'
import type { Handlers } from '../call.ts'
import { refuseElsewhere } from './shown-to.ts'

const LONGEST_KEY = 512

export function tokenUsageHandlers(app: Pick<App, 'store'>): Handlers<'tokenUsage'> {
  return {
    async tokenUsage({ authorization, address }) {
      const token = await findToken(app, givenIn(authorization), address)
      return {
        code: true,
        message: 'ok',
        data: {
          object: 'token_usage',
          name: token.name,
          total_granted: token.remain_quota + token.used_quota,
          total_used: token.used_quota,
          total_available: token.remain_quota,
          unlimited_quota: token.unlimited_quota === 1,
          model_limits: readLimits(token.model_limits),
          model_limits_enabled: token.model_limits_enabled === 1,
          expires_at: Math.max(0, token.expired_time),
          refill_quota: token.refill_quota,
          refill_period: token.refill_period,
          refill_at: token.refill_at,
        },
      }
    },
  }
}

function givenIn(authorization: string | null): GivenKey {
  const given = (authorization ?? '').replace(/^bearer\s+/i, '').trim()
  if (given === '') throw new AppError('relay.no-key')
  if (given.length > LONGEST_KEY) throw new AppError('relay.bad-key')
  return readKey(given)
}

/** A token that is used up or has expired may still say so; one that was switched off proves nothing. */
async function findToken({ store }: Pick<App, 'store'>, given: GivenKey, address: string) {
  const token = await store.db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .leftJoin('users as maker', 'maker.id', 'tokens.created_by')
    .select(['maker.status as maker_status', 'maker.deleted_at as maker_deleted_at', 'tokens.allow_ips'])
    .select(['tokens.name', 'tokens.status', 'tokens.expired_time', 'tokens.remain_quota'])
    .select(['tokens.used_quota', 'tokens.unlimited_quota', 'tokens.model_limits'])
    .select(['tokens.model_limits_enabled', 'users.status as user_status'])
    .select(['tokens.refill_quota', 'tokens.refill_period', 'tokens.refill_at'])
    .where('tokens.key_hash', 'in', tokenHashes(store, given))
    .where('tokens.deleted_at', 'is', null)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!token) throw new AppError('relay.bad-key')
  if (token.status === tokenStatuses.disabled) throw new AppError('token.unavailable')
  if (token.user_status !== userStatuses.active) throw new AppError('relay.user-banned')
  refuseElsewhere(token, address)
  return token
}

function readLimits(list: string): Record<string, boolean> {
  return Object.fromEntries(splitList(list).map(name => [name, true]))
}
