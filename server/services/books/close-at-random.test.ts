import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { KyselyPlugin } from 'kysely'
import { newSeed, type Random, seeded } from '../../../test/faults/random.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import { type OldBooks, openOldBooks } from '../../../test/services/old-books.ts'
import { setBudget } from '../../ledger/budget.ts'
import { filesOf } from '../../ledger/closing/closed-months.ts'
import { credit } from '../../ledger/entries.ts'
import { redeem } from '../../ledger/redeem.ts'
import { refillDue } from '../../ledger/refill.ts'
import { end } from '../../ledger/subscription/end.ts'
import { renewDue } from '../../ledger/subscription/renew-due.ts'
import { sell } from '../../ledger/subscription/sell.ts'
import { lockWallet, subscriptionsOf } from '../../ledger/subscription/wallet.ts'
import { setQuota } from '../../ledger/wallet-moves.ts'
import type { Store } from '../../store/index.ts'

const DAY = 86_400
const STEPS = 60
const open: OldBooks[] = []
afterEach(async () => {
  for (const books of open.splice(0)) await books.end()
})
afterAll(dropAll)

const told = { type: 4, content: '' }
const words = { renewed: () => told, ended: () => told }
const plan = {
  ...{ id: 1, title: 'Daily', duration: 3, duration_unit: 'day' as const },
  ...{ quota: 500, period: 'day' as const, group: '', most_each: 0, five_hour_quota: 0, week_quota: 0 },
}

/** The process is dead after so many statements: before one, or after it with nobody told that it was carried out. */
class Killed extends Error {}

function storeThatIsKilled(store: Store, random: Random, most = 40): Store {
  let left = random(0, most)
  const step = (): void => {
    if (left-- <= 0) throw new Killed('killed')
  }
  const fuse: KyselyPlugin = {
    transformQuery({ node }) {
      step()
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return {
    ...store,
    db: store.db.withPlugin(fuse),
    async transaction(work) {
      const done = await store.transaction(own => work(own.withPlugin(fuse) as typeof own))
      step()
      return done
    },
    async batch(decision, argument) {
      step()
      const result = await store.batch(decision, argument)
      step()
      return result
    },
  }
}

class History {
  readonly #books: OldBooks
  readonly #random: Random
  readonly #settled: string[] = []
  #count = 0

  constructor(books: OldBooks, random: Random) {
    this.#books = books
    this.#random = random
  }

  /** Something that happens to money, whichever. */
  async step(): Promise<void> {
    const { clock } = this.#books
    clock.now += this.#random(0, 3 * DAY)
    await renewDue(this.#books.store, clock.now, words)
    await refillDue(this.#books.store, clock.now)
    for (let calls = this.#random(0, 4); calls > 0; calls--) await this.#call()
    const others = [
      () => this.#refund(),
      () => this.#refund(),
      () => this.#sell(),
      () => this.#endPlan(),
      () => this.#redeem(),
      () => this.#setQuota(),
      () => this.#setBudget(),
      () => this.#remove(),
    ]
    await others[this.#random(0, others.length - 1)]?.()
  }

  /** A call that was refunded in another month goes with the calls of that one: should it be the last, it has some. */
  async end(): Promise<void> {
    const { store, clock, userIds } = this.#books
    const [userId = 0] = userIds
    await credit(store, clock.now, { kind: 'gift', ref: 'the last', userId, amount: 100 })
    await this.#books.call(1, { userId })
  }

  get #userId(): number {
    return this.#books.userIds[this.#random(0, 2)] ?? 0
  }

  async #call(): Promise<void> {
    const [first = 0] = this.#books.userIds
    const tokenId = this.#random(0, 1) === 0 ? 0 : (this.#books.tokenIds[this.#random(0, 1)] ?? 0)
    const userId = tokenId === 0 ? this.#userId : first
    const charge = this.#random(0, 3) === 0 ? 0 : this.#random(1, 300)
    const { ledger, clock, newId } = this.#books
    // Who cannot pay any more is refused: that is a history too.
    if (this.#random(0, 2) === 0) {
      const terms = { charge, price: '{}', began: clock.now }
      await ledger.pay({ id: newId(), userId, tokenId }, terms, undefined).catch(() => {})
      return
    }
    const id = await this.#books.call(charge, { userId, tokenId }).catch(() => undefined)
    if (id !== undefined && charge > 0) this.#settled.push(id)
  }

  /** Of a task that failed, which is known within days. */
  async #refund(): Promise<void> {
    const id = this.#settled.splice(-this.#random(1, 3), 1)[0]
    if (id !== undefined) await this.#books.refund(id)
  }

  async #sell(): Promise<void> {
    const { store, clock } = this.#books
    const userId = this.#userId
    await store
      .transaction(transaction =>
        sell({ transaction, engine: store.engine, now: clock.now }, { userId, plan, told }, words),
      )
      .catch(() => {})
  }

  async #endPlan(): Promise<void> {
    const { store, clock } = this.#books
    const userId = this.#userId
    await store.transaction(async transaction => {
      const books = { transaction, engine: store.engine, now: clock.now }
      const wallet = await lockWallet(books, userId)
      const found = await subscriptionsOf(books, userId).where('state', '=', 'running').executeTakeFirst()
      if (wallet && found) await end(books, wallet, found, () => told)
    })
  }

  async #redeem(): Promise<void> {
    const { store, clock } = this.#books
    const key = `code ${++this.#count}`
    const row = { user_id: 1, key, status: 1, name: '', quota: 200, created_time: 1, redeemed_time: 0 }
    await store.db
      .insertInto('redemptions')
      .values({ ...row, used_user_id: 0 })
      .execute()
    await redeem(store, clock.now, { key, userId: this.#userId }, () => told)
    await credit(store, clock.now, { kind: 'gift', ref: key, userId: this.#userId, amount: 100 })
  }

  async #setQuota(): Promise<void> {
    const { store, clock } = this.#books
    const wanted = { userId: this.#userId, quota: this.#random(0, 5000) }
    await store.transaction(own => setQuota(own, store, clock.now, wanted, () => told))
  }

  async #setBudget(): Promise<void> {
    const { store, clock, userIds, tokenIds } = this.#books
    const [userId = 0] = userIds
    const [tokenId = 0] = tokenIds
    const day = { refill_quota: 400, refill_period: 'day' as const, refill_at: clock.now + DAY }
    await store.transaction(async own => {
      const row = await own
        .selectFrom('tokens')
        .select('remain_quota')
        .where('id', '=', tokenId)
        .executeTakeFirstOrThrow()
      await setBudget(own, clock.now, { tokenId, userId, former: row.remain_quota, to: this.#random(0, 900) })
      if (this.#random(0, 1) === 0)
        await own.updateTable('tokens').set(day).where('id', '=', tokenId).execute()
    })
  }

  /** As deleting does: the row stays, marked. */
  async #remove(): Promise<void> {
    const { store, clock, userIds, tokenIds } = this.#books
    const deleted_at = this.#random(0, 1) === 0 ? clock.now : null
    if (this.#random(0, 1) === 0)
      await store.db
        .updateTable('users')
        .set({ deleted_at })
        .where('id', '=', userIds[2] ?? 0)
        .execute()
    else
      await store.db
        .updateTable('tokens')
        .set({ deleted_at })
        .where('id', '=', tokenIds[1] ?? 0)
        .execute()
  }
}

for (const engine of engines)
  describe(`a random history on ${engine.name}`, () => {
    for (const files of ['always', 'sometimes'] as const)
      test(`keeps every balance to the unit while it is closed and killed, with files ${files}`, async () => {
        const seed = Number(process.env.SEED ?? newSeed())
        const random = seeded(seed)
        const books = await openOldBooks(await engine.freshUrl())
        open.push(books)
        const history = new History(books, random)
        let kills = 0
        const closing = async (store?: Store): Promise<void> => {
          await books.setOptions({ BooksFile: String(files === 'always' || random(0, 1) > 0) })
          const before = await books.balances()
          await books.close(store ? { store } : {}).catch(error => {
            if (!(error instanceof Killed)) throw error
            kills++
          })
          expect([seed, await books.faults()]).toEqual([seed, []])
          expect([seed, await books.balances()]).toEqual([seed, before])
        }
        for (let step = 0; step < STEPS; step++) {
          await history.step()
          if (random(0, 3) === 0) await closing(storeThatIsKilled(books.store, random))
        }
        await history.end()
        books.clock.now += 200 * DAY
        // Sooner than any closing is done: every history has one that was killed.
        await closing(storeThatIsKilled(books.store, random, 5))
        for (let times = random(0, 10); times > 0; times--)
          await closing(storeThatIsKilled(books.store, random))
        await closing()
        expect([seed, kills]).not.toEqual([seed, 0])
        expect([seed, await books.count('holds')]).toEqual([seed, 0])
        if (files === 'always') await expectFilesToHoldWhatWasFolded(books, seed)
      })
  })

/** A call is in two files where a fold was broken off; what the last says of each comes to what the months do. */
async function expectFilesToHoldWhatWasFolded(books: OldBooks, seed: number): Promise<void> {
  const folder = join(books.dataDir, 'books')
  const months = await books.store.db.selectFrom('closed_months').selectAll().orderBy('month').execute()
  const calls = new Map<string, readonly { user_amount: number }[]>()
  for (const { name } of months.flatMap(filesOf)) {
    const lines = gunzipSync(readFileSync(join(folder, name)))
      .toString()
      .trimEnd()
      .split('\n')
    for (const line of lines) {
      const { id, entries } = JSON.parse(line) as { id: string; entries: { user_amount: number }[] }
      calls.set(id, entries)
    }
  }
  const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
  const inFiles = [...calls.values()].flat().map(({ user_amount }) => user_amount)
  expect([seed, calls.size, sum(inFiles)]).toEqual([
    seed,
    sum(months.map(month => month.calls)),
    sum(months.map(({ user_amount }) => user_amount)),
  ])
}
