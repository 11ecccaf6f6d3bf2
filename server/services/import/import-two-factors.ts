import type { ForeignRow } from '../../store/foreign-database.ts'
import { fromBase32 } from '../sign-in/totp.ts'
import { sealSecret } from '../sign-in/two-factor.ts'
import { type ImportRun, isFirst } from './import-run.ts'
import { deletedAt, flagOf, integerOf, textOf } from './read-row.ts'

/** What is shorter is no secret that an authenticator app was given. */
const SHORTEST_BYTES = 10

/** Authenticator apps go on as they are: where a password was not enough, it must not become so by moving. */
export async function importTwoFactors(run: ImportRun, rows: readonly ForeignRow[]): Promise<void> {
  const { store, transaction, report, users, now } = run
  const came = rows.flatMap(row => {
    const user_id = integerOf(row, 'user_id')
    if (!flagOf(row, 'is_enabled') || deletedAt(row) !== null || !users.has(user_id)) return []
    const secret = fromBase32(textOf(row, 'secret'))
    if (!secret || secret.length < SHORTEST_BYTES || !isFirst(run, 'two-factor', String(user_id))) {
      report.note(`user ${user_id}: without the authenticator app, whose secret cannot be read`)
      return []
    }
    const secret_sealed = sealSecret({ store }, user_id, secret)
    return { user_id, secret_sealed, created_at: now, confirmed_at: now, last_step: 0 }
  })
  if (came.length === 0) return
  await transaction.insertInto('two_factors').values(came).execute()
  report.add('authenticator apps', came.length)
}
