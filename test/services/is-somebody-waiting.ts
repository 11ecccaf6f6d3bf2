import { sql } from 'kysely'
import type { Store } from '../../server/store/index.ts'

/** Whether somebody in this database waits for what another has locked; SQLite's take turns before they begin. */
export async function isSomebodyWaiting({ db, engine }: Pick<Store, 'db' | 'engine'>): Promise<boolean> {
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
