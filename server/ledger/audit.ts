import { type Kysely, sql } from 'kysely'
import { topUpStatuses } from '../../contract/wallet.ts'
import type { Cipher } from '../store/cipher.ts'
import type { Schema } from '../store/schema.ts'
import { readFact } from '../store/system-facts.ts'
import { checkClosedMonths } from './closing/check-closed-months.ts'
import { holdStates, LASTING } from './moves.ts'
import { checkSpendLimits } from './spending/check-limits.ts'

/** One thing that is not as it should be. */
export interface Difference {
  readonly check: string
  readonly subject: string
  readonly expected: number
  readonly found: number
}

export interface AuditReport {
  readonly checks: readonly { readonly name: string; readonly differences: number }[]
  readonly differences: readonly Difference[]
}

/** Where log rows have been cleaned up: from then on the hourly sums must equal them. */
export const LOGS_KEPT_SINCE = 'logs-kept-since'

type Found = { subject: string | number; expected: string | number | null; found: string | number | null }
type Query = ReturnType<typeof sql<Found>>

const SHOWN = 100

/**
 * Proves a database's money. Each check is one statement, so it sees one moment even while requests run:
 * what it finds is wrong, not merely under way. With `cipher` also what only the program could have signed.
 */
export async function audit(db: Kysely<Schema>, cipher?: Cipher): Promise<AuditReport> {
  const checks: { name: string; differences: number }[] = []
  const differences: Difference[] = []
  const reckoned = {
    'closed months follow one another, unaltered': () => checkClosedMonths(db, cipher),
    'spent within limits = calls': () => checkSpendLimits(db),
  }
  const asked = Object.keys(queries(0)).map(name => [name, () => askOne(db, name)] as const)
  for (const [name, ask] of [...asked, ...Object.entries(reckoned)]) {
    const rows = await ask()
    checks.push({ name, differences: rows.length })
    for (const row of rows.slice(0, SHOWN))
      differences.push({
        check: name,
        subject: String(row.subject),
        expected: Number(row.expected ?? 0),
        found: Number(row.found ?? 0),
      })
  }
  return { checks, differences }
}

/** Where something is found, and the log was begun to be cleared meanwhile, it is asked once more. */
async function askOne(db: Kysely<Schema>, name: string): Promise<readonly Found[]> {
  for (let since = await keptSince(db); ; ) {
    const rows = (await queries(since)[name]?.execute(db))?.rows ?? []
    const now = rows.length === 0 ? since : await keptSince(db)
    if (now === since) return rows
    since = now
  }
}

async function keptSince(db: Kysely<Schema>): Promise<number> {
  return Number((await readFact(db, LOGS_KEPT_SINCE)) ?? 0)
}

function queries(logsSince: number): Record<string, Query> {
  const hour = sql`(created_at - (created_at % 3600))`
  const group = sql.ref('group')
  const open = holdStates.open
  const left = sql`(case when p.spent > p.quota then 0 when p.spent < 0 then p.quota else p.quota - p.spent end)`
  return {
    'wallet = entries - open holds': sql<Found>`
      select u.id as subject, coalesce(e.total, 0) - coalesce(h.total, 0) as expected, u.quota as found
      from users u
      left join (select user_id, sum(user_amount) as total from ledger_entries group by user_id) e on e.user_id = u.id
      left join (select user_id, sum(amount) as total from holds where state = ${open} group by user_id) h
        on h.user_id = u.id
      where u.quota <> coalesce(e.total, 0) - coalesce(h.total, 0)`,
    'token budget = entries - open holds': sql<Found>`
      select t.id as subject, coalesce(e.total, 0) - coalesce(h.total, 0) as expected, t.remain_quota as found
      from tokens t
      left join (select token_id, sum(token_amount) as total from ledger_entries group by token_id) e on e.token_id = t.id
      left join (select token_id, sum(token_amount) as total from holds where state = ${open} group by token_id) h
        on h.token_id = t.id
      where t.remain_quota <> coalesce(e.total, 0) - coalesce(h.total, 0)`,
    'no balance below zero': sql<Found>`
      select id as subject, 0 as expected, quota as found from users where quota < 0`,
    'no token budget below zero': sql<Found>`
      select id as subject, 0 as expected, remain_quota as found from tokens where remain_quota < 0`,
    'entries of users and tokens that exist': sql<Found>`
      select e.ref as subject, 0 as expected, case when u.id is null then e.user_amount else e.token_amount end as found
      from ledger_entries e left join users u on u.id = e.user_id left join tokens t on t.id = e.token_id
      where u.id is null or (e.token_id <> 0 and t.id is null)`,
    'every charge has its request, for the same amount': sql<Found>`
      select e.ref as subject,
        case when h.charge = -e.user_amount then -h.token_amount else coalesce(-h.charge, 0) end as expected,
        case when h.charge = -e.user_amount then e.token_amount else e.user_amount end as found
      from ledger_entries e left join holds h on h.id = e.ref and h.state = ${holdStates.settled}
      where e.kind = 'charge'
        and (h.id is null or h.charge <> -e.user_amount or h.token_amount <> -e.token_amount)`,
    'every refund has its charge, and gives back no more': sql<Found>`
      select r.ref as subject, coalesce(-c.user_amount, 0) as expected, r.user_amount as found
      from ledger_entries r left join ledger_entries c on c.kind = 'charge' and c.ref = r.ref
      where r.kind = 'refund' and (c.ref is null or c.user_id <> r.user_id or r.user_amount <> -c.user_amount
        or r.token_amount < 0 or r.token_amount > -c.token_amount)`,
    'paid orders = entries': sql<Found>`
      select o.trade_no as subject, o.quota as expected, coalesce(e.user_amount, 0) as found
      from top_ups o left join ledger_entries e on e.kind = 'top-up' and e.ref = o.trade_no
      where o.status = ${topUpStatuses.success} and o.plan is null
        and (e.ref is null or e.user_id <> o.user_id or e.user_amount <> o.quota)
      union all
      select e.ref, 0, e.user_amount
      from ledger_entries e left join top_ups o
        on o.trade_no = e.ref and o.status = ${topUpStatuses.success} and o.plan is null
      where e.kind = 'top-up' and o.id is null`,
    'every settled request has its charge': sql<Found>`
      select h.id as subject, h.charge as expected, 0 as found
      from holds h left join ledger_entries e on e.kind = 'charge' and e.ref = h.id
      where h.state = ${holdStates.settled} and e.ref is null`,
    'closed months = their entries': sql<Found>`
      select ends_at as subject, sum(expected) as expected, sum(found) as found from (
        select ends_at, user_amount as expected, 0 as found, token_amount as due, 0 as there from closed_months
        union all select created_at, 0, user_amount, 0, token_amount from ledger_entries where kind = 'closed'
      ) both_sides group by ends_at having sum(expected) <> sum(found) or sum(due) <> sum(there)`,
    'no hold without its process': sql<Found>`
      select h.id as subject, 0 as expected, h.amount as found
      from holds h left join nodes n on n.id = h.node_id
      where h.state = ${open} and n.id is null and h.node_id <> ${LASTING}`,
    'no lasting hold without its job': sql<Found>`
      select h.id as subject, 0 as expected, h.amount as found
      from holds h
      left join batches b on b.request_id = h.id and b.state in ('submitting', 'running', 'abandoned')
      left join background_responses r on r.request_id = h.id and r.state = 'running'
      left join gemini_caches c on c.request_id = h.id and c.state in ('making', 'extending')
      left join openai_containers o on o.request_id = h.id and o.state = 'making'
      where h.state = ${open} and h.node_id = ${LASTING}
        and b.id is null and r.request_id is null and c.id is null and o.mark is null`,
    'allowances of plans = entries': sql<Found>`
      select user_id as subject, sum(expected) as expected, sum(found) as found from (
        select user_id, quota as expected, 0 as found from subscription_periods
        union all select user_id, 0, user_amount from ledger_entries where kind = 'allowance'
      ) both_sides group by user_id having sum(expected) <> sum(found)`,
    'what plans took back = entries': sql<Found>`
      select user_id as subject, sum(expected) as expected, sum(found) as found from (
        select user_id, returned as expected, 0 as found from subscription_periods
        union all select user_id, 0, 0 - user_amount from ledger_entries where kind = 'allowance-end'
      ) both_sides group by user_id having sum(expected) <> sum(found)`,
    'no plan took back what was spent': sql<Found>`
      select p.subscription_id as subject, ${left} as expected, p.returned as found
      from subscription_periods p where p.returned < 0 or p.returned > ${left}
      union all
      select s.id, ${left}, p.returned + s.owed
      from subscriptions s join subscription_periods p on p.subscription_id = s.id and p.no = s.period_no
      where s.owed < 0 or (s.owed > 0 and p.returned + s.owed > ${left})`,
    'a user has one plan that runs': sql<Found>`
      select user_id as subject, 1 as expected, count(*) as found
      from subscriptions where state = 'running' group by user_id having count(*) > 1`,
    'a plan that runs has one period': sql<Found>`
      select s.id as subject, case when s.state = 'running' then 1 else 0 end as expected, count(p.no) as found
      from subscriptions s
      left join subscription_periods p on p.subscription_id = s.id and p.ended_at = 0
      group by s.id, s.state
      having count(p.no) <> case when s.state = 'running' then 1 else 0 end`,
    'hourly sums = logs': sql<Found>`
      select subject, sum(expected) as expected, sum(found) as found from (
        select ${hour} as subject, user_id, token_id, channel_id, model_name, ${group} as g,
          quota as expected, 0 as found, 1 as logged, 0 as summed
        from logs where request_id <> '' and created_at >= ${logsSince}
        union all
        select hour, user_id, token_id, channel_id, model_name, ${group}, 0, quota, 0, requests
        from usage_hourly where hour >= ${logsSince}
      ) both_sides
      group by subject, user_id, token_id, channel_id, model_name, g
      having sum(expected) <> sum(found) or sum(logged) <> sum(summed)`,
    'hourly sums of labels = logs': sql<Found>`
      select subject, sum(expected) as expected, sum(found) as found from (
        select ${hour} as subject, user_id, token_id, labels,
          quota as expected, 0 as found, 1 as logged, 0 as summed, coalesce(cost, 0) as cost
        from logs where labels is not null and created_at >= ${logsSince}
        union all
        select hour, user_id, token_id, labels, 0, quota, 0, requests, 0 - cost
        from usage_labels_hourly where hour >= ${logsSince}
      ) both_sides
      group by subject, user_id, token_id, labels
      having sum(expected) <> sum(found) or sum(logged) <> sum(summed) or sum(cost) <> 0`,
    'hourly costs = logs': sql<Found>`
      select subject, sum(expected) as expected, sum(found) as found from (
        select ${hour} as subject, user_id, token_id, channel_id, model_name, ${group} as g,
          cost as expected, 0 as found, quota as logged, 0 as summed
        from logs where cost is not null and created_at >= ${logsSince}
        union all
        select hour, user_id, token_id, channel_id, model_name, ${group}, 0, cost, 0, costed_quota
        from usage_hourly where (cost <> 0 or costed_quota <> 0) and hour >= ${logsSince}
      ) both_sides
      group by subject, user_id, token_id, channel_id, model_name, g
      having sum(expected) <> sum(found) or sum(logged) <> sum(summed)`,
  }
}
