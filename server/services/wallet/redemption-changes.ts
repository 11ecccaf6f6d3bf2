import { randomBytes } from 'node:crypto'
import type { Selectable, Transaction } from 'kysely'
import type { Endpoints } from '../../../contract/index.ts'
import { isExpired, LONGEST_CODE_NAME_BYTES, redemptionStatuses } from '../../../contract/redemptions.ts'
import { MOST_QUOTA } from '../../../contract/tokens.ts'
import { AppError } from '../../errors.ts'
import { lockedOn } from '../../store/lock-rows.ts'
import type { Redemptions, Schema } from '../../store/schema.ts'
import type { App } from '../app.ts'
import { type AuditEvent, recordAudit } from '../audit-record.ts'
import type { CallOf } from '../call.ts'
import { giveWay } from '../give-way.ts'
import { doOnce } from '../once.ts'

type Redemption = Selectable<Redemptions>
type Update = CallOf<Endpoints['updateRedemption']>
type Changes = Partial<Pick<Redemption, 'name' | 'quota' | 'status' | 'expired_time'>>

const MOST_AT_ONCE = 100
const DELETED_AT_ONCE = 2000
/** The end of the year 9999, in seconds. */
const LATEST = 253_402_300_799

export async function createRedemptions(
  app: App,
  call: CallOf<Endpoints['createRedemptions']>,
): Promise<string[]> {
  const { name, quota, count, expired_time } = call.body
  checkName(name)
  if (count < 1) throw new AppError('redemption.count-low')
  if (count > MOST_AT_ONCE) throw new AppError('redemption.count-high')
  checkQuota(quota)
  checkExpiry(app, expired_time)
  const keys = Array.from({ length: count }, () => randomBytes(16).toString('hex'))
  const row = {
    user_id: call.caller.id,
    status: redemptionStatuses.unused,
    name,
    quota,
    created_time: app.now(),
    redeemed_time: 0,
    used_user_id: 0,
    expired_time,
  }
  return doOnce(app, call, 'redemption.create', async once => {
    await app.store.transaction(async transaction => {
      await once.begin(transaction)
      await transaction
        .insertInto('redemptions')
        .values(keys.map(key => ({ ...row, key })))
        .execute()
      const event: AuditEvent = {
        action: 'redemption.create',
        subject: `redemptions:${count}`,
        after: { name, quota, count, ...(expired_time > 0 && { expired_time }) },
      }
      await recordAudit(app, call, event, transaction)
      await once.end(transaction, keys)
    })
    return keys
  })
}

/** A code that was used is part of the books and stays as it was. */
export function updateRedemption(app: App, call: Update): Promise<Redemption> {
  const change = call.query.status_only ? readStatus(call.body) : readFields(call.body)
  const { id } = call.body
  return app.store.transaction(async transaction => {
    const former = await lockRedemption(app, transaction, id)
    if (former.status === redemptionStatuses.used) throw new AppError('redemption.used')
    // One that has ended keeps its end when something else is changed.
    const { expired_time: end = former.expired_time } = change
    if (end !== former.expired_time) checkExpiry(app, end)
    if (Object.keys(change).length === 0) return former
    await transaction.updateTable('redemptions').set(change).where('id', '=', id).execute()
    const { name, quota, status, expired_time } = former
    const event: AuditEvent = {
      action: 'redemption.update',
      subject: `redemption:${id}`,
      before: { name, quota, status, expired_time },
      after: change,
    }
    await recordAudit(app, call, event, transaction)
    return { ...former, ...change }
  })
}

export async function deleteRedemption(
  app: App,
  call: CallOf<Endpoints['deleteRedemption']>,
  id: number,
): Promise<void> {
  await app.store.change('records', async transaction => {
    const { name, quota, status } = await lockRedemption(app, transaction, id)
    await transaction.updateTable('redemptions').set({ deleted_at: app.now() }).where('id', '=', id).execute()
    const event: AuditEvent = {
      action: 'redemption.delete',
      subject: `redemption:${id}`,
      before: { name, quota, status },
    }
    await recordAudit(app, call, event, transaction)
  })
}

/** Those that are there still. How many there were. */
export function deleteRedemptions(app: App, call: CallOf<Endpoints['deleteRedemptions']>): Promise<number> {
  const wanted = [...new Set(call.body.ids)]
  return app.store.change('records', async transaction => {
    const { numUpdatedRows } = await transaction
      .updateTable('redemptions')
      .set({ deleted_at: app.now() })
      .where('id', 'in', wanted)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    const count = Number(numUpdatedRows)
    const event: AuditEvent = {
      action: 'redemption.delete',
      subject: `redemptions:${count}`,
      before: { ids: wanted, count },
    }
    if (count > 0) await recordAudit(app, call, event, transaction)
    return count
  })
}

/**
 * What nobody can redeem any more. How many there were. There may be hundreds of thousands: a portion at a time, each
 * with its own record, for calls are charged in between.
 */
export async function deleteInvalidRedemptions(
  app: App,
  call: CallOf<Endpoints['deleteInvalidRedemptions']>,
): Promise<number> {
  const { unused } = redemptionStatuses
  const now = app.now()
  let all = 0
  for (let after = 0; ; ) {
    const began = performance.now()
    const some = await app.store.db
      .selectFrom('redemptions')
      .select('id')
      .where('id', '>', after)
      .where('deleted_at', 'is', null)
      .where(code => code.or([code('status', '<>', unused), code.between('expired_time', 1, now)]))
      .orderBy('id')
      .limit(DELETED_AT_ONCE)
      .execute()
    const last = some.at(-1)
    if (!last) return all
    all += await deletePortion(app, call, { after, upTo: last.id, now })
    after = last.id
    await giveWay(performance.now() - began, 1)
  }
}

async function deletePortion(
  app: App,
  call: CallOf<Endpoints['deleteInvalidRedemptions']>,
  { after, upTo, now }: { after: number; upTo: number; now: number },
): Promise<number> {
  const { unused } = redemptionStatuses
  return app.store.change('records', async transaction => {
    const { numUpdatedRows } = await transaction
      .updateTable('redemptions')
      .set({ deleted_at: now })
      .where('id', '>', after)
      .where('id', '<=', upTo)
      .where('deleted_at', 'is', null)
      .where(code => code.or([code('status', '<>', unused), code.between('expired_time', 1, now)]))
      .executeTakeFirst()
    const count = Number(numUpdatedRows)
    const event: AuditEvent = {
      action: 'redemption.delete',
      subject: `redemptions:${count}`,
      before: { count },
    }
    if (count > 0) await recordAudit(app, call, event, transaction)
    return count
  })
}

function readStatus({ status }: Update['body']): Changes {
  if (status !== redemptionStatuses.unused && status !== redemptionStatuses.disabled)
    throw new AppError('request.field', { detail: 'status: 1 | 2' })
  return { status }
}

function readFields({ name, quota, expired_time }: Update['body']): Changes {
  if (name !== undefined) checkName(name)
  if (quota !== undefined) checkQuota(quota)
  return {
    ...(name === undefined ? {} : { name }),
    ...(quota === undefined ? {} : { quota }),
    ...(expired_time === undefined ? {} : { expired_time }),
  }
}

function checkName(name: string): void {
  if (name === '' || Buffer.byteLength(name) > LONGEST_CODE_NAME_BYTES) throw new AppError('redemption.name')
}

function checkQuota(quota: number): void {
  if (quota < 1) throw new AppError('redemption.quota')
  if (quota > MOST_QUOTA) throw new AppError('ledger.amount')
}

function checkExpiry({ now }: App, end: number): void {
  if (end < 0 || end > LATEST || isExpired({ expired_time: end }, now()))
    throw new AppError('redemption.expiry')
}

/** Locked, because someone may be redeeming it at the same time. */
async function lockRedemption(
  { store }: App,
  transaction: Transaction<Schema>,
  id: number,
): Promise<Redemption> {
  const row = await transaction
    .selectFrom('redemptions')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$call(lockedOn(store.engine))
    .executeTakeFirst()
  if (!row) throw new AppError('row.not-found')
  return row
}
