import { expect, test } from 'bun:test'
import { rootClient } from '../client.ts'
import { until } from '../program.ts'
import type { DatabaseServer } from '../services/database-process.ts'
import { startMariadb, startPostgres } from '../services/databases.ts'
import { journalFiles } from './auditor.ts'
import type { Gateway } from './gateway.ts'
import { type House, openHouse } from './house.ts'
import { makeCall } from './load.ts'

/** What a database administrator does to the account of the program while that is at work, and takes back. */
interface Way {
  readonly engine: string
  readonly what: string
  readonly start: () => Promise<DatabaseServer>
  readonly setUp: readonly string[]
  readonly begin: string
  readonly end: string
}

const postgres = {
  engine: 'postgres',
  start: () => startPostgres(),
  setUp: ['create role gate superuser login'],
}
const mariadb = {
  engine: 'mariadb',
  start: () => startMariadb(),
  setUp: ["create user gate@'127.0.0.1'", "grant all on *.* to gate@'127.0.0.1'"],
}

const ways: readonly Way[] = [
  { ...postgres, what: 'lets nobody in', begin: 'alter role gate nologin', end: 'alter role gate login' },
  {
    ...postgres,
    what: 'takes no writes in sessions that begin now',
    begin: 'alter role gate set default_transaction_read_only = on',
    end: 'alter role gate reset default_transaction_read_only',
  },
  {
    ...mariadb,
    what: 'lets nobody in',
    begin: "alter user gate@'127.0.0.1' account lock",
    end: "alter user gate@'127.0.0.1' account unlock",
  },
  {
    ...mariadb,
    what: 'takes no writes in sessions that begin now',
    begin: 'set global tx_read_only = 1',
    end: 'set global tx_read_only = 0',
  },
]

/** As a restart or a failover would end them. */
async function endSessions(admin: Bun.SQL, engine: string): Promise<void> {
  if (engine === 'postgres') {
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'gate'`
    return
  }
  const sessions = await admin`select id from information_schema.processlist where user = 'gate'`
  for (const { id } of sessions) await admin.unsafe(`kill ${id}`).catch(() => {})
}

/** Each has brought its first tokens, and goes on when the upstream opens. */
async function liveStreams(house: House, gateway: Gateway) {
  const begun = new Set<number>()
  house.upstream.close()
  const live = Array.from({ length: 6 }, (_, at) => {
    const call = { id: `live-${at}`, payer: house.payers[0], tokens: 30, most: 50, atATime: 2 }
    return makeCall(gateway, call, { onSeen: ({ kind }) => kind === 'tokens' && begun.add(at) })
  })
  await until(() => begun.size === live.length)
  return live
}

test.each(ways.map(way => [way.engine, way.what, way] as const))(
  '%s: a database that ends all sessions and then %s is away like any other, and back when it is itself again',
  async (engine, _what, { start, setUp, begin, end }) => {
    const server = await start()
    const admin = new Bun.SQL(server.url, { max: 1 })
    for (const statement of setUp) await admin.unsafe(statement)
    const house = await openHouse(server.url)
    try {
      const url = new URL(server.url)
      url.username = 'gate'
      const gateway = await house.start({ DATABASE_URL: url.href })
      const root = await rootClient(gateway.url)
      await root.liftLimits()
      /** As many at once as take all the sessions there may be. */
      const areSaved = async (name: string) => {
        const token = { name, unlimited_quota: true, expired_time: -1 }
        const answers = await Promise.all(Array.from({ length: 12 }, () => root.post('/api/token/', token)))
        return answers.map(({ json }) => json?.success === true)
      }
      const live = await liveStreams(house, gateway)
      await admin.unsafe(begin)
      await endSessions(admin, engine)
      const call = { payer: house.payers[0], tokens: 3, most: 5 }
      const late = await Promise.all(
        Array.from({ length: 4 }, (_, at) => makeCall(gateway, { ...call, id: `late-${at}` })),
      )
      expect(late.map(({ refused }) => refused)).toEqual([503, 503, 503, 503])
      house.upstream.open()
      const sights = [...late, ...(await Promise.all(live))]
      expect(sights.map(({ done }) => done)).toEqual(sights.map(({ refused }) => refused === undefined))
      expect(journalFiles(house.dataDir)).toHaveLength(1)
      const ready = async () => (await fetch(`${gateway.url}/readyz`)).status
      await until(async () => (await ready()) === 503)
      expect(await areSaved('refused')).not.toContain(true)
      await admin.unsafe(end)
      await until(async () => {
        const sight = await makeCall(gateway, { ...call, id: `after-${sights.length}` })
        sights.push(sight)
        return sight.done
      })
      await until(async () => (await areSaved('saved')).every(Boolean))
      await until(async () => (await ready()) === 200)
      expect(await house.faults(sights, { unharmed: true })).toEqual([])
    } finally {
      await house.close()
      await admin.close()
      await server.close()
    }
  },
)
