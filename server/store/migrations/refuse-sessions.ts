import { type Kysely, sql } from 'kysely'
import { log } from '../../log.ts'

/** What MySQL's sessions are begun with here does not do, and nobody can say otherwise for each of them. */
export class UnfitSessions extends Error {
  override readonly name = 'UnfitSessions'
}

/** With these the same statement says something else. */
const otherLanguages = ['ORACLE', 'EMPTY_STRING_IS_NULL', 'SIMULTANEOUS_ASSIGNMENT']
const ADVICE = "set sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION' in the server's configuration"

/**
 * Without autocommit what is written outside of transactions is never there for anybody else, and keeps its locks. Where
 * the mode is not strict, what is too long or too large is cut off without a word: who has data in such a database goes
 * on, and is told.
 */
export async function refuseSessions(db: Kysely<unknown>, isOurs: boolean): Promise<void> {
  const { rows } = await sql<{
    commits: number
    mode: string
  }>`select @@session.autocommit as commits, @@session.sql_mode as mode`.execute(db)
  const [session] = rows
  if (!session) return
  if (Number(session.commits) === 0)
    throw new UnfitSessions(
      "autocommit is off there, and nothing in it was changed: set autocommit = 1 in the server's configuration",
    )
  const modes = session.mode.split(',')
  const other = modes.find(mode => otherLanguages.includes(mode))
  if (other !== undefined)
    throw new UnfitSessions(`its sql_mode has ${other}, and nothing in it was changed: ${ADVICE}`)
  if (modes.some(mode => ['STRICT_TRANS_TABLES', 'STRICT_ALL_TABLES'].includes(mode))) return
  const told = 'its sql_mode is not strict, by which what is too long or too large is cut off without a word'
  if (!isOurs) throw new UnfitSessions(`${told}, and nothing in it was changed: ${ADVICE}`)
  log.warn(`the database should be set up otherwise: ${told}: ${ADVICE}`)
}
