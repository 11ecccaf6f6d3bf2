import { afterAll, expect, test } from 'bun:test'
import { until } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { startPgbouncer } from '../services/pgbouncer.ts'
import type { Gateway } from './gateway.ts'
import { openHouse } from './house.ts'
import { makeCall, type Sight } from './load.ts'

afterAll(dropAll)

const urlOf = async (name: string): Promise<string> =>
  (await engines.find(engine => engine.name === name)?.freshUrl()) ?? ''

interface Place {
  /** As the programs name it, and as the test does. */
  readonly url: string
  readonly direct: string
  close(): Promise<void>
}

async function direct(name: string): Promise<Place> {
  const url = await urlOf(name)
  return { url, direct: url, close: async () => {} }
}

async function pooled(): Promise<Place> {
  const url = await urlOf('postgres')
  const pooler = await startPgbouncer(url)
  return { url: `${pooler.url}?pgbouncer=true`, direct: url, close: () => pooler.close() }
}

const places: readonly (readonly [string, () => Promise<Place>])[] = [
  ['postgres', () => direct('postgres')],
  ['postgres behind a pooler', pooled],
  ['mariadb', () => direct('mariadb')],
]

/** How many transactions have something locked and are silent. */
async function standing(admin: Bun.SQL, url: string): Promise<number> {
  const [row] = url.startsWith('mysql:')
    ? await admin`select count(*) as count from information_schema.innodb_trx
        join information_schema.processlist on id = trx_mysql_thread_id
        where db = database() and trx_rows_locked > 0 and trx_query is null`
    : await admin`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`
  return Number(row.count)
}

/** Until that happens between two words of a transaction; and it was no moment, but stays so. */
async function freezeInTransaction(gateway: Gateway, admin: Bun.SQL, url: string): Promise<void> {
  await until(async () => {
    gateway.freeze()
    await Bun.sleep(300)
    if ((await standing(admin, url)) > 0) return true
    gateway.thaw()
    await Bun.sleep(20 + Math.random() * 50)
    return false
  })
}

test.each(places)(
  'a node that falls silent in the middle of a transaction keeps nobody else from what it has locked (%s)',
  async (_name, open) => {
    const place = await open()
    const house = await openHouse(place.direct)
    const admin = new Bun.SQL(place.direct, { max: 1 })
    try {
      const environment = { DATABASE_URL: place.url }
      const [silent, other] = [await house.start(environment), await house.start(environment)]
      const load = house.load(silent)
      load.start(30)
      await until(() => load.begun > 50)
      await freezeInTransaction(silent, admin, place.direct)
      const sights: Sight[] = []
      const payers = new Set(house.payers)
      await until(async () => {
        for (const payer of payers) {
          const call = { id: `other-${sights.length}`, payer, tokens: 3, most: 5 }
          const sight = await makeCall(other, call)
          sights.push(sight)
          // Some may not call at all, which takes no look at what they have.
          if (sight.done || ![503, undefined].includes(sight.refused)) payers.delete(payer)
        }
        return payers.size === 0
      })
      expect(sights.filter(({ done }) => done).length).toBeGreaterThan(0)
      silent.thaw()
      await load.stop()
    } finally {
      await house.close()
      await admin.close()
      await place.close()
    }
  },
)
