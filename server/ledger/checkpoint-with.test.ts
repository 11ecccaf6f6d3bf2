import { afterAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { until } from '../../test/program.ts'
import { openBooks } from '../../test/services/books.ts'
import { dropAll, engines } from '../../test/services/databases.ts'
import type { Store } from '../store/index.ts'
import { lockHold } from './checkpoint-with.ts'

afterAll(dropAll)

/** Whether somebody waits for somebody else's transaction to end; SQLite's take turns before they begin. */
async function isSomebodyWaiting({ db, engine }: Store): Promise<boolean> {
  if (engine === 'sqlite') return true
  const { rows } =
    engine === 'postgres'
      ? await sql`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      : await sql`select 1 from information_schema.innodb_trx t
          join information_schema.processlist p on p.id = t.trx_mysql_thread_id
          where p.db = database() and t.trx_state = 'LOCK WAIT'`.execute(db)
  return rows.length > 0
}

test.each(engines.map(engine => [engine.name, engine] as const))(
  'on %s a checkpoint that was under way does not take back what was written down with something else',
  async (_name, engine) => {
    const { store, ledger, userId } = await openBooks(await engine.freshUrl())
    const request = { id: 'r', userId, tokenId: 0 }
    await ledger.hold(request, { most: 200, least: 1, price: '' })
    const [underWay] = await store.transaction(async transaction => {
      const hold = await lockHold(transaction, store, request)
      const told = ledger.checkpoint(request, 5)
      await until(() => isSomebodyWaiting(store))
      await hold?.checkpoint(50)
      return [told]
    })
    expect(await underWay).toBe(true)
    const hold = await store.db.selectFrom('holds').select(['state', 'checkpoint']).executeTakeFirstOrThrow()
    expect(hold).toEqual({ state: 'open', checkpoint: 50 })
    await store.close()
  },
)
