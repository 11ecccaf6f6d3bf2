import { sql } from 'kysely'
import type { Store } from '../../server/store/index.ts'

type Asked = Pick<Store, 'db' | 'engine'>

/** Whether somebody in this database waits for what another has locked; SQLite's take turns before they begin. */
export async function isSomebodyWaiting({ db, engine }: Asked): Promise<boolean> {
  if (engine === 'sqlite') return true
  if (engine === 'mysql') return isThreadWaiting(db)
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length > 0
}

/** `innodb_trx` is made anew only when nobody has looked at it for a while; with several who look it stays as it was. */
async function isThreadWaiting(db: Asked['db']): Promise<boolean> {
  const { rows } = await sql<{ Status: string }>`show engine innodb status`.execute(db)
  const waiting = (rows[0]?.Status ?? '')
    .split('---TRANSACTION')
    .filter(transaction => transaction.includes('LOCK WAIT'))
    .map(transaction => Number(/\bthread id (\d+)/.exec(transaction)?.[1]))
  if (waiting.length === 0) return false
  const here = await sql<{ id: number }>`select id from information_schema.processlist
    where db = database()`.execute(db)
  return here.rows.some(({ id }) => waiting.includes(Number(id)))
}
