import { type Kysely, type Selectable, sql } from 'kysely'
import type { SpendLimits } from '../../store/ledger-schema.ts'
import type { Schema } from '../../store/schema.ts'
import { readFact } from '../../store/system-facts.ts'
import { BOOKS_CLOSED_BEFORE, holdStates } from '../moves.ts'
import { readCounted, shareOf } from './counted.ts'

type Limit = Selectable<SpendLimits>

/**
 * What limits say was spent is what calls of their windows have set aside or were charged. Of calls that were folded
 * with their months nobody knows that any more: a limit that is older may say more.
 */
export async function checkSpendLimits(
  db: Kysely<Schema>,
): Promise<{ subject: number; expected: number; found: number }[]> {
  const closedBefore = Number((await readFact(db, BOOKS_CLOSED_BEFORE)) ?? 0)
  const differences: { subject: number; expected: number; found: number }[] = []
  for (const limit of await db.selectFrom('spend_limits').selectAll().orderBy('id').execute()) {
    const expected = broughtTo(limit) + (await countedIn(db, limit))
    const found = Number(limit.spent)
    const mayBeMore = Number(limit.created_at) < closedBefore
    if (found !== expected && !(mayBeMore && found > expected))
      differences.push({ subject: Number(limit.id), expected, found })
  }
  return differences
}

function broughtTo({ brought, brought_until, ends_at }: Limit): number {
  return Number(brought_until) === Number(ends_at) ? Number(brought) : 0
}

/** Nearly all calls count whole, and the database adds them up: there may be millions of them. */
async function countedIn(db: Kysely<Schema>, limit: Limit): Promise<number> {
  const inWindow = `[${limit.id},${limit.ends_at},`
  const calls = sql`
    from holds h left join ledger_entries e on e.kind = 'refund' and e.ref = h.id
    where h.user_id = ${limit.user_id} and h.state <> ${holdStates.released} and e.ref is null
      and h.limits like ${`%${inWindow}%`}`
  const amount = sql`case when h.state = ${holdStates.open} then h.amount else h.charge end`
  const whole = `%${inWindow}0]%`
  const sum = await sql<{ sum: unknown }>`
    select coalesce(sum(${amount}), 0) as sum ${calls} and h.limits like ${whole}`.execute(db)
  const parts = await sql<{ amount: unknown; limits: string }>`
    select ${amount} as amount, h.limits as limits ${calls} and h.limits not like ${whole}`.execute(db)
  return parts.rows.reduce(
    (all, part) => all + shareOfLimit(limit, part.limits, Number(part.amount)),
    Number(sum.rows[0]?.sum ?? 0),
  )
}

function shareOfLimit({ id, ends_at }: Limit, limits: string, amount: number): number {
  const counted = readCounted(limits).find(
    one => one.limitId === Number(id) && one.window === Number(ends_at),
  )
  return counted ? shareOf(counted, amount) : 0
}
