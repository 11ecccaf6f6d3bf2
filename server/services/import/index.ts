import { sql, type Transaction } from 'kysely'
import type { Topic } from '../../store/bus/bus.ts'
import type { ForeignDatabase } from '../../store/foreign-database.ts'
import type { Store } from '../../store/index.ts'
import type { Schema } from '../../store/schema.ts'
import { eachRow } from './each-row.ts'
import { endImport } from './end-import.ts'
import { type Family, familyOf } from './family.ts'
import { importChannels } from './import-channels.ts'
import { LogImport } from './import-logs.ts'
import { importOptions, issuerOf } from './import-options.ts'
import { importRedemptions } from './import-redemptions.ts'
import type { ImportRun } from './import-run.ts'
import { importTokens } from './import-tokens.ts'
import { importTwoFactors } from './import-two-factors.ts'
import { UserImport } from './import-users.ts'
import { ImportRefused, type ImportReport } from './report.ts'

export interface ImportParts {
  readonly store: Store
  readonly rootPassword: string | undefined
  readonly withLog: boolean
  /** Seconds since 1970. */
  now(): number
}

const numbered = ['users', 'tokens', 'channels', 'redemptions'] as const
const topics: readonly Topic[] = ['options', 'users', 'tokens', 'channels', 'records']

/**
 * Takes over the accounts, tokens, channels, codes, settings and the log of one of the older tools, with the ids,
 * keys and passwords they have there: all of it in one transaction, or nothing.
 */
export async function importFrom(
  parts: ImportParts,
  source: ForeignDatabase,
  report: ImportReport,
): Promise<void> {
  const family = await familyOf(source)
  const { store } = parts
  // Not `store.transaction`: it counts what comes, and nobody else is here to get in its way.
  await store.db.transaction().execute(async transaction => {
    // The clocks for callers who come and go; nobody waits for this one.
    if (store.engine === 'postgres')
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction)
    await refuseUnlessEmpty(transaction)
    const { rootPassword } = parts
    const known = { users: new Set<number>(), taken: new Map<string, Set<string>>() }
    const run: ImportRun = { store, transaction, report, now: parts.now(), ...known, rootPassword }
    await takeAll(run, family, source)
    if (parts.withLog) await takeLog(run, family, source)
    if (store.engine === 'postgres') await countOn(transaction)
    await endImport(parts, transaction, { subject: family, topics, report })
  })
  for (const topic of topics) await store.bus.announce(topic)
}

/** Ids and balances are taken over as they are, so nobody may have them already. */
async function refuseUnlessEmpty(transaction: Transaction<Schema>): Promise<void> {
  for (const table of [...numbered, 'options'] as const) {
    const row = await transaction.selectFrom(table).select(sql`1`.as('one')).limit(1).executeTakeFirst()
    if (row)
      throw new ImportRefused(
        `This installation is in use: it has ${table}. Import into a new one, before anything else is done there.`,
      )
  }
}

async function takeAll(run: ImportRun, family: Family, source: ForeignDatabase): Promise<void> {
  let issuer: string | undefined
  await eachRow(source, 'options', 'key', async rows => {
    issuer ??= issuerOf(rows)
  })
  const users = new UserImport(run, family, issuer)
  await eachRow(source, 'users', 'id', rows => users.take(rows))
  await eachRow(source, 'two_fas', 'id', rows => importTwoFactors(run, rows))
  await eachRow(source, 'passkey_credentials', 'id', async rows =>
    run.report.tally('{passkey|passkeys} left out: who had one makes another here', rows.length),
  )
  await eachRow(source, 'tokens', 'id', rows => importTokens(run, rows))
  await eachRow(source, 'channels', 'id', rows => importChannels(run, family, rows))
  await eachRow(source, 'redemptions', 'id', rows => importRedemptions(run, rows))
  await eachRow(source, 'options', 'key', rows => importOptions(run, rows))
}

async function takeLog(run: ImportRun, family: Family, source: ForeignDatabase): Promise<void> {
  const logs = new LogImport(run, family)
  await eachRow(source, 'logs', 'id', rows => logs.take(rows))
  await logs.sumUp()
}

/** PostgreSQL does not count the ids that rows bring with them. */
async function countOn(transaction: Transaction<Schema>): Promise<void> {
  for (const table of numbered)
    await sql`
      select setval(pg_get_serial_sequence(${table}, 'id'), max(id)) from ${sql.table(table)} having max(id) > 0
    `.execute(transaction)
}
