import { sql } from 'kysely'
import type { Topic } from '../../../../store/bus/bus.ts'
import type { ForeignDatabase, ForeignRow } from '../../../../store/foreign-database.ts'
import type { Store } from '../../../../store/index.ts'
import { eachRow } from '../../each-row.ts'
import { endImport } from '../../end-import.ts'
import { textOf } from '../../read-row.ts'
import type { ImportReport } from '../../report.ts'
import { configTopics, takeConfig } from '../index.ts'
import type { Variable } from '../place.ts'
import { notesOnPassing } from '../read-config.ts'
import { AccountImport } from './import-accounts.ts'
import { KeyImport } from './import-keys.ts'
import { MemberLimitImport } from './import-limits.ts'
import { MemberImport } from './import-members.ts'
import type { Moving } from './moving.ts'
import { quotaOf } from './read-budget.ts'
import { readModels } from './read-models.ts'
import { readServers } from './read-servers.ts'
import { asFields } from './sealed-fields.ts'

interface Parts {
  readonly store: Store
  readonly variable: Variable
  /** In dollars: what an account gets that had no budget. */
  readonly wallet: number
  /** Seconds since 1970. */
  now(): number
}

const KEYS = 'LiteLLM_VerificationToken'
const topics: readonly Topic[] = ['users', 'tokens', ...configTopics]

export async function isLitellm(source: ForeignDatabase): Promise<boolean> {
  return (await source.columns(KEYS)).has('token')
}

/**
 * Takes over the models, MCP servers, users, teams and keys of LiteLLM, all in one transaction. An installation in use
 * goes on as it is, with these added; who or what has come before is left alone.
 */
export async function importDatabase(
  parts: Parts,
  source: ForeignDatabase,
  report: ImportReport,
): Promise<void> {
  const { store } = parts
  const unit = store.settings.get('QuotaPerUnit')
  const wallet = quotaOf(parts.wallet, unit) ?? 0
  await store.db.transaction().execute(async transaction => {
    // The clocks for callers who come and go; nobody waits for this one.
    if (store.engine === 'postgres')
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction)
    const moving: Moving = { store, transaction, report, now: parts.now(), unit, wallet }
    const models = await readModels(source, parts.variable, report)
    const servers = await readServers(source, parts.variable, report)
    // First, for what keys may use is looked for among what is served.
    if (models.deployments.length + servers.length > 0)
      await takeConfig(parts, transaction, { ...models, servers }, report)
    const accounts = await AccountImport.begin(moving)
    await eachRow(source, 'LiteLLM_UserTable', 'user_id', rows => accounts.takeUsers(rows))
    const members = new MemberImport(moving, accounts)
    await eachRow(source, 'LiteLLM_TeamTable', 'team_id', async rows => {
      await accounts.takeTeams(rows)
      await members.take(rows)
    })
    const budgets = await budgetsOf(source)
    const limits = new MemberLimitImport(moving, { accounts, members }, budgets)
    await eachRow(source, 'LiteLLM_TeamMembership', ['user_id', 'team_id'], rows => limits.take(rows))
    const keys = new KeyImport(moving, { accounts, members }, budgets, await servedModels(moving))
    await eachRow(source, KEYS, 'token', rows => keys.take(rows))
    await noteLeft(source, report)
    await endImport(parts, transaction, { subject: 'litellm', topics, report })
  })
  for (const topic of topics) await store.bus.announce(topic)
}

/** Those that several may share. */
async function budgetsOf(source: ForeignDatabase): Promise<ReadonlyMap<string, ForeignRow>> {
  const budgets = new Map<string, ForeignRow>()
  await eachRow(source, 'LiteLLM_BudgetTable', 'budget_id', async rows => {
    for (const row of rows) budgets.set(textOf(row, 'budget_id'), row)
  })
  return budgets
}

async function servedModels({ transaction }: Moving): Promise<ReadonlySet<string>> {
  const rows = await transaction.selectFrom('abilities').select('model').distinct().execute()
  return new Set(rows.map(({ model }) => model))
}

/** What limits there that nothing here does. */
async function noteLeft(source: ForeignDatabase, report: ImportReport): Promise<void> {
  const count = (table: string, key: string, what: string): Promise<void> =>
    eachRow(source, table, key, async rows => report.tally(`${what} left out`, rows.length))
  await count(
    'LiteLLM_OrganizationTable',
    'organization_id',
    '{organization, with its budgets, is|organizations, with their budgets, are}',
  )
  await count(
    'LiteLLM_DeprecatedVerificationToken',
    'id',
    '{former key that a newer one has replaced is|former keys that newer ones have replaced are}',
  )
  await eachRow(source, 'LiteLLM_Config', 'param_name', async rows => {
    for (const row of rows)
      if (textOf(row, 'param_name') === 'general_settings')
        for (const note of notesOnPassing(asFields(row.param_value))) report.note(note)
  })
  if ((await source.columns('LiteLLM_SpendLogs')).size > 0)
    report.note('the log of what was spent stays where it is')
}
