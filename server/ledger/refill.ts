import { type Selectable, sql, type Transaction } from 'kysely'
import type { RefillPeriod } from '../../contract/tokens.ts'
import { log } from '../log.ts'
import type { Store } from '../store/index.ts'
import type { Holds } from '../store/ledger-schema.ts'
import type { Schema, Tokens } from '../store/schema.ts'
import type { EntryKind } from './entries.ts'
import { holdStates, tokenStates } from './moves.ts'
import { nextRefill } from './refill-period.ts'

const KIND: EntryKind = 'refill'
/** In one transaction: whoever spends from one of them waits for all. */
const AT_A_TIME = 50
const DAY = 86_400
/** Seconds, more than each period has: an end further away was set by a clock that was wrong. */
const tooFar = { day: 2 * DAY, week: 8 * DAY, month: 32 * DAY, none: 0 } as const

type Due = Pick<Selectable<Tokens>, 'id' | 'user_id'>
type Token = Pick<
  Selectable<Tokens>,
  'id' | 'user_id' | 'status' | 'remain_quota' | 'refill_quota' | 'refill_period' | 'refill_at' | 'deleted_at'
>
type Held = Pick<Selectable<Holds>, 'id' | 'token_id' | 'token_amount'>

/**
 * Renews the budgets whose period has ended; answers how many. Any number of processes may do so at once: who comes
 * second finds the next period's end in the row, and the books take one entry for each end. However many have passed
 * since, it is one renewal. Ends of days and weeks that are too far away lie among those of months: whoever looks for
 * them goes through all of these, which is for `isThorough`.
 */
export async function refillDue(store: Store, now: number, isThorough = false): Promise<number> {
  let refilled = 0
  for (;;) {
    const found = [
      await tokensWithin(store, 0, now),
      await tokensWithin(store, now + tooFar.month, Number.MAX_SAFE_INTEGER),
    ]
    if (isThorough)
      for (const period of ['day', 'week'] as const)
        found.push(await tokensWithin(store, now + tooFar[period], now + tooFar.month, period))
    const due = found.flat()
    if (due.length > 0) refilled += await store.transaction(own => refill(own, store, now, due))
    if (found.every(part => part.length < AT_A_TIME)) break
  }
  if (refilled > 0) log.info('budgets of tokens were renewed', { tokens: refilled })
  return refilled
}

/** Each a stretch of the index: as one question, it would be gone through whole. */
function tokensWithin(
  { db }: Pick<Store, 'db'>,
  after: number,
  until: number,
  period?: RefillPeriod,
): Promise<Due[]> {
  return db
    .selectFrom('tokens')
    .select(['id', 'user_id'])
    .where('refill_at', '>', after)
    .where('refill_at', '<=', until)
    .$if(period !== undefined, tokens => tokens.where('refill_period', '=', period ?? 'none'))
    .orderBy('refill_at')
    .limit(AT_A_TIME)
    .execute()
}

/**
 * What remains becomes the renewal's amount. What calls under way have set aside on the budget is written off with the
 * period in which they began: they give nothing back to the new budget, and take from it only what they need beyond.
 */
async function refill(
  transaction: Transaction<Schema>,
  store: Pick<Store, 'engine'>,
  now: number,
  due: readonly Due[],
): Promise<number> {
  const tokens = await lockDue(transaction, store, now, due)
  if (tokens.length === 0) return 0
  const ids = tokens.map(({ id }) => id)
  const holds = await openHolds(transaction, ids)
  const done = await refsOf(transaction, tokens)
  // A clock that was set back brings an end that has been before, or leaves one that is far away.
  const renewed = tokens.filter(
    token => token.deleted_at === null && token.refill_at <= now && !done.has(refOf(token)),
  )
  for (const token of tokens)
    await transaction
      .updateTable('tokens')
      .set({
        refill_at: token.deleted_at === null ? nextRefill(token.refill_period, now) : 0,
        ...(renewed.includes(token) ? budgetOf(token, now) : {}),
      })
      .where('id', '=', token.id)
      .execute()
  if (renewed.length === 0) return 0
  await transaction
    .insertInto('ledger_entries')
    .values(renewed.map(token => entryOf(token, heldOn(token, holds), now)))
    .execute()
  const written = renewed.map(({ id }) => id)
  const off = holds.filter(hold => written.includes(hold.token_id)).map(({ id }) => id)
  if (off.length > 0)
    await transaction.updateTable('holds').set({ token_amount: 0 }).where('id', 'in', off).execute()
  return renewed.length
}

/**
 * In the order in which the ledger locks: wallets, then tokens, each by their number. Nothing is read before that
 * an engine would show as it was then.
 */
async function lockDue(
  transaction: Transaction<Schema>,
  { engine }: Pick<Store, 'engine'>,
  now: number,
  due: readonly Due[],
): Promise<Token[]> {
  let users = transaction
    .selectFrom('users')
    .select('id')
    .where('id', 'in', [...new Set(due.map(({ user_id }) => user_id))])
    .orderBy('id')
  let tokens = transaction
    .selectFrom('tokens')
    .select(['id', 'user_id', 'status', 'remain_quota', 'deleted_at'])
    .select(['refill_quota', 'refill_period', 'refill_at'])
    .where(
      'id',
      'in',
      due.map(({ id }) => id),
    )
    .orderBy('id')
  if (engine !== 'sqlite') {
    users = users.forUpdate()
    tokens = tokens.forUpdate()
  }
  await users.execute()
  // Another process may have come first, or the owner wants it otherwise since.
  return (await tokens.execute()).filter(
    ({ refill_at, refill_period }) =>
      refill_at > 0 && (refill_at <= now || refill_at > now + tooFar[refill_period]),
  )
}

/** The state is written out, so that the index of the open ones serves. */
function openHolds(transaction: Transaction<Schema>, tokenIds: readonly number[]): Promise<Held[]> {
  return transaction
    .selectFrom('holds')
    .select(['id', 'token_id', 'token_amount'])
    .where('state', '=', sql.lit(holdStates.open))
    .where('token_id', 'in', tokenIds)
    .where('token_amount', '>', 0)
    .execute()
}

async function refsOf(transaction: Transaction<Schema>, tokens: readonly Token[]): Promise<Set<string>> {
  const rows = await transaction
    .selectFrom('ledger_entries')
    .select('ref')
    .where('kind', '=', KIND)
    .where('ref', 'in', tokens.map(refOf))
    .execute()
  return new Set(rows.map(({ ref }) => ref))
}

const refOf = ({ id, refill_at }: Token): string => `${id}:${refill_at}`

const heldOn = ({ id }: Token, holds: readonly Held[]): number =>
  holds.reduce((sum, hold) => (hold.token_id === id ? sum + hold.token_amount : sum), 0)

function budgetOf({ status, refill_quota }: Token, now: number) {
  return {
    remain_quota: refill_quota,
    refilled_at: now,
    status: status === tokenStates.exhausted ? tokenStates.enabled : status,
  }
}

function entryOf(token: Token, held: number, now: number) {
  return {
    kind: KIND,
    ref: refOf(token),
    user_id: token.user_id,
    token_id: token.id,
    user_amount: 0,
    token_amount: token.refill_quota - token.remain_quota - held,
    created_at: now,
  }
}
