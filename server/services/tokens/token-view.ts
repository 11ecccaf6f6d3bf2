import type { Selectable } from 'kysely'
import { splitLabels } from '../../../contract/labels.ts'
import { type TokenView, tokenStatuses } from '../../../contract/tokens.ts'
import { log } from '../../log.ts'
import type { Cipher } from '../../store/cipher.ts'
import type { Tokens } from '../../store/schema.ts'
import { tokenKeyPlace } from '../../store/sealed-places.ts'

export const NEVER = -1

/** A token for its owner, and for nobody else: the key is in it. */
export function viewToken(
  cipher: Cipher,
  row: Selectable<Tokens>,
  now: number,
  creators: ReadonlyMap<number, string>,
): TokenView {
  return {
    id: row.id,
    user_id: row.user_id,
    key: openKey(cipher, row),
    status: statusOf(row, now),
    name: row.name,
    created_time: row.created_time,
    accessed_time: row.accessed_time,
    expired_time: row.expired_time,
    remain_quota: row.remain_quota,
    unlimited_quota: row.unlimited_quota === 1,
    used_quota: row.used_quota,
    model_limits_enabled: row.model_limits_enabled === 1,
    model_limits: row.model_limits,
    allow_ips: row.allow_ips,
    group: row.group,
    rpm: row.rpm,
    tpm: row.tpm,
    concurrency: row.concurrency,
    refill_quota: row.refill_quota,
    refill_period: row.refill_period,
    refill_at: row.refill_at,
    created_by: row.created_by,
    creator: creators.get(row.created_by) ?? '',
    labels: splitLabels(row.labels),
    DeletedAt: null,
  }
}

type Stated = Pick<Selectable<Tokens>, 'status' | 'expired_time' | 'unlimited_quota' | 'remain_quota'>

/** What a call with it would be told: nobody writes down that a time has passed. */
function statusOf(row: Stated, now: number): number {
  if (row.status !== tokenStatuses.enabled) return row.status
  if (hasExpired(row, now)) return tokenStatuses.expired
  return isSpent(row) ? tokenStatuses.exhausted : row.status
}

export function hasExpired({ expired_time }: Pick<Stated, 'expired_time'>, now: number): boolean {
  return expired_time !== NEVER && expired_time <= now
}

export function isSpent({ unlimited_quota, remain_quota }: Omit<Stated, 'status' | 'expired_time'>): boolean {
  return unlimited_quota === 0 && remain_quota <= 0
}

/** Blank when it cannot be read: one bad row must not hide the others. */
export function openKey(
  cipher: Cipher,
  { id, key_sealed }: Pick<Selectable<Tokens>, 'id' | 'key_sealed'>,
): string {
  if (key_sealed === '') return ''
  try {
    return cipher.open(tokenKeyPlace(id), key_sealed)
  } catch (error) {
    log.warn('the key of a token cannot be opened', { id, error })
    return ''
  }
}
