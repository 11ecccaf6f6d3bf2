import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** The groups in which a long job was ordered: rules may be for some of them, and read what it writes. */
export async function taskGroups(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { add, text, blank } = columnsFor(engine, db)
  await add('task_runs', 'groups', text(1000), blank)
}
