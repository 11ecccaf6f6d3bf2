import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import type { SpendLimit } from '../../../contract/spend-limits.ts'
import { openSampleStore } from '../../../test/sample-store.ts'
import { type Books, logRow, openBooks, now as START } from '../../../test/services/books.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import type { AppError } from '../../errors.ts'
import type { Store } from '../../store/index.ts'
import { audit } from '../audit.ts'
import { Ledger } from '../ledger.ts'
import { refundCharge } from '../refund.ts'
import { lockWallet } from '../subscription/wallet.ts'
import { type Limited, memberOf, setLimits } from './set-limits.ts'

const open: Store[] = []
afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})
afterAll(dropAll)

const HOUR = 3600
const MEMBER = 77
const price = '{}'

const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => '',
    error => (error as AppError).code,
  )

/** Books in which time passes only when a test says so. */
interface LimitedBooks extends Books {
  readonly clock: { now: number }
}

describe.each(engines.map(engine => [engine.name, engine] as const))('limits on %s', (_name, engine) => {
  async function fresh(): Promise<LimitedBooks & { readonly url: string }> {
    const url = await engine.freshUrl()
    const books = await openBooks(url)
    open.push(books.store)
    await books.store.db.insertInto('nodes').values({ id: 'n', started_at: 1, beat: 1 }).execute()
    const clock = { now: START() }
    return { ...books, ledger: ledgerOf(books, clock), clock, url }
  }

  const ledgerOf = ({ store, journal, way }: Books, clock: { now: number }) =>
    new Ledger({
      batch: (decision, argument) =>
        way.isOpen ? store.batch(decision, argument) : Promise.reject(new Error('not now')),
      journal,
      now: () => clock.now,
      nodeId: () => 'n',
    })

  async function limit(
    { store, userId, clock }: LimitedBooks,
    limits: readonly SpendLimit[],
    of: Partial<Limited> = {},
  ): Promise<number[]> {
    await store.transaction(async transaction => {
      await lockWallet({ transaction, engine: store.engine, now: clock.now }, userId)
      await setLimits(transaction, { userId, subject: 'account', memberId: 0, ...of }, limits, clock.now)
    })
    const rows = await store.db.selectFrom('spend_limits').select('id').orderBy('id').execute()
    return rows.map(({ id }) => id)
  }

  const spentOf = async ({ store }: Books) =>
    (await store.db.selectFrom('spend_limits').select('spent').orderBy('id').execute()).map(
      ({ spent }) => spent,
    )
  const refund = ({ store, clock }: LimitedBooks, requestId: string) => {
    const given = { requestId, channelId: 0, describe: () => ({ type: 4, content: '' }) }
    return store.transaction(own => refundCharge(own, store, clock.now, given))
  }
  const faults = async ({ store }: Books) => (await audit(store.db)).differences
  const call = (books: Books, id: string, limits: readonly number[]) => ({
    id,
    userId: books.userId,
    tokenId: 0,
    limits,
  })

  test('a call is held to the tightest, and what it did not need is there again', async () => {
    const books = await fresh()
    const { ledger, userId } = books
    const ids = await limit(books, [
      { period: 'day', amount: 300 },
      { period: 'week', amount: 200 },
    ])
    expect(await ledger.hold(call(books, 'a', ids), { most: 500, least: 1, price })).toBe(200)
    expect(await refusal(ledger.hold(call(books, 'b', ids), { most: 10, least: 1, price }))).toBe(
      'ledger.spend-limit-until',
    )
    expect(await spentOf(books)).toEqual([200, 200])
    expect(await faults(books)).toEqual([])
    expect(await ledger.settle(call(books, 'a', ids), 50, logRow(userId, 'a'))).toBe(50)
    expect(await spentOf(books)).toEqual([50, 50])
    expect(await ledger.hold(call(books, 'c', ids), { most: 100, least: 100, price })).toBe(100)
    expect(await ledger.extend(call(books, 'c', ids), { to: 400, least: 120 })).toBe(150)
    expect(await refusal(ledger.extend(call(books, 'c', ids), { to: 400, least: 151 }))).toBe(
      'ledger.spend-limit-until',
    )
    await ledger.release(call(books, 'c', ids))
    expect(await spentOf(books)).toEqual([50, 50])
    // Whoever could not pay for it without a limit either hears of the wallet, which no waiting fills.
    expect(await refusal(ledger.hold(call(books, 'e', ids), { most: 951, least: 951, price }))).toBe(
      'ledger.user-quota',
    )
    // What costs nothing may go on.
    await limit(books, [{ period: 'none', amount: 0 }])
    const none = await limit(books, [{ period: 'none', amount: 0 }])
    expect(none).toHaveLength(1)
    expect(await ledger.hold(call(books, 'free', none), { most: 0, least: 0, price })).toBe(0)
    expect(await refusal(ledger.hold(call(books, 'd', none), { most: 1, least: 1, price }))).toBe(
      'ledger.spend-limit',
    )
    expect(await faults(books)).toEqual([])
  })

  test('a thousand at once on two nodes spend no more than a member may, to the last quota', async () => {
    const books = await fresh()
    const other = await openSampleStore(books.url)
    open.push(other)
    const nodes = [books.ledger, ledgerOf({ ...books, store: other }, books.clock)]
    const ids = await limit(books, [{ period: 'month', amount: 333 }], memberOf(books.userId, MEMBER))
    const calls = Array.from({ length: 1000 }, async (_, at) => {
      const ledger = nodes[at % 2] as Ledger
      const code = await refusal(ledger.hold(call(books, `r${at}`, ids), { most: 10, least: 10, price }))
      if (code !== '') return code
      await ledger.settle(call(books, `r${at}`, ids), 10, logRow(books.userId, `r${at}`))
      return code
    })
    const codes = await Promise.all(calls)
    expect(codes.filter(code => code === '')).toHaveLength(33)
    expect(codes.filter(code => code === 'ledger.member-limit-until')).toHaveLength(967)
    expect(await spentOf(books)).toEqual([330])
    expect(await faults(books)).toEqual([])
  }, 180_000)

  test('a window turns over in the middle of calls: they are of the one they began in', async () => {
    const books = await fresh()
    const { ledger, clock, userId } = books
    const ids = await limit(books, [{ period: 'five-hours', amount: 300 }])
    await ledger.hold(call(books, 'old', ids), { most: 100, least: 100, price })
    await ledger.hold(call(books, 'long', ids), { most: 150, least: 150, price })
    clock.now += 5 * HOUR - 1
    expect(await refusal(ledger.hold(call(books, 'x', ids), { most: 51, least: 51, price }))).toBe(
      'ledger.spend-limit-until',
    )
    clock.now += 1
    expect(await ledger.hold(call(books, 'new', ids), { most: 250, least: 250, price })).toBe(250)
    expect(await spentOf(books)).toEqual([250])
    await ledger.settle(call(books, 'old', ids), 20, logRow(userId, 'old'))
    expect(await spentOf(books)).toEqual([250])
    // What it wants beyond what it has is of the window that runs.
    expect(await ledger.extend(call(books, 'long', ids), { to: 400, least: 151 })).toBe(200)
    expect(await spentOf(books)).toEqual([300])
    expect(await faults(books)).toEqual([])
    await ledger.settle(call(books, 'long', ids), 170, logRow(userId, 'long'))
    expect(await spentOf(books)).toEqual([270])
    await ledger.settle(call(books, 'new', ids), 250, logRow(userId, 'new'))
    expect(await spentOf(books)).toEqual([270])
    expect(await faults(books)).toEqual([])
    // Given back, it leaves that window with the part that counted there.
    expect(await refund(books, 'long')).toBe(170)
    expect(await spentOf(books)).toEqual([250])
    expect(await faults(books)).toEqual([])
  })

  test('what is edited while calls run is in force at once, and keeps what was spent', async () => {
    const books = await fresh()
    const { ledger, userId } = books
    const member = memberOf(userId, MEMBER)
    const ids = await limit(books, [{ period: 'day', amount: 100 }], member)
    await ledger.hold(call(books, 'a', ids), { most: 100, least: 1, price })
    await limit(books, [{ period: 'day', amount: 40 }], member)
    expect(await refusal(ledger.extend(call(books, 'a', ids), { to: 200, least: 101 }))).toBe(
      'ledger.member-limit-until',
    )
    // What it has already stays set aside.
    expect(await ledger.extend(call(books, 'a', ids), { to: 200, least: 100 })).toBe(100)
    await ledger.settle(call(books, 'a', ids), 60, logRow(userId, 'a'))
    expect(await spentOf(books)).toEqual([60])
    expect(await refusal(ledger.hold(call(books, 'b', ids), { most: 1, least: 1, price }))).toBe(
      'ledger.member-limit-until',
    )
    expect(await ledger.hold(call(books, 'free', ids), { most: 0, least: 0, price })).toBe(0)
    expect(await limit(books, [{ period: 'day', amount: 90 }], member)).toEqual(ids)
    expect(await ledger.hold(call(books, 'b', ids), { most: 100, least: 1, price })).toBe(30)
    // The member leaves with a call under way: it is paid, and counts nowhere.
    expect(await limit(books, [], member)).toEqual([])
    expect(await ledger.extend(call(books, 'b', ids), { to: 100, least: 100 })).toBe(100)
    expect(await ledger.settle(call(books, 'b', ids), 70, logRow(userId, 'b'))).toBe(70)
    expect(await faults(books)).toEqual([])
  })

  test('a process that died gives back what its calls did not use', async () => {
    const books = await fresh()
    const { ledger, userId } = books
    const ids = await limit(books, [{ period: 'none', amount: 500 }])
    for (const id of ['a', 'b']) await ledger.hold(call(books, id, ids), { most: 200, least: 1, price })
    await ledger.checkpoint(call(books, 'a', ids), 42)
    // Whoever reaps knows nothing of limits but what stands beside the hold.
    for (const id of ['a', 'b']) await ledger.reap({ id, userId, tokenId: 0 }, logRow(userId, id))
    expect(await spentOf(books)).toEqual([42])
    expect(await faults(books)).toEqual([])
  })

  test('beyond what was set aside a call is paid, and counts', async () => {
    const books = await fresh()
    const { ledger, userId } = books
    const ids = await limit(books, [{ period: 'day', amount: 100 }])
    await ledger.hold(call(books, 'a', ids), { most: 100, least: 1, price })
    expect(await ledger.settle(call(books, 'a', ids), 130, logRow(userId, 'a'))).toBe(130)
    expect(await spentOf(books)).toEqual([130])
    expect(await faults(books)).toEqual([])
    await refund(books, 'a')
    expect(await spentOf(books)).toEqual([0])
    expect(await faults(books)).toEqual([])
  })

  test('what comes back after its window is over leaves more room in no other', async () => {
    const books = await fresh()
    const { ledger, userId, clock } = books
    const ids = await limit(books, [
      { period: 'five-hours', amount: 500 },
      { period: 'none', amount: 500 },
    ])
    for (const id of ['before', 'after']) {
      await ledger.hold(call(books, id, ids), { most: 100, least: 1, price })
      await ledger.settle(call(books, id, ids), 100, logRow(userId, id))
      if (id === 'before') clock.now += 6 * HOUR
    }
    expect(await spentOf(books)).toEqual([100, 200])
    await refund(books, 'before')
    expect(await spentOf(books)).toEqual([100, 100])
    expect(await faults(books)).toEqual([])
  })

  test('the audit finds nothing in limits that are spent from, and turn over, while it looks', async () => {
    const books = await fresh()
    const { ledger, clock, userId, store } = books
    const ids = await limit(books, [
      { period: 'five-hours', amount: 100_000 },
      { period: 'none', amount: 100_000 },
    ])
    await ledger.hold(call(books, 'long', ids), { most: 100, least: 100, price })
    clock.now += 5 * HOUR
    await ledger.extend(call(books, 'long', ids), { to: 150, least: 150 })
    let calls = 0
    let turns = 0
    /** Between any two statements somebody begins a call, and somebody ends one. */
    const meanwhile = async (): Promise<void> => {
      const at = calls++
      await ledger.hold(call(books, `r${at}`, ids), { most: 3, least: 3, price })
      if (at % 2 === 1) await ledger.settle(call(books, `r${at}`, ids), 1, logRow(userId, `r${at}`))
    }
    const busy = store.db.withPlugin({
      transformQuery({ node }) {
        // Before limits and their calls are looked at.
        const isAboutLimits = node.kind === 'SelectQueryNode' && JSON.stringify(node).includes('spend_limits')
        if (isAboutLimits && turns++ < 4) clock.now += 5 * HOUR
        return node
      },
      async transformResult({ result }) {
        await meanwhile()
        return result
      },
    })
    for (let round = 0; round < 6; round++) expect((await audit(busy)).differences).toEqual([])
    expect([calls > 50, turns > 4]).toEqual([true, true])
    expect(await faults(books)).toEqual([])
  })

  test('the audit finds a limit that does not say what was spent', async () => {
    const books = await fresh()
    const [id = 0] = await limit(books, [{ period: 'day', amount: 100 }])
    await books.ledger.hold(call(books, 'a', [id]), { most: 100, least: 1, price })
    await books.store.db.updateTable('spend_limits').set({ spent: 99 }).execute()
    expect(await faults(books)).toMatchObject([
      { check: 'spent within limits = calls', subject: String(id), expected: 100, found: 99 },
    ])
  })

  test('the audit reads calls once, however many limits there are', async () => {
    const books = await fresh()
    const { ledger, store, userId, clock } = books
    let statements = 0
    const counted = store.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        statements++
        return result
      },
    })
    const statementsNow = async (): Promise<number> => {
      statements = 0
      expect((await audit(counted)).differences).toEqual([])
      return statements
    }
    const before = await statementsNow()
    for (let member = 1; member <= 30; member++) {
      const all = await limit(books, [{ period: 'five-hours', amount: 1000 }], memberOf(userId, member))
      const ids = all.slice(-1)
      await ledger.hold(call(books, `long${member}`, ids), { most: 10, least: 10, price })
      await ledger.hold(call(books, `over${member}`, ids), { most: 5, least: 5, price })
    }
    // Some of what each wants is of another window, and only that counts in it.
    clock.now += 5 * HOUR
    const ids = (await store.db.selectFrom('spend_limits').select('id').orderBy('id').execute()).map(
      ({ id }) => id,
    )
    for (const [at, id] of ids.entries()) {
      await ledger.extend(call(books, `long${at + 1}`, [id]), { to: 10 + (at % 4), least: 10 })
      await ledger.hold(call(books, `new${at + 1}`, [id]), { most: 2, least: 2, price })
      await ledger.settle(call(books, `over${at + 1}`, [id]), 5, logRow(userId, `over${at + 1}`))
    }
    expect(await spentOf(books)).toEqual(ids.map((_, at) => (at % 4) + 2))
    expect(await statementsNow()).toBe(before)
    await store.db
      .updateTable('spend_limits')
      .set({ spent: 0 })
      .where('id', '=', ids[9] ?? 0)
      .execute()
    expect(await faults(books)).toMatchObject([{ subject: String(ids[9]), expected: 3, found: 0 }])
  }, 60_000)
})
