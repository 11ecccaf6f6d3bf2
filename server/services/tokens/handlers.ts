import type { tokenEndpoints } from '../../../contract/tokens.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../app.ts'
import type { Caller, Handlers } from '../call.ts'
import { KeptTotals } from '../kept-totals.ts'
import { readPage, readSearchPage } from '../paging.ts'
import { readId } from '../row-id.ts'
import {
  createToken,
  deleteToken,
  deleteTokens,
  ownToken,
  setTokenStatus,
  updateToken,
} from './token-changes.ts'
import { creatorsOf } from './token-creators.ts'
import { findTokens } from './token-search.ts'
import { openKey, viewToken } from './token-view.ts'

export function tokenHandlers(app: App): Handlers<keyof typeof tokenEndpoints> {
  const { cipher, db } = app.store
  const totals = new KeptTotals(db, 'tokens')

  async function find(caller: Caller, id: number) {
    const row = await ownToken(db, caller, id).executeTakeFirst()
    if (!row) throw new AppError('row.not-found')
    return row
  }

  return {
    // Of tokens, `size` was there before pages had numbers from 1.
    listTokens: ({ query: { size, ...query }, caller }) =>
      findTokens(app, totals, caller, readPage(query, size), { name: '', key: '' }),
    searchTokens: ({ query, caller }) =>
      findTokens(app, totals, caller, readSearchPage(query), { name: query.keyword, key: query.token }),
    findTokens: ({ body, caller }) =>
      findTokens(app, totals, caller, readSearchPage(body), { name: body.keyword, key: body.token }),
    async getToken({ params, caller }) {
      const row = await find(caller, readId(params))
      return viewToken(cipher, row, app.now(), await creatorsOf(db, [row]))
    },
    async createToken({ body, caller }) {
      await createToken(app, caller, body)
      return null
    },
    async updateToken({ query, body, caller }) {
      const { id, status, ...change } = body
      const row = query.status_only
        ? await setTokenStatus(app, caller, id, status)
        : await updateToken(app, caller, id, change)
      return viewToken(cipher, row, app.now(), await creatorsOf(db, [row]))
    },
    deleteToken: ({ params, caller }) => deleteToken(app, caller, readId(params)),
    deleteTokens: ({ body, caller }) => deleteTokens(app, caller, body.ids),
    async tokenKey({ params, caller }) {
      const key = openKey(cipher, await find(caller, readId(params)))
      if (key === '') throw new AppError('token.key-unknown')
      return { key }
    },
  }
}
