import { afterAll, expect, test } from 'bun:test'
import { until } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { type House, openHouse } from './house.ts'
import { Load, makeCall, type Payer } from './load.ts'
import { addToken, addUsers, now, PRICE } from './seed.ts'
import { settableClock } from './settable-clock.ts'

afterAll(dropAll)

const DAY = 86_400
const BUDGET = 100 * PRICE

/** A day on which it is noon to begin with: no midnight comes by itself while a test runs. */
const noon = (): number => DAY + DAY / 2 - (now() % DAY)

/** Tokens whose budget is soon spent, and theirs again at each day's end. */
async function addRenewing({ store }: House, at: number, users: number, each: number): Promise<Payer[]> {
  const payers: Payer[] = []
  for (const userId of await addUsers(store, 'renewing', users, 1_000_000 * PRICE))
    for (let count = 0; count < each; count++) payers.push(await addToken(store, userId, BUDGET))
  const renewing = { refill_quota: BUDGET, refill_period: 'day' as const, refill_at: at }
  const ids = payers.map(({ tokenId }) => tokenId)
  await store.db.updateTable('tokens').set(renewing).where('id', 'in', ids).execute()
  return payers
}

const tokensOf = ({ store }: House) =>
  store.db
    .selectFrom('tokens')
    .select(['id', 'remain_quota', 'status', 'refill_at'])
    .where('refill_at', '>', 0)
    .execute()

const refillsOf = ({ store }: House) =>
  store.db
    .selectFrom('ledger_entries')
    .select(['ref', 'token_id', 'created_at'])
    .where('kind', '=', 'refill')
    .execute()

test.each(engines.map(engine => [engine.name, engine] as const))(
  'a call under way at the end of a day is paid from that day’s budget (%s)',
  async (_name, engine) => {
    const clock = settableClock()
    const house = await openHouse(await engine.freshUrl())
    try {
      const ahead = noon()
      await clock.set(ahead)
      const gateway = await house.start({ ...clock.environment, TZ: 'UTC' })
      const [payer] = await addRenewing(house, now() + ahead + DAY / 2, 1, 1)
      if (!payer) throw new Error('nobody pays')
      const remaining = async () => (await tokensOf(house))[0]?.remain_quota
      const slow = { tokens: 60, most: 90, atATime: 1, pauseMs: 200 }
      const call = makeCall(gateway, { id: 'long', payer, ...slow })
      await until(async () => (await remaining()) !== BUDGET)
      await clock.set(ahead + DAY)
      await until(async () => (await refillsOf(house)).length === 1)
      expect(await remaining()).toBe(BUDGET)
      const { done, ...seen } = await call
      expect([done, done || { seen, output: gateway.output() }]).toEqual([true, true])
      expect(await house.faults([await call], { unharmed: true })).toEqual([])
      expect(await remaining()).toBe(BUDGET)
      const next = await makeCall(gateway, { id: 'next', payer, tokens: 60, most: 90 })
      expect(next).toMatchObject({ done: true })
      expect(await house.faults([await call, next], { unharmed: true })).toEqual([])
      expect(await remaining()).toBeLessThanOrEqual(BUDGET - 60 * PRICE)
    } finally {
      await house.close()
    }
  },
)

test.concurrent.each(engines.map(engine => [engine.name, engine] as const))(
  'kill -9 in the middle of renewals under load loses none and makes none twice (%s)',
  async (name, engine) => {
    const clock = settableClock()
    const house = await openHouse(await engine.freshUrl())
    try {
      const ahead = noon()
      await clock.set(ahead)
      const gateway = await house.start({ ...clock.environment, TZ: 'UTC' })
      const payers = await addRenewing(house, now() + ahead + DAY / 2, 4, 40)
      const load = new Load(gateway, payers, house.random)
      load.start(8)
      const days = name === 'sqlite' ? 4 : 2
      for (let day = 1; day <= days; day++) {
        await until(() => load.sights.some(({ done }) => done))
        await clock.set(ahead + day * DAY)
        const isRenewed = ({ refill_at }: { refill_at: number }) => refill_at > now() + ahead + day * DAY
        // The first of them are done, and not yet all.
        await until(async () => (await tokensOf(house)).some(isRenewed))
        await gateway.killAndRestart(day % 2 === 0 ? 'both' : 'worker')
        await until(async () => (await tokensOf(house)).every(isRenewed))
      }
      await load.stop()
      expect(await house.faults(load.sights)).toEqual([])
      const refills = await refillsOf(house)
      for (const { tokenId } of payers)
        expect(refills.filter(({ token_id }) => token_id === tokenId)).toHaveLength(days)
      for (const { remain_quota, status } of await tokensOf(house)) {
        expect(remain_quota).toBeLessThanOrEqual(BUDGET)
        expect(status).toBe(remain_quota === 0 ? 4 : 1)
      }
    } finally {
      await house.close()
    }
  },
  600_000,
)
