import { afterAll, expect, test } from 'bun:test'
import { memberOf, setLimits } from '../../server/ledger/spending/set-limits.ts'
import { lockWallet } from '../../server/ledger/subscription/wallet.ts'
import { until } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { type House, openHouse } from './house.ts'
import { Load, type Payer } from './load.ts'
import { addToken, addUsers, now, PRICE } from './seed.ts'
import { settableClock } from './settable-clock.ts'

afterAll(dropAll)

const WINDOW = 5 * 3600
/** Enough for some calls of a window, and not for all. */
const AMOUNT = 3000 * PRICE
/** More than any one call here costs beyond what was set aside for it: its prompt, which is not counted out before. */
const BEYOND = PRICE

/** Teams with money, and in each two people with two tokens. */
async function addTeams({ store }: House): Promise<Payer[]> {
  const payers: Payer[] = []
  const teams = await addUsers(store, 'team', 2, 1_000_000 * PRICE)
  for (const [at, team] of teams.entries())
    for (const maker of await addUsers(store, `member-${at}`, 2, 0))
      for (let count = 0; count < 2; count++) {
        const payer = await addToken(store, team)
        await store.db
          .updateTable('tokens')
          .set({ created_by: maker })
          .where('id', '=', payer.tokenId)
          .execute()
        payers.push(payer)
      }
  return payers
}

/** As an owner does it. */
async function limitAll({ store }: House, amount: number | undefined): Promise<void> {
  const made = await store.db
    .selectFrom('tokens')
    .select(['user_id', 'created_by'])
    .distinct()
    .where('created_by', '>', 0)
    .execute()
  for (const { user_id, created_by } of made)
    await store.change('tokens', async transaction => {
      await lockWallet({ transaction, engine: store.engine, now: now() }, user_id)
      const limits = amount === undefined ? [] : [{ period: 'five-hours' as const, amount }]
      await setLimits(transaction, memberOf(user_id, created_by), limits, now())
    })
}

const limitsOf = ({ store }: House) =>
  store.db.selectFrom('spend_limits').select(['id', 'spent', 'amount', 'ends_at']).execute()

test.concurrent.each(engines.map(engine => [engine.name, engine] as const))(
  'kill -9 while windows turn over and owners edit them: no member spends more than they may (%s)',
  async (_name, engine) => {
    const clock = settableClock()
    const house = await openHouse(await engine.freshUrl())
    try {
      await clock.set(0)
      const gateway = await house.start(clock.environment)
      const payers = await addTeams(house)
      await limitAll(house, AMOUNT)
      const load = new Load(gateway, payers, house.random)
      load.start(8)
      for (let round = 1; round <= 3; round++) {
        const seen = load.sights.length
        await until(() => load.sights.slice(seen).some(({ done }) => done))
        // Nobody lowers it here: whatever is spent at any time is within it.
        for (const { spent } of await limitsOf(house)) expect(spent).toBeLessThanOrEqual(AMOUNT + 8 * BEYOND)
        await gateway.killAndRestart(round % 2 === 0 ? 'both' : 'worker')
        await clock.set(round * WINDOW + 1)
        const isTurned = ({ ends_at }: { ends_at: number }) => ends_at > now() + round * WINDOW
        await until(async () => (await limitsOf(house)).every(isTurned))
      }
      // Now it is lowered, raised and taken away while calls run, as when somebody leaves.
      for (const amount of [AMOUNT / 4, AMOUNT * 2, undefined, AMOUNT]) {
        const seen = load.sights.length
        await limitAll(house, amount)
        await until(() => load.sights.length > seen + 8)
      }
      await load.stop()
      expect(load.sights.some(({ refused }) => refused === 403)).toBe(true)
      expect(load.sights.some(({ done }) => done)).toBe(true)
      // With it the audit: what every limit says was spent is what calls of its window came to.
      expect(await house.faults(load.sights)).toEqual([])
    } finally {
      await house.close()
    }
  },
  600_000,
)
