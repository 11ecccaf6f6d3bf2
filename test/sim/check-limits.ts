import type { Row } from '../../server/store/batch/batch.ts'
import { must } from './must.ts'
import type { Change, SimTables } from './sim-tables.ts'

/** What of a hold counts in a limit's window, in the words of the row itself. */
function shareOf(hold: Row, { id, ends_at }: Row, amount: number): number {
  if (hold.limits === null || hold.limits === undefined) return 0
  const counted = JSON.parse(String(hold.limits)) as [number, number, number][]
  const mine = counted.find(([limit, window]) => limit === id && window === ends_at)
  return mine ? Math.max(0, amount - mine[2]) : 0
}

/** At all times: what a limit says was spent in its window is what calls have set aside or were charged in it. */
export function checkLimits(tables: SimTables): void {
  for (const limit of tables.rows('spend_limits')) {
    let expected = 0
    for (const hold of tables.rows('holds')) {
      if (hold.state === 'released' || hold.user_id !== limit.user_id) continue
      expected += shareOf(hold, limit, Number(hold.state === 'open' ? hold.amount : hold.charge))
    }
    must(
      limit.spent === expected,
      'limits',
      () => `limit ${limit.id} says ${limit.spent} was spent, its calls came to ${expected}`,
    )
  }
}

/**
 * At every commit: nothing is set aside beyond a limit. What it may be exceeded by is what calls came to beyond what was
 * set aside for them, and what was set aside before somebody lowered it.
 */
export function checkWithinLimits(changes: readonly Change[]): void {
  const holds = changes.filter(({ table }) => table === 'holds')
  for (const { table, before, after } of changes) {
    if (table !== 'spend_limits') continue
    must(Number(after.spent) >= 0, 'limits', () => `limit ${after.id} is at ${after.spent}`)
    const taken = holds.some(
      hold =>
        hold.after.state === 'open' &&
        shareOf(hold.after, after, Number(hold.after.amount)) >
          (hold.before ? shareOf(hold.before, after, Number(hold.before.amount)) : 0),
    )
    if (!taken || !before) continue
    const beyond = holds.reduce((sum, hold) => sum + beyondHold(hold, after), 0)
    must(
      Number(after.spent) - beyond <= Number(after.amount),
      'limits',
      () => `of limit ${after.id}, which is ${after.amount}, ${after.spent} is taken`,
    )
  }
}

function beyondHold({ before, after }: Change, limit: Row): number {
  if (after.state !== 'settled') return 0
  const held = before ? Number(before.state === 'open' ? before.amount : before.charge) : 0
  const share = shareOf(after, limit, Number(after.charge)) - shareOf(after, limit, held)
  return Math.max(0, share)
}
