import { type Kysely, type Selectable, sql } from 'kysely'
import type { SpendLimits } from '../../store/ledger-schema.ts'
import type { Schema } from '../../store/schema.ts'
import { readFact } from '../../store/system-facts.ts'
import { BOOKS_CLOSED_BEFORE, holdStates } from '../moves.ts'
import { readCounted, shareOf } from './counted.ts'

type Limit = Selectable<SpendLimits>

interface Difference {
  readonly subject: number
  readonly expected: number
  readonly found: number
}

/** What limits say was spent is what calls of their windows have set aside or were charged. */
export async function checkSpendLimits(db: Kysely<Schema>): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const { id } of await db.selectFrom('spend_limits').select('id').orderBy('id').execute()) {
    const difference = await differenceIn(db, id)
    if (difference) differences.push(difference)
  }
  return differences
}

/**
 * A limit and its calls are looked at as of one moment, for calls go on meanwhile. When another window has begun
 * before that, it is looked at once more; one that is gone by then says nothing any more.
 */
async function differenceIn(db: Kysely<Schema>, id: number): Promise<Difference | undefined> {
  for (;;) {
    const limit = await db.selectFrom('spend_limits').selectAll().where('id', '=', id).executeTakeFirst()
    if (!limit) return undefined
    const [first, ...others] = await readWithCalls(db, limit)
    if (!first) continue
    const expected = [first, ...others].reduce((sum, one) => sum + amountIn(limit, one), broughtTo(first))
    const found = Number(first.spent)
    return found === expected || (found > expected && (await isPartlyFolded(db, first)))
      ? undefined
      : { subject: Number(id), expected, found }
  }
}

/** Of calls that were folded with their months nobody knows any more what they counted: an older limit may say more. */
async function isPartlyFolded(db: Kysely<Schema>, { created_at }: Pick<Row, 'created_at'>): Promise<boolean> {
  return Number(created_at) < Number((await readFact(db, BOOKS_CLOSED_BEFORE)) ?? 0)
}

/** As the driver gives it, with calls that count in it: all that count whole together, and each other one. */
interface Row extends Record<'ends_at' | 'spent' | 'brought' | 'brought_until' | 'created_at', unknown> {
  /** Null where there are no calls. */
  readonly amount: unknown
  /** Blank for those that count whole, which nearly all do: there may be millions of them. */
  readonly limits: string | null
}

async function readWithCalls(db: Kysely<Schema>, limit: Limit): Promise<Row[]> {
  const inWindow = `[${limit.id},${limit.ends_at},`
  const isWhole = sql`h.limits like ${`%${inWindow}0]%`}`
  const { rows } = await sql<Row>`
    select l.ends_at, l.spent, l.brought, l.brought_until, l.created_at, calls.amount, calls.limits
    from spend_limits l left join (
      select sum(case when h.state = ${holdStates.open} then h.amount else h.charge end) as amount,
        min(case when ${isWhole} then '' else h.limits end) as limits
      from holds h left join ledger_entries e on e.kind = 'refund' and e.ref = h.id
      where h.user_id = ${limit.user_id} and h.state <> ${holdStates.released} and e.ref is null
        and h.limits like ${`%${inWindow}%`}
      group by case when ${isWhole} then '' else h.id end
    ) calls on 1 = 1
    where l.id = ${limit.id} and l.ends_at = ${limit.ends_at}`.execute(db)
  return rows
}

function broughtTo({ brought, brought_until, ends_at }: Row): number {
  return Number(brought_until) === Number(ends_at) ? Number(brought) : 0
}

function amountIn({ id, ends_at }: Limit, { amount, limits }: Row): number {
  if (!limits) return Number(amount ?? 0)
  const counted = readCounted(limits).find(
    one => one.limitId === Number(id) && one.window === Number(ends_at),
  )
  return counted ? shareOf(counted, Number(amount)) : 0
}
