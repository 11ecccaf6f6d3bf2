import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { Kysely, sql } from 'kysely'
import { until } from '../../test/program.ts'
import { openSampleStore } from '../../test/sample-store.ts'
import { dropAll, engines } from '../../test/services/databases.ts'
import { readEnv } from '../env.ts'
import { newUser } from '../services/setup.ts'
import { BunSqlDialect } from './bun-sql/bun-sql-dialect.ts'
import type { Store } from './index.ts'
import type { Schema } from './schema.ts'
import { isUnavailable } from './store-error.ts'

const open: Store[] = []

afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})
afterAll(dropAll)

describe.each(engines.map(engine => [engine.name, engine] as const))('on %s', (_name, engine) => {
  test('what goes through whole tables sees the same, and has hours', async () => {
    const store = await openSampleStore(await engine.freshUrl())
    open.push(store)
    await store.db
      .insertInto('users')
      .values(newUser('ann', 'x', 1))
      .execute()
    const names = (db: Kysely<Schema>) => db.selectFrom('users').select('username').execute()
    expect(await store.patiently(names)).toEqual([{ username: 'ann' }])
    if (store.engine !== 'postgres') return
    const limit = async (db: Kysely<Schema>) =>
      (await sql<{ statement_timeout: string }>`show statement_timeout`.execute(db)).rows[0]
        ?.statement_timeout
    expect([await limit(store.db), await store.patiently(limit)]).toEqual(['30s', '21610s'])
  })
})

describe.each(engines.filter(({ name }) => name !== 'sqlite').map(engine => [engine.name, engine] as const))(
  'on %s',
  (_name, engine) => {
    test('a server that does not answer in time counts as away, and one that has longer answers', async () => {
      const { kind, target } = await serverOf(engine)
      const wait = kind === 'postgres' ? sql`select pg_sleep(0.5)` : sql`select sleep(0.5)`
      const run = async (withinMs: number) => {
        const db = new Kysely<Schema>({ dialect: new BunSqlDialect(kind, target, { withinMs }) })
        const outcome = await wait.execute(db).then(
          () => 'answered',
          error => isUnavailable(error),
        )
        await db.destroy()
        return outcome
      }
      expect([await run(50), await run(60_000)]).toEqual([true, 'answered'])
    })

    test('who waited in vain for a connection does not keep the one that comes later', async () => {
      const db = await openNarrow(engine)
      const { promise: held, resolve: release } = Promise.withResolvers<void>()
      const first = db.transaction().execute(() => held)
      const second = db.transaction().execute(async () => {})
      expect(await second.catch(isUnavailable)).toBe(true)
      release()
      await first
      expect(await db.transaction().execute(async () => 'served')).toBe('served')
      await db.destroy()
    })

    test('nobody goes on in a transaction that was given up', async () => {
      const db = await openNarrow(engine)
      await sql`create table marks (mark integer)`.execute(db)
      const wait = engine.name === 'postgres' ? sql`select pg_sleep(12)` : sql`select sleep(12)`
      const given = db.transaction().execute(async transaction => {
        await sql`insert into marks values (1)`.execute(transaction)
        await wait.execute(transaction)
      })
      expect(await given.catch(isUnavailable)).toBe(true)
      await reach(db)
      await sql`insert into marks values (2)`.execute(db)
      const { rows } = await sql`select mark from marks`.execute(db)
      expect(rows).toEqual([{ mark: 2 }])
      await db.destroy()
    })
  },
)

/** One connection for all who ask. */
async function openNarrow(engine: (typeof engines)[number]): Promise<Kysely<Schema>> {
  const { kind, target } = await serverOf(engine)
  const dialect = new BunSqlDialect(kind, target, { withinMs: 4000, connections: 3 })
  const db = new Kysely<Schema>({ dialect })
  await reach(db)
  return db
}

/** Waits for a connection: on a busy machine that takes longer than anybody here has patience for an answer. */
async function reach(db: Kysely<Schema>): Promise<void> {
  await until(() =>
    sql`select 1`.execute(db).then(
      () => true,
      () => false,
    ),
  )
}

async function serverOf(engine: (typeof engines)[number]) {
  const { engine: kind, target } = readEnv({ DATABASE_URL: await engine.freshUrl() }).database
  if (kind === 'sqlite') throw new Error('a server was wanted')
  return { kind, target }
}
