import { randomBytes } from 'node:crypto'
import type { Selectable, Transaction } from 'kysely'
import type { Endpoints } from '../../../contract/index.ts'
import { redemptionStatuses } from '../../../contract/redemptions.ts'
import { MOST_QUOTA } from '../../../contract/tokens.ts'
import { AppError } from '../../errors.ts'
import type { Redemptions, Schema } from '../../store/schema.ts'
import type { App } from '../app.ts'
import { type AuditEvent, recordAudit } from '../audit-record.ts'
import type { CallOf } from '../call.ts'

type Redemption = Selectable<Redemptions>
type Update = CallOf<Endpoints['updateRedemption']>

const MOST_AT_ONCE = 100
const LONGEST_NAME_BYTES = 20

export async function createRedemptions(
  app: App,
  call: CallOf<Endpoints['createRedemptions']>,
): Promise<string[]> {
  const { name, quota, count } = call.body
  checkName(name)
  if (count < 1) throw new AppError('redemption.count-low')
  if (count > MOST_AT_ONCE) throw new AppError('redemption.count-high')
  checkQuota(quota)
  const keys = Array.from({ length: count }, () => randomBytes(16).toString('hex'))
  const row = {
    user_id: call.caller.id,
    status: redemptionStatuses.unused,
    name,
    quota,
    created_time: app.now(),
    redeemed_time: 0,
    used_user_id: 0,
  }
  await app.store.transaction(async transaction => {
    await transaction
      .insertInto('redemptions')
      .values(keys.map(key => ({ ...row, key })))
      .execute()
    const event: AuditEvent = {
      action: 'redemption.create',
      subject: `redemptions:${count}`,
      after: { name, quota, count },
    }
    await recordAudit(app, call, event, transaction)
  })
  return keys
}

/** A code that was used is part of the books and stays as it was. */
export function updateRedemption(app: App, call: Update): Promise<Redemption> {
  const change = call.query.status_only ? readStatus(call.body) : readFields(call.body)
  const { id } = call.body
  return app.store.transaction(async transaction => {
    const former = await lockRedemption(app, transaction, id)
    if (former.status === redemptionStatuses.used) throw new AppError('redemption.used')
    if (Object.keys(change).length === 0) return former
    await transaction.updateTable('redemptions').set(change).where('id', '=', id).execute()
    const { name, quota, status } = former
    const event: AuditEvent = {
      action: 'redemption.update',
      subject: `redemption:${id}`,
      before: { name, quota, status },
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
  await app.store.transaction(async transaction => {
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
  return app.store.transaction(async transaction => {
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

function readStatus({ status }: Update['body']): { status: number } {
  if (status !== redemptionStatuses.unused && status !== redemptionStatuses.disabled)
    throw new AppError('request.field', { detail: 'status: 1 | 2' })
  return { status }
}

function readFields({ name, quota }: Update['body']): { name?: string; quota?: number } {
  if (name !== undefined) checkName(name)
  if (quota !== undefined) checkQuota(quota)
  return { ...(name === undefined ? {} : { name }), ...(quota === undefined ? {} : { quota }) }
}

function checkName(name: string): void {
  if (name === '' || Buffer.byteLength(name) > LONGEST_NAME_BYTES) throw new AppError('redemption.name')
}

function checkQuota(quota: number): void {
  if (quota < 1) throw new AppError('redemption.quota')
  if (quota > MOST_QUOTA) throw new AppError('ledger.amount')
}

/** Locked, because someone may be redeeming it at the same time. */
async function lockRedemption(
  { store }: App,
  transaction: Transaction<Schema>,
  id: number,
): Promise<Redemption> {
  let code = transaction
    .selectFrom('redemptions')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
  if (store.engine !== 'sqlite') code = code.forUpdate()
  const row = await code.executeTakeFirst()
  if (!row) throw new AppError('row.not-found')
  return row
}
