import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import { EXPIRED, type redemptionEndpoints, redemptionStatuses } from '../../../contract/redemptions.ts'
import { AppError } from '../../errors.ts'
import { beginsWith } from '../../store/like.ts'
import type { Schema } from '../../store/schema.ts'
import type { App } from '../app.ts'
import type { Handlers } from '../call.ts'
import { GrowingTotals } from '../growing-totals.ts'
import { asList, type Page, readPage, readSearchPage } from '../paging.ts'
import { readId } from '../row-id.ts'
import { indexedPage, searchedPage, sought } from '../search-page.ts'
import {
  createRedemptions,
  deleteInvalidRedemptions,
  deleteRedemption,
  deleteRedemptions,
  updateRedemption,
} from './redemption-changes.ts'
import { viewRedemption } from './redemption-view.ts'

export function redemptionHandlers(app: App): Handlers<keyof typeof redemptionEndpoints> {
  const totals = new GrowingTotals(app.store.db)
  return {
    listRedemptions: ({ query }) => findRedemptions(app, totals, readPage(query), ''),
    searchRedemptions: ({ query }) =>
      findRedemptions(app, totals, readSearchPage(query), query.keyword, query.status),
    findRedemptions: ({ body }) =>
      findRedemptions(app, totals, readSearchPage(body), body.keyword, body.status),
    async getRedemption({ params }) {
      const row = await codes(app).selectAll().where('id', '=', readId(params)).executeTakeFirst()
      if (!row) throw new AppError('row.not-found')
      return viewRedemption(row)
    },
    createRedemptions: call => createRedemptions(app, call),
    updateRedemption: async call => viewRedemption(await updateRedemption(app, call)),
    deleteRedemptions: call => deleteRedemptions(app, call),
    deleteInvalidRedemptions: call => deleteInvalidRedemptions(app, call),
    deleteRedemption: call => deleteRedemption(app, call, readId(call.params)),
  }
}

/** The newest first; a keyword is how a name begins, an id, or a code itself. */
async function findRedemptions(
  app: App,
  totals: GrowingTotals,
  page: Page,
  keyword: string,
  status?: number,
) {
  const { db, engine } = app.store
  const code = expressionBuilder<Schema, 'redemptions'>()
  const conditions: Expression<SqlBool>[] = [code('deleted_at', 'is', null)]
  const { unused } = redemptionStatuses
  if (status) conditions.push(code('status', '=', status === EXPIRED ? unused : status))
  if (status === unused)
    conditions.push(code.or([code('expired_time', '=', 0), code('expired_time', '>', app.now())]))
  if (status === EXPIRED) conditions.push(code.between('expired_time', 1, app.now()))
  if (keyword !== '')
    conditions.push(
      code.or([
        beginsWith('name', keyword, engine),
        code('key', '=', keyword),
        ...(/^\d{1,15}$/.test(keyword) ? [code('id', '=', Number(keyword))] : []),
      ]),
    )
  const isWhole = conditions.length === 1
  const all = isWhole ? totals.whole('redemptions', conditions) : sought(db, 'redemptions', conditions)
  const { ids, total } = await (isWhole ? indexedPage : searchedPage)(db, all, page)
  const rows = await db
    .selectFrom('redemptions')
    .selectAll()
    .where('id', 'in', [0, ...ids])
    .orderBy('id', 'desc')
    .execute()
  return asList(page, rows.map(viewRedemption), total)
}

function codes({ store }: App) {
  return store.db.selectFrom('redemptions').where('deleted_at', 'is', null)
}
