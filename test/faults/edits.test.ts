import { afterAll, expect, test } from 'bun:test'
import { credit } from '../../server/ledger/entries.ts'
import { setQuota } from '../../server/ledger/wallet-moves.ts'
import { rootClient } from '../client.ts'
import { morePatience } from '../more-patience.ts'
import { until } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { type House, openHouse } from './house.ts'
import { type Call, makeCall, models, type Sight } from './load.ts'
import { addToken, addUsers, now, ratios } from './seed.ts'

afterAll(dropAll)

const CALLS = 500
const PLENTY = 1_000_000_000_000

/** Each edit of the price, and between which moments it may have been in force. */
class PriceHistory {
  readonly #edits = [{ ratio: 1, from: 0, until: Number.POSITIVE_INFINITY }]

  async change(save: (ratio: number) => Promise<void>): Promise<void> {
    const last = this.#edits.at(-1)
    const ratio = (last?.ratio ?? 0) + 1
    this.#edits.push({ ratio, from: performance.now(), until: Number.POSITIVE_INFINITY })
    await save(ratio)
    if (last) last.until = performance.now()
  }

  get size(): number {
    return this.#edits.length
  }

  /** Those of the moment when a call began. */
  during({ sentAt, answeredAt }: Sight): number[] {
    return this.#edits
      .filter(({ from, until }) => from <= answeredAt && until >= sentAt)
      .map(({ ratio }) => ratio)
  }
}

function callOf(house: House, at: number, payer: Call['payer']): Call {
  const model = models[at % models.length] ?? ''
  return { id: `busy-${at}`, payer, model, tokens: 10 + (at % 30), most: 40, pauseMs: house.random(5, 25) }
}

test.concurrent.each(engines.map(engine => [engine.name, engine] as const))(
  'prices are edited and a wallet edited and credited during 500 calls: each pays the price it began at, the sums are exact (%s)',
  async (_name, engine) => {
    const house = await openHouse(await engine.freshUrl())
    try {
      // Nobody is refused; for that the program has to wait for its database as long as it takes on a busy machine.
      const gateway = await house.start(morePatience({ 10000: 120_000, 20000: 120_000 }))
      const root = await rootClient(gateway.url)
      const { store } = house
      const [userId = 0] = await addUsers(store, 'busy', 1, PLENTY)
      const payer = await addToken(store, userId)
      const history = new PriceHistory()
      let finished = 0
      let isOver = false
      const sights: Sight[] = []
      const calls = Array.from({ length: 50 }, async (_, client) => {
        // At least so many, and as long as it takes to have edited some.
        for (let at = client; at < CALLS || history.size <= 5; at += 50) {
          sights.push(
            await makeCall(gateway, callOf(house, at, payer), at % 25 === 0 ? { leaveAfter: 1 } : {}),
          )
          finished++
        }
      })
      const credits: number[] = []
      const editWallet = async (): Promise<void> => {
        for (let at = 1; !isOver; at++) {
          const before = finished
          const quota = PLENTY + house.random(-PLENTY / 10, 20_000)
          await store.transaction(transaction =>
            setQuota(transaction, store, now(), { userId, quota }, former => ({
              type: 3,
              content: `from ${former}`,
            })),
          )
          const amount = house.random(1, 1000)
          credits.push(amount)
          await credit(store, now(), { kind: 'earnings', ref: `earned-${at}`, userId, amount })
          // SQLite gives its lock to whoever asks first: who does not wait for the program keeps it out on a slow machine.
          await until(() => finished > before || isOver)
          await Bun.sleep(house.random(0, 60))
        }
      }
      const editPrices = async (): Promise<void> => {
        while (!isOver) {
          await history.change(async ratio => {
            expect((await root.saveOption('ModelRatio', ratios(ratio))).json?.success).toBe(true)
          })
          await Bun.sleep(house.random(0, 60))
        }
      }
      const called = Promise.all(calls).finally(() => {
        isOver = true
      })
      await Promise.all([called, editWallet(), editPrices()])
      const ratiosOf = (sight: Sight): number[] => history.during(sight)
      expect(await house.faults(sights, { unharmed: true, ratiosOf })).toEqual([])
      expect(history.size).toBeGreaterThan(5)
      expect(sights.filter(({ refused }) => refused !== undefined)).toEqual([])
      const entries = await store.db
        .selectFrom('ledger_entries')
        .select(['kind', 'user_amount'])
        .where('user_id', '=', userId)
        .execute()
      const sum = (kind?: string): number =>
        entries
          .filter(entry => kind === undefined || entry.kind === kind)
          .reduce((total, entry) => total + entry.user_amount, 0)
      const { quota } = await store.db
        .selectFrom('users')
        .select('quota')
        .where('id', '=', userId)
        .executeTakeFirstOrThrow()
      expect(quota).toBe(sum())
      expect(sum('earnings')).toBe(credits.reduce((total, amount) => total + amount, 0))
    } finally {
      await house.close()
    }
  },
  600_000,
)
