import { EXPIRED, type redemptionEndpoints, redemptionStatuses } from '../../../contract/redemptions.ts'
import { AppError } from '../../errors.ts'
import { beginsWith } from '../../store/like.ts'
import type { App } from '../app.ts'
import type { Handlers } from '../call.ts'
import { asList, countRows, type Page, readPage, readSearchPage } from '../paging.ts'
import { readId } from '../row-id.ts'
import {
  createRedemptions,
  deleteInvalidRedemptions,
  deleteRedemption,
  deleteRedemptions,
  updateRedemption,
} from './redemption-changes.ts'
import { viewRedemption } from './redemption-view.ts'

export function redemptionHandlers(app: App): Handlers<keyof typeof redemptionEndpoints> {
  return {
    listRedemptions: ({ query }) => findRedemptions(app, readPage(query), ''),
    searchRedemptions: ({ query }) =>
      findRedemptions(app, readSearchPage(query), query.keyword, query.status),
    findRedemptions: ({ body }) => findRedemptions(app, readSearchPage(body), body.keyword, body.status),
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
async function findRedemptions(app: App, page: Page, keyword: string, status?: number) {
  let found = codes(app)
  const { unused } = redemptionStatuses
  if (status) found = found.where('status', '=', status === EXPIRED ? unused : status)
  if (status === unused)
    found = found.where(code => code.or([code('expired_time', '=', 0), code('expired_time', '>', app.now())]))
  if (status === EXPIRED) found = found.where(code => code.between('expired_time', 1, app.now()))
  if (keyword !== '')
    found = found.where(where =>
      where.or([
        beginsWith('name', keyword),
        where('key', '=', keyword),
        ...(/^\d{1,15}$/.test(keyword) ? [where('id', '=', Number(keyword))] : []),
      ]),
    )
  const rows = await found.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute()
  return asList(page, rows.map(viewRedemption), () => countRows(found))
}

function codes({ store }: App) {
  return store.db.selectFrom('redemptions').where('deleted_at', 'is', null)
}
