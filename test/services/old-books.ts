import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { audit } from '../../server/ledger/audit.ts'
import { credit } from '../../server/ledger/entries.ts'
import { Ledger } from '../../server/ledger/ledger.ts'
import type { Move } from '../../server/ledger/moves.ts'
import { refundCharge } from '../../server/ledger/refund.ts'
import type { Progress } from '../../server/services/background-work.ts'
import { closeBooks } from '../../server/services/books/close-books.ts'
import { newUser } from '../../server/services/setup.ts'
import type { Store } from '../../server/store/index.ts'
import { openSampleStore, sampleToken } from '../sample-store.ts'

const row = { type: 4, content: '' }
const at = (day: string): number => Date.parse(`${day}T12:00:00Z`) / 1000

/** Books with users and tokens, a clock that a test sets, and the closing of months. */
export interface OldBooks {
  readonly store: Store
  readonly ledger: Ledger
  readonly dataDir: string
  /** Moves that are to reach the database, as a journal keeps them. */
  readonly journal: Move[]
  readonly clock: { now: number }
  readonly userIds: readonly number[]
  /** The first has a budget, the second none; both are the first user's. */
  readonly tokenIds: readonly number[]
  /** Noon of a day. */
  setDay(day: string): void
  newId(): string
  /** A call that is charged, or given back where nothing is. */
  call(charge: number, of?: { userId?: number; tokenId?: number }): Promise<string>
  refund(id: string): Promise<number | undefined>
  /** With three months kept, unless a test says otherwise. */
  close(on?: { store?: Store; progress?: Progress }): Promise<Progress>
  setOptions(options: Readonly<Record<string, string>>): Promise<void>
  /** What the audit finds. */
  faults(): Promise<readonly unknown[]>
  balances(): Promise<string>
  count(table: 'holds' | 'closed_months' | 'subscription_holds'): Promise<number>
  entriesOf(kind: string): Promise<{ ref: string; user_amount: number; token_amount: number }[]>
  end(): Promise<void>
}

export async function openOldBooks(url: string): Promise<OldBooks> {
  const store = await openSampleStore(url)
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-old-books-'))
  const clock = { now: at('2026-01-10') }
  const now = () => clock.now
  const { db } = store
  for (const name of ['ann', 'ben', 'cat'])
    await db
      .insertInto('users')
      .values(newUser(name, 'x', 1))
      .execute()
  await db.insertInto('nodes').values({ id: 'n', started_at: 1, beat: 1 }).execute()
  const users = await db.selectFrom('users').select('id').orderBy('id').execute()
  const userIds = users.map(({ id }) => id)
  for (const userId of userIds)
    await credit(store, now(), { kind: 'gift', ref: `${userId}`, userId, amount: 100_000 })
  const [first = 0] = userIds
  for (const [key_hash, unlimited_quota] of [
    ['a', 0],
    ['b', 1],
  ] as const)
    await db
      .insertInto('tokens')
      .values(sampleToken({ user_id: first, key_hash, unlimited_quota }))
      .execute()
  const tokens = await db.selectFrom('tokens').select('id').orderBy('id').execute()
  const tokenIds = tokens.map(({ id }) => id)
  await db
    .insertInto('ledger_entries')
    .values({
      ...{ kind: 'budget', ref: 'first', user_id: first, token_id: tokenIds[0] ?? 0 },
      ...{ user_amount: 0, token_amount: 50_000, created_at: now() },
    })
    .execute()
  await db.updateTable('tokens').set({ remain_quota: 50_000 }).where('key_hash', '=', 'a').execute()

  const journal: Move[] = []
  const kept = {
    append: async (move: Move) => void journal.push(move),
    pending: () => [...journal],
    clear: async (count: number) => void journal.splice(0, count),
  }
  const ledger = new Ledger({ batch: store.batch, journal: kept, now, nodeId: () => 'n' })
  const newId = () => Bun.randomUUIDv7('hex', clock.now * 1000)
  const books: OldBooks = {
    ...{ store, ledger, dataDir, journal, clock, userIds, tokenIds, newId },
    setDay(day) {
      clock.now = at(day)
    },
    async call(charge, { userId = first, tokenId = 0 } = {}) {
      const of = { id: newId(), userId, tokenId }
      await ledger.hold(of, { most: charge + 10, least: 1, price: '{"model":"m"}' })
      if (charge === 0) await ledger.release(of)
      else await ledger.settle(of, charge, undefined)
      return of.id
    },
    refund: id =>
      store.transaction(own =>
        refundCharge(own, store, now(), { requestId: id, channelId: 0, describe: () => row }),
      ),
    async close({ store: on = store, progress = newProgress() } = {}) {
      await closeBooks({ store: on, settings: store.settings, now, dataDir }, progress)
      return progress
    },
    async setOptions(options) {
      await store.change('options', async transaction => {
        for (const [key, value] of Object.entries(options)) {
          await transaction.deleteFrom('options').where('key', '=', key).execute()
          await transaction.insertInto('options').values({ key, value, updated_at: 1 }).execute()
        }
      })
    },
    faults: async () => (await audit(db, store.cipher)).differences,
    async balances() {
      const wallets = await db
        .selectFrom('users')
        .select(['id', 'quota', 'used_quota'])
        .orderBy('id')
        .execute()
      const budgets = await db.selectFrom('tokens').select(['id', 'remain_quota']).orderBy('id').execute()
      return JSON.stringify([wallets, budgets])
    },
    async count(table) {
      const { rows } = await db
        .selectFrom(table)
        .select(all => all.fn.countAll<number>().as('rows'))
        .executeTakeFirstOrThrow()
      return Number(rows)
    },
    entriesOf: kind =>
      db
        .selectFrom('ledger_entries')
        .select(['ref', 'user_amount', 'token_amount'])
        .where('kind', '=', kind)
        .orderBy('ref')
        .execute(),
    async end() {
      await store.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  await books.setOptions({ BooksMonths: '3' })
  return books
}

export function newProgress(signal = new AbortController().signal): Progress {
  return { total: 0, done: 0, failed: 0, signal }
}
