import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** With which token and which of the channel's keys an answer was made that its upstream keeps; with which a file was. */
export async function storedMakers(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { add, integer, text, zero, blank } = columnsFor(engine, db)
  await add('kept_answers', 'token_id', integer, zero)
  await add('kept_answers', 'key_mark', text(16), blank)
  await add('files', 'token_id', integer, zero)
}
