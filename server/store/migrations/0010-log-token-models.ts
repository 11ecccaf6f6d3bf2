import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** A token's calls of one model are counted from the index alone, however many the token has. */
export async function logTokenModels(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { index, dropIndex } = columnsFor(engine, db)
  await index('logs_token_model', 'logs', ['token_name', 'created_at', 'id', 'model_name'])
  await dropIndex('logs_token', 'logs')
}
