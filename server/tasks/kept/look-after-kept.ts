import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import type { RelayParts } from '../../relay/parts.ts'

/** What is under way for longer has died with its process, or its answer was lost. */
const LOST_SECONDS = 180
/** Nothing changes so far ahead: what does was written before a clock was set back. */
const FAR_SECONDS = 1200
const AT_A_TURN = 20
/** A vendor that cannot be asked for so long will not tell any more. */
const GIVEN_UP_SECONDS = 86_400

/** What vendors keep of one kind, and how to find out about it. */
export interface Kind<Row, Found> {
  /** For the log. */
  readonly what: string
  nameOf(row: Row): string
  /** Those under way that nobody has heard of, the oldest first. */
  lost(isLost: RawBuilder<SqlBool>, most: number): Promise<readonly Row[]>
  /** False where somebody else was the first to say `now`. */
  take(row: Row, now: number): Promise<boolean>
  /** Undefined where its vendor does not have it, or nobody can be asked. */
  find(row: Row): Promise<Found | undefined>
  /** Pays for it. False where it was given up meanwhile. */
  finish(row: Row, found: Found): Promise<boolean>
  giveUp(row: Row, why: string): Promise<void>
  /** Since when it may be thought lost for good. */
  since(row: Row): number
}

/** Finds out what became of what nobody heard of. Any number of nodes may do so. */
export async function lookAfterKept<Row, Found>(parts: RelayParts, kind: Kind<Row, Found>): Promise<number> {
  const now = parts.now()
  const isLost = sql<SqlBool>`(changed_at <= ${now - LOST_SECONDS} or changed_at > ${now + FAR_SECONDS})`
  const lost = await kind.lost(isLost, AT_A_TURN)
  for (const row of lost)
    if (await kind.take(row, now))
      await resolve(parts, kind, row).catch(error =>
        log.warn('what a vendor keeps could not be asked after; it is again', {
          [kind.what]: kind.nameOf(row),
          error,
        }),
      )
  return lost.length
}

async function resolve<Row, Found>(parts: RelayParts, kind: Kind<Row, Found>, row: Row): Promise<void> {
  const interrupted = new AppError('task.interrupted').text('zh')
  try {
    const found = await kind.find(row)
    if (found === undefined || !(await kind.finish(row, found))) await kind.giveUp(row, interrupted)
  } catch (error) {
    if (kind.since(row) + GIVEN_UP_SECONDS > parts.steadyNow()) throw error
    await kind.giveUp(row, interrupted)
  }
}
