import type { Selectable, Transaction } from 'kysely'
import { type TokenChange, tokenStatuses } from '../../../contract/tokens.ts'
import { AppError } from '../../errors.ts'
import { setBudget } from '../../ledger/budget.ts'
import { tokenHash } from '../../store/given-key.ts'
import { lockedOn } from '../../store/lock-rows.ts'
import type { Schema, Tokens } from '../../store/schema.ts'
import { tokenKeyPlace } from '../../store/sealed-places.ts'
import type { App } from '../app.ts'
import type { Caller } from '../call.ts'
import { randomText } from '../random-text.ts'
import { onlyMadeBy, staysMember } from '../teams/act-for-team.ts'
import { readRefill, readTokenFields, type TokenColumns } from './token-fields.ts'
import { KEY_LENGTH } from './token-search.ts'
import { hasExpired, isSpent, NEVER } from './token-view.ts'

type Owner = Pick<Caller, 'id' | 'group' | 'acting'>
type Token = Selectable<Tokens>

export async function createToken(app: App, owner: Owner, change: TokenChange): Promise<void> {
  const fields = readTokenFields({ settings: app.settings, userGroup: owner.group }, change)
  const refill = readRefill(change, app.now())
  const { remain_quota = refill.refill_at ? refill.refill_quota : 0 } = change
  await app.store.change('tokens', async transaction => {
    await staysMember(app.store, transaction, owner)
    const created_by = owner.acting?.person.id ?? 0
    await insertToken(app, transaction, owner.id, { ...fields, ...refill, created_by }, remain_quota)
  })
}

/** Inside a transaction of the caller's; of what is not named, the usual. */
export async function insertToken(
  { store, now }: App,
  transaction: Transaction<Schema>,
  userId: number,
  fields: TokenColumns,
  budget = 0,
): Promise<void> {
  const key = randomText(KEY_LENGTH)
  const key_hash = tokenHash(store, key)
  const at = now()
  await transaction
    .insertInto('tokens')
    .values({
      user_id: userId,
      name: '',
      key_hash,
      key_sealed: '',
      status: tokenStatuses.enabled,
      created_time: at,
      accessed_time: at,
      expired_time: NEVER,
      remain_quota: 0,
      used_quota: 0,
      unlimited_quota: 0,
      model_limits_enabled: 0,
      model_limits: '',
      allow_ips: null,
      group: '',
      ...fields,
    })
    .execute()
  const { id } = await transaction
    .selectFrom('tokens')
    .select('id')
    .where('key_hash', '=', key_hash)
    .executeTakeFirstOrThrow()
  // Sealed for its row, whose id is known only now.
  await transaction
    .updateTable('tokens')
    .set({ key_sealed: store.cipher.seal(tokenKeyPlace(id), key) })
    .where('id', '=', id)
    .execute()
  await setBudget(transaction, at, { tokenId: id, userId, former: 0, to: budget })
}

/** Sets what is given and leaves the rest; the status too, however good the reasons for it were. */
export function updateToken(app: App, owner: Owner, id: number, change: TokenChange): Promise<Token> {
  const named = readTokenFields({ settings: app.settings, userGroup: owner.group }, change)
  return changeToken(app, owner, id, async (transaction, token) => {
    const fields = { ...named, ...readRefill(change, app.now(), token) }
    if (Object.keys(fields).length > 0)
      await transaction.updateTable('tokens').set(fields).where('id', '=', id).execute()
    const to = change.remain_quota ?? token.remain_quota
    await setBudget(transaction, app.now(), { tokenId: id, userId: owner.id, former: token.remain_quota, to })
  })
}

export function setTokenStatus(app: App, owner: Owner, id: number, status?: number): Promise<Token> {
  if (status !== tokenStatuses.enabled && status !== tokenStatuses.disabled)
    throw new AppError('request.field', { detail: 'status: 1 | 2' })
  return changeToken(app, owner, id, async (transaction, token) => {
    if (status === tokenStatuses.enabled) checkUsable(token, app.now())
    await transaction.updateTable('tokens').set({ status }).where('id', '=', id).execute()
  })
}

function checkUsable(token: Token, now: number): void {
  if (hasExpired(token, now)) throw new AppError('token.enable-expired')
  if (isSpent(token)) throw new AppError('token.enable-exhausted')
}

/** The row stays for the books; its key is gone for good. */
export async function deleteToken(app: App, owner: Owner, id: number): Promise<void> {
  await app.store.change('tokens', async transaction => {
    await staysMember(app.store, transaction, owner)
    if (!(await dropToken(app, transaction, owner, id))) throw new AppError('row.not-found')
  })
}

/** Of those that are the owner's; in the order of their ids, which is the one that requests lock them in. */
export function deleteTokens(app: App, owner: Owner, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) throw new AppError('token.arguments')
  const wanted = [...new Set(ids)].toSorted((one, other) => one - other)
  return app.store.change('tokens', async transaction => {
    await staysMember(app.store, transaction, owner)
    let count = 0
    for (const id of wanted) if (await dropToken(app, transaction, owner, id)) count++
    return count
  })
}

async function dropToken(
  app: App,
  transaction: Transaction<Schema>,
  owner: Owner,
  id: number,
): Promise<boolean> {
  const maker = onlyMadeBy(owner)
  const { numUpdatedRows } = await transaction
    .updateTable('tokens')
    .set({ deleted_at: app.now(), key_sealed: '', refill_at: 0 })
    .where('id', '=', id)
    .where('user_id', '=', owner.id)
    .where('deleted_at', 'is', null)
    .$if(maker !== undefined, query => query.where('created_by', '=', maker ?? 0))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

function changeToken(
  app: App,
  owner: Owner,
  id: number,
  work: (transaction: Transaction<Schema>, token: Token) => Promise<void>,
): Promise<Token> {
  return app.store.change('tokens', async transaction => {
    await work(transaction, await lockToken(app, transaction, owner, id))
    return transaction.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  })
}

/** Locked, because requests spend from it at the same time. */
async function lockToken(
  { store }: App,
  transaction: Transaction<Schema>,
  owner: Owner,
  id: number,
): Promise<Token> {
  await staysMember(store, transaction, owner)
  const row = await ownToken(transaction, owner, id).$call(lockedOn(store.engine)).executeTakeFirst()
  if (!row) throw new AppError('row.not-found')
  return row
}

export function ownToken(db: Transaction<Schema> | App['store']['db'], owner: Owner, id: number) {
  const maker = onlyMadeBy(owner)
  return db
    .selectFrom('tokens')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', owner.id)
    .where('deleted_at', 'is', null)
    .$if(maker !== undefined, query => query.where('created_by', '=', maker ?? 0))
}
