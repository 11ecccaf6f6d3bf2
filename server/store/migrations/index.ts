import { DEFAULT_MIGRATION_TABLE, type Kysely, type Migration, Migrator } from 'kysely'
import type { Engine } from '../engine.ts'
import { isUnavailable } from '../store-error.ts'
import { house } from './0001-house.ts'
import { wallet } from './0002-wallet.ts'
import { channels } from './0003-channels.ts'
import { accounts } from './0004-accounts.ts'
import { statistics } from './0005-statistics.ts'
import { signIn } from './0006-sign-in.ts'
import { limits } from './0007-limits.ts'
import { tasks } from './0008-tasks.ts'
import { logIndexes } from './0009-log-indexes.ts'
import { logTokenModels } from './0010-log-token-models.ts'
import { textSearch } from './0011-text-search.ts'
import { userWords } from './0012-user-words.ts'
import { oidc } from './0013-oidc.ts'
import { keptAnswers } from './0014-kept-answers.ts'
import { refills } from './0015-refills.ts'
import { orderCurrency } from './0016-order-currency.ts'
import { userNotices } from './0017-user-notices.ts'
import { userSearch } from './0018-user-search.ts'
import { costs } from './0019-costs.ts'
import { logContents } from './0020-log-contents.ts'
import { batches } from './0021-batches.ts'
import { plans } from './0022-plans.ts'
import { discord } from './0023-discord.ts'
import { codeExpiry } from './0024-code-expiry.ts'
import { teams } from './0025-teams.ts'
import { closedMonths } from './0026-closed-months.ts'
import { mcpServers } from './0027-mcp-servers.ts'
import { spendLimits } from './0028-spend-limits.ts'
import { labels } from './0029-labels.ts'
import { mcpToolPrices } from './0030-mcp-tool-prices.ts'
import { prompts } from './0031-prompts.ts'
import { logSinks } from './0032-log-sinks.ts'
import { leftBehind } from './0033-left-behind.ts'
import { taskGroups } from './0034-task-groups.ts'
import { listIndexes } from './0035-list-indexes.ts'
import { backgroundResponses } from './0037-background-responses.ts'
import { promptLabels } from './0038-prompt-labels.ts'
import { logApart } from './0039-log-apart.ts'
import { storedMakers } from './0040-stored-makers.ts'
import { gemini } from './0041-gemini.ts'
import { oneRoomOfBatches } from './0042-one-room-of-batches.ts'
import { openaiKept } from './0043-openai-kept.ts'
import { makers } from './0045-makers.ts'
import { logLabels } from './0046-log-labels.ts'
import { containerWindows } from './0047-container-windows.ts'
import { keptDays } from './0048-kept-days.ts'
import { anthropicFiles } from './0049-anthropic-files.ts'
import { openaiFiles } from './0052-openai-files.ts'
import { keptBytes } from './0053-kept-bytes.ts'

type Step = (db: Kysely<unknown>, engine: Engine) => Promise<void>

/** In order; a step that has been released is never edited. */
const steps: Record<string, Step> = {
  '0001-house': house,
  '0002-wallet': wallet,
  '0003-channels': channels,
  '0004-accounts': accounts,
  '0005-statistics': statistics,
  '0006-sign-in': signIn,
  '0007-limits': limits,
  '0008-tasks': tasks,
  '0009-log-indexes': logIndexes,
  '0010-log-token-models': logTokenModels,
  '0011-text-search': textSearch,
  '0012-user-words': userWords,
  '0013-oidc': oidc,
  '0014-kept-answers': keptAnswers,
  '0015-refills': refills,
  '0016-order-currency': orderCurrency,
  '0017-user-notices': userNotices,
  '0018-user-search': userSearch,
  '0019-costs': costs,
  '0020-log-contents': logContents,
  '0021-batches': batches,
  '0022-plans': plans,
  '0023-discord': discord,
  '0024-code-expiry': codeExpiry,
  '0025-teams': teams,
  '0026-closed-months': closedMonths,
  '0027-mcp-servers': mcpServers,
  '0028-spend-limits': spendLimits,
  '0029-labels': labels,
  '0030-mcp-tool-prices': mcpToolPrices,
  '0031-prompts': prompts,
  '0032-log-sinks': logSinks,
  '0033-left-behind': leftBehind,
  '0034-task-groups': taskGroups,
  '0035-list-indexes': listIndexes,
  '0037-background-responses': backgroundResponses,
  '0038-prompt-labels': promptLabels,
  '0039-log-apart': logApart,
  '0040-stored-makers': storedMakers,
  '0041-gemini': gemini,
  '0042-one-room-of-batches': oneRoomOfBatches,
  '0043-openai-kept': openaiKept,
  '0045-makers': makers,
  '0046-log-labels': logLabels,
  '0047-container-windows': containerWindows,
  '0048-kept-days': keptDays,
  '0049-anthropic-files': anthropicFiles,
  '0052-openai-files': openaiFiles,
  '0053-kept-bytes': keptBytes,
}

/** The database is not of this version, and cannot be made so. */
export class OtherVersion extends Error {
  override readonly name = 'OtherVersion'
}

/** Brings the schema up to date. Of several processes that start at once, one does the work. */
export async function migrate(db: Kysely<unknown>, engine: Engine): Promise<readonly string[]> {
  const { error, results = [] } = await migratorOf(db, engine).migrateToLatest()
  if (error) {
    if (isUnavailable(error)) throw error
    await refuseNewer(db)
    const failed = results.find(result => result.status === 'Error')?.migrationName
    throw new Error(`the database could not be brought up to date${failed ? ` (${failed})` : ''}`, {
      cause: error,
    })
  }
  return results.map(result => result.migrationName)
}

/** Whether nothing is left to do, which most starts find: then nobody waits for a lock, nor for a connection to work on. */
export async function isUpToDate(db: Kysely<unknown>): Promise<boolean> {
  const done = new Set(await namesDone(db))
  const known = Object.keys(steps)
  return done.size === known.length && known.every(name => done.has(name))
}

/** For who only looks: a database that lacks a step is refused rather than changed. */
export async function refuseUnlessUpToDate(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const known = await migratorOf(db, engine).getMigrations()
  const lacking = known.filter(step => step.executedAt === undefined)
  if (lacking.length === known.length) throw new OtherVersion('there is nothing of Tollgate in this database')
  await refuseNewer(db)
  if (lacking.length > 0)
    throw new OtherVersion(
      `this database was filled by an older Tollgate and lacks ${lacking.map(({ name }) => name).join(', ')}: ` +
        'start this one once, which brings it up to date',
    )
}

function migratorOf(db: Kysely<unknown>, engine: Engine): Migrator {
  const migrations: Record<string, Migration> = Object.fromEntries(
    Object.entries(steps).map(([name, step]) => [name, { up: (on: Kysely<unknown>) => step(on, engine) }]),
  )
  return new Migrator({ db, provider: { getMigrations: async () => migrations } })
}

/** What a newer program has changed, an older one would misunderstand. */
async function refuseNewer(db: Kysely<unknown>): Promise<void> {
  const newer = await stepsOfNewer(db)
  if (newer.length > 0)
    throw new OtherVersion(
      `this database was brought up to date by a newer Tollgate (${newer.join(', ')}): start that version or ` +
        'a later one, or restore the backup made before it. Nothing was changed.',
    )
}

/** What was done to the database that this program has never heard of. */
export async function stepsOfNewer<DB>(db: Kysely<DB>): Promise<readonly string[]> {
  return (await namesDone(db as unknown as Kysely<unknown>)).filter(name => !(name in steps))
}

async function namesDone(db: Kysely<unknown>): Promise<string[]> {
  const done = await (db as Kysely<{ [DEFAULT_MIGRATION_TABLE]: { name: string } }>)
    .selectFrom(DEFAULT_MIGRATION_TABLE)
    .select('name')
    .execute()
    // It is not there yet: nobody has been here.
    .catch(() => [])
  return done.map(({ name }) => name)
}
