import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** What people have to show (codes, reset links, captchas), and the record of management changes. */
export async function accounts(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, keyed, index, integer, text, longText, required, zero, blank } = columnsFor(engine, db)
  await keyed('proofs', proofs =>
    proofs
      .addColumn('kind', text(20), required)
      .addColumn('subject', text(64), required)
      .addColumn('secret_hash', text(64), required)
      .addColumn('tries', integer, zero)
      .addColumn('expires_at', integer, required)
      .addPrimaryKeyConstraint('proofs_pk', ['kind', 'subject']),
  )
  await index('proofs_expiry', 'proofs', ['expires_at'])

  // Numbered by the chain itself, without gaps: a row that is taken out is missed.
  await table('audit_records', records =>
    records
      .addColumn('id', integer, column => column.primaryKey())
      .addColumn('created_at', integer, required)
      .addColumn('user_id', integer, required)
      .addColumn('username', text(100), blank)
      .addColumn('address', text(64), blank)
      .addColumn('action', text(64), required)
      .addColumn('subject', text(128), required)
      .addColumn('before', longText, required)
      .addColumn('after', longText, required)
      .addColumn('previous_hash', text(64), required)
      .addColumn('hash', text(64), required),
  )
  await index('audit_records_action', 'audit_records', ['action', 'id'])
  await index('audit_records_subject', 'audit_records', ['subject', 'id'])
  await index('audit_records_user', 'audit_records', ['user_id', 'id'])
  await startChain(db)
}

/** The end of the chain: every append locks this row. */
async function startChain(db: Kysely<unknown>): Promise<void> {
  const key = sql.ref('key')
  const { rows } = await sql`select 1 from ${sql.table('system')} where ${key} = 'audit-head'`.execute(db)
  if (rows.length > 0) return
  await sql`insert into ${sql.table('system')} (${key}, value) values ('audit-head', '0:')`.execute(db)
}
