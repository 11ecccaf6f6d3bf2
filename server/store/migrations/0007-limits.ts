import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** How many calls and tokens in a minute, and how many calls at once; 0 for no limit. */
export async function limits(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { add, integer, zero } = columnsFor(engine, db)
  for (const table of ['tokens', 'users', 'channels'])
    for (const column of ['rpm', 'tpm', 'concurrency']) await add(table, column, integer, zero)
}
