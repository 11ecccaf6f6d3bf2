import { afterAll, expect, test } from 'bun:test'
import { freshDataDir, until } from '../../test/program.ts'
import { dropAll, engines } from '../../test/services/databases.ts'
import { buy, closePlanBooks, DAY, openPlanBooks, START, soldOf } from '../../test/services/plan-books.ts'
import { keepLedger } from './keep-ledger.ts'

afterAll(async () => {
  await closePlanBooks()
  await dropAll()
})

test.each([400 * DAY, -400 * DAY])(
  'a clock that jumps by %d seconds ends no plan and renews no budget',
  async jump => {
    const [engine] = engines
    if (!engine) throw new Error('there is no database')
    const books = await openPlanBooks(engine)
    await buy(books)
    const { store, userId } = books
    const token = {
      ...{ user_id: userId, key_hash: 'h', key_sealed: '', name: 't', status: 1, created_time: START },
      ...{ accessed_time: 0, expired_time: -1, remain_quota: 7, unlimited_quota: 0, used_quota: 0 },
      ...{ model_limits_enabled: 0, model_limits: '', group: '' },
      ...{ refill_quota: 100, refill_period: 'day' as const, refill_at: START + 3600 },
    }
    await store.db.insertInto('tokens').values(token).execute()
    const tokenOf = () =>
      store.db.selectFrom('tokens').select(['remain_quota', 'refill_at']).executeTakeFirstOrThrow()
    const began = performance.now()
    let looks = 0
    let at = START
    const clock = (): number => {
      looks++
      return at + Math.floor((performance.now() - began) / 1000)
    }
    const times = { beatMs: 60_000, reapMs: 60_000, deadAfterMs: 600_000, refillMs: 2 }
    const kept = await keepLedger(store, freshDataDir(), clock, times)
    const before = await soldOf(books)
    at += jump
    looks = 0
    await until(() => looks > 20)
    expect(await soldOf(books)).toEqual(before)
    expect(await tokenOf()).toEqual({ remain_quota: 7, refill_at: START + 3600 })
    // Back again, and an hour later by no more than what has passed: what is due is done.
    await kept.stop()
    at = START + 3601
    const again = await keepLedger(store, freshDataDir(), clock, times)
    expect(await until(async () => ((await tokenOf()).remain_quota === 100 ? true : undefined))).toBe(true)
    await again.stop()
  },
)
