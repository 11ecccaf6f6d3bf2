import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** Whom Discord vouches for. */
export async function discord(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { add, text, index } = columnsFor(engine, db)
  await add('users', 'discord_id', text(255), column => column)
  await index('users_discord_id', 'users', ['discord_id'], 'unique')
}
