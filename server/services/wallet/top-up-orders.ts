import type { Selectable } from 'kysely'
import type { TopUpView } from '../../../contract/wallet.ts'
import { contains } from '../../store/like.ts'
import type { TopUps } from '../../store/schema.ts'
import type { App } from '../app.ts'
import { countRows, numberedPage } from '../paging.ts'
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
export async function listTopUps({ store }: App, { keyword, userId, ...asked }: Search) {
  const { number: page, limit, offset } = numberedPage(asked)
  let orders = store.db.selectFrom('top_ups')
  if (userId !== undefined) orders = orders.where('user_id', '=', userId)
  if (keyword !== '') orders = orders.where(contains('trade_no', keyword))
  const rows = await orders.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  return { items: rows.map(viewTopUp), total: await countRows(orders), page, page_size: limit }
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
