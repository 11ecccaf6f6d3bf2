import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** Who has said how a team is reminded. And what deleted accounts have left behind that nobody can use any more goes. */
export async function leftBehind(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { add, integer, zero } = columnsFor(engine, db)
  await add('user_notices', 'set_by', integer, zero)
  const gone = sql`(select id from users where deleted_at is not null)`
  await sql`delete from prompt_versions
    where prompt_id in (select id from prompts where user_id in ${gone})`.execute(db)
  for (const table of ['prompts', 'passkeys', 'two_factors', 'backup_codes'])
    await sql`delete from ${sql.table(table)} where user_id in ${gone}`.execute(db)
}
