import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { readFact } from '../../store/system-facts.ts'
import { BOOKS_CLOSED_BEFORE, holdStates } from '../moves.ts'
import { readCounted, shareOf } from './counted.ts'

interface Line {
  readonly id: number
  readonly spent: number
  readonly ends_at: number
  readonly created_at: number
  readonly brought: number
  readonly brought_until: number
  readonly state: string | null
  readonly amount: number | null
  readonly charge: number | null
  readonly limits: string | null
  readonly refunded: string | null
}

/**
 * What limits say was spent is what calls of their windows have set aside or were charged. Of calls that were folded
 * with their months nobody knows that any more: a limit that is older may say more.
 */
export async function checkSpendLimits(
  db: Kysely<Schema>,
): Promise<{ subject: number; expected: number; found: number }[]> {
  const closedBefore = Number((await readFact(db, BOOKS_CLOSED_BEFORE)) ?? 0)
  const { rows } = await sql<Line>`
    select l.id, l.spent, l.ends_at, l.created_at, l.brought, l.brought_until, h.state, h.amount, h.charge, h.limits, e.ref as refunded
    from spend_limits l
    left join holds h on h.user_id = l.user_id and h.limits is not null
    left join ledger_entries e on e.kind = 'refund' and e.ref = h.id`.execute(db)
  const sums = new Map<number, { line: Line; expected: number }>()
  for (const line of rows) {
    const sum = sums.get(Number(line.id)) ?? { line, expected: broughtTo(line) }
    sum.expected += shareIn(line)
    sums.set(Number(line.id), sum)
  }
  return [...sums].flatMap(([subject, { line, expected }]) => {
    const found = Number(line.spent)
    const mayBeMore = Number(line.created_at) < closedBefore
    return found === expected || (mayBeMore && found > expected) ? [] : [{ subject, expected, found }]
  })
}

function broughtTo({ brought, brought_until, ends_at }: Line): number {
  return Number(brought_until) === Number(ends_at) ? Number(brought) : 0
}

function shareIn({ id, ends_at, state, amount, charge, limits, refunded }: Line): number {
  if (limits === null || state === holdStates.released || refunded !== null) return 0
  const counted = readCounted(limits).find(
    one => one.limitId === Number(id) && one.window === Number(ends_at),
  )
  if (!counted) return 0
  return shareOf(counted, Number((state === holdStates.open ? amount : charge) ?? 0))
}
