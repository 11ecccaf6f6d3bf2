import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** Sign-ins under way, authenticator apps with their backup codes, passkeys, and when a session was verified. */
export async function signIn(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, keyed, add, index, id, integer, text, longText, required, zero, blank } = columnsFor(
    engine,
    db,
  )
  await keyed('sign_in_flows', flows =>
    flows
      .addColumn('id_hash', text(64), column => column.primaryKey())
      .addColumn('kind', text(20), required)
      .addColumn('user_id', integer, zero)
      .addColumn('data', text(2000), blank)
      .addColumn('tries', integer, zero)
      .addColumn('expires_at', integer, required),
  )
  await index('sign_in_flows_expiry', 'sign_in_flows', ['expires_at'])

  await keyed('two_factors', factors =>
    factors
      .addColumn('user_id', integer, column => column.primaryKey())
      .addColumn('secret_sealed', text(500), required)
      .addColumn('confirmed_at', integer, zero)
      .addColumn('last_step', integer, zero)
      .addColumn('created_at', integer, required),
  )
  await keyed('backup_codes', codes =>
    codes
      .addColumn('user_id', integer, required)
      .addColumn('code_hash', text(64), required)
      .addPrimaryKeyConstraint('backup_codes_pk', ['user_id', 'code_hash']),
  )

  await table('passkeys', passkeys =>
    id(passkeys)
      .addColumn('user_id', integer, required)
      .addColumn('name', text(100), blank)
      .addColumn('credential_hash', text(64), required)
      .addColumn('credential_id', longText, required)
      .addColumn('public_key', longText, required)
      .addColumn('counter', integer, zero)
      .addColumn('transports', text(255), blank)
      .addColumn('created_at', integer, required)
      .addColumn('last_used_at', integer, zero),
  )
  await index('passkeys_credential', 'passkeys', ['credential_hash'], 'unique')
  await index('passkeys_user', 'passkeys', ['user_id', 'id'])
  await add('sessions', 'verified_at', integer, zero)
}
