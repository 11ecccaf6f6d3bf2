import { type Expression, expressionBuilder, type Selectable, type SqlBool } from 'kysely'
import type { TopUpView } from '../../../contract/wallet.ts'
import { contains } from '../../store/like.ts'
import type { Schema, TopUps } from '../../store/schema.ts'
import type { App } from '../app.ts'
import type { GrowingTotals } from '../growing-totals.ts'
import { numberedPage } from '../paging.ts'
import { indexedPage, searchedPage, sought } from '../search-page.ts'
import { titleIn } from './plans/grant-plan.ts'
import { minorUnitsOf } from './stripe/currency.ts'

interface Search {
  readonly p?: number | undefined
  readonly page_size?: number | undefined
  readonly keyword: string
  /** Undefined for everyone's. */
  readonly userId?: number
}

/** Orders, the newest first. */
export async function listTopUps(
  { store }: App,
  totals: GrowingTotals,
  { keyword, userId, ...asked }: Search,
) {
  const { db, engine } = store
  const page = numberedPage(asked)
  const conditions: Expression<SqlBool>[] = []
  if (userId !== undefined) conditions.push(expressionBuilder<Schema, 'top_ups'>()('user_id', '=', userId))
  if (keyword !== '') conditions.push(contains('trade_no', keyword, engine))
  const readIds = keyword === '' || userId !== undefined ? indexedPage : searchedPage
  const all = conditions.length === 0 ? totals.whole('top_ups') : sought(db, 'top_ups', conditions)
  const { ids, total } = await readIds(db, all, page)
  const rows = await db
    .selectFrom('top_ups')
    .selectAll()
    .where('id', 'in', [0, ...ids])
    .orderBy('id', 'desc')
    .execute()
  return { items: rows.map(viewTopUp), total: await total(), page: page.number, page_size: page.limit }
}

function viewTopUp(row: Selectable<TopUps>): TopUpView {
  return {
    id: row.id,
    user_id: row.user_id,
    amount: row.amount,
    quota: row.quota,
    money: row.money / minorUnitsOf(row.currency),
    currency: row.currency,
    trade_no: row.trade_no,
    payment_method: row.payment_method,
    status: row.status,
    create_time: row.create_time,
    complete_time: row.complete_time,
    plan: row.plan === null ? '' : titleIn(row.plan),
  }
}
