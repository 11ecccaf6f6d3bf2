import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** Whom a provider of single sign-on vouches for: its own address and the id it has for them. */
export async function oidc(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { add, text, index } = columnsFor(engine, db)
  await add('users', 'oidc_id', text(511), column => column)
  await index('users_oidc_id', 'users', ['oidc_id'], 'unique')
}
