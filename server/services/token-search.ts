import { contains } from '../store/like.ts'
import type { App } from './app.ts'
import { asList, type Page, totalOf } from './paging.ts'
import { openKey, viewToken } from './token-view.ts'

export const KEY_LENGTH = 48
/** How many of a user's tokens are looked into for a part of a key; whole keys are found among all. */
const MOST_OPENED = 1000

export interface TokenSearch {
  readonly name: string
  /** A whole key or a part of one, with or without `sk-`. */
  readonly key: string
}

/** A user's own tokens, the newest first. */
export async function findTokens(app: App, userId: number, page: Page, search: TokenSearch) {
  let tokens = ownTokens(app, userId)
  if (search.name !== '') tokens = tokens.where(contains('name', search.name, app.store.engine))
  const key = search.key.replace(/^sk-/, '')
  if (key.length >= KEY_LENGTH) tokens = tokens.where('key_hash', '=', app.store.cipher.hash('token', key))
  else if (key !== '') tokens = tokens.where('id', 'in', await idsByKeyPart(app, userId, key))
  const rows = await tokens.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute()
  return asList(
    page,
    rows.map(row => viewToken(app.store.cipher, row)),
    async () => {
      const known = totalOf(page, rows.length)
      if (known !== undefined) return known
      const { total } = await tokens
        .select(count => count.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return Number(total)
    },
  )
}

function ownTokens({ store }: App, userId: number) {
  return store.db.selectFrom('tokens').where('user_id', '=', userId).where('deleted_at', 'is', null)
}

/** Keys are sealed in the database, so a part of one is looked for here; 0 is nobody's id. */
async function idsByKeyPart(app: App, userId: number, part: string): Promise<number[]> {
  const rows = await ownTokens(app, userId)
    .select(['id', 'key_sealed'])
    .orderBy('id', 'desc')
    .limit(MOST_OPENED)
    .execute()
  const found = rows.filter(row => openKey(app.store.cipher, row).includes(part))
  return [0, ...found.map(({ id }) => id)]
}
