import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import { readKey, tokenHashes } from '../../store/given-key.ts'
import { contains } from '../../store/like.ts'
import type { Schema } from '../../store/schema.ts'
import type { App } from '../app.ts'
import type { Caller } from '../call.ts'
import { mapInTurns } from '../give-way.ts'
import type { KeptTotals } from '../kept-totals.ts'
import { asList, countRows, type Page } from '../paging.ts'
import { indexedPage, searchedPage } from '../search-page.ts'
import { onlyMadeBy } from '../teams/act-for-team.ts'
import { creatorsOf } from './token-creators.ts'
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
export async function findTokens(
  app: App,
  totals: KeptTotals,
  caller: Caller,
  page: Page,
  search: TokenSearch,
) {
  const { db, engine, cipher } = app.store
  const userId = caller.id
  const maker = onlyMadeBy(caller)
  const tokens = expressionBuilder<Schema, 'tokens'>()
  const conditions: Expression<SqlBool>[] = [tokens('user_id', '=', userId), tokens('deleted_at', 'is', null)]
  if (maker !== undefined) conditions.push(tokens('created_by', '=', maker))
  if (search.name !== '') conditions.push(contains('name', search.name, engine))
  const key = search.key.replace(/^sk-/, '')
  if (key !== '') {
    const whole = tokens('key_hash', 'in', tokenHashes(app.store, readKey(search.key)))
    const isPart = key.length < KEY_LENGTH
    conditions.push(
      isPart ? tokens.or([tokens('id', 'in', await idsByKeyPart(app, userId, key)), whole]) : whole,
    )
  }
  const where = tokens.and(conditions)
  const count = () =>
    totals.read([userId, maker ?? '', search.name, key], () =>
      countRows(db.selectFrom('tokens').where(where)),
    )
  const readIds = search.name === '' ? indexedPage : searchedPage
  const { ids, total } = await readIds(db, { table: 'tokens', where, count }, page)
  const rows = await db
    .selectFrom('tokens')
    .selectAll()
    .where('id', 'in', [0, ...ids])
    .orderBy('id', 'desc')
    .execute()
  const creators = await creatorsOf(db, rows)
  return asList(
    page,
    rows.map(row => viewToken(cipher, row, app.now(), creators)),
    total,
  )
}

/** Keys are sealed in the database, so a part of one is looked for here; 0 is nobody's id. */
async function idsByKeyPart(app: App, userId: number, part: string): Promise<number[]> {
  const rows = await app.store.db
    .selectFrom('tokens')
    .select(['id', 'key_sealed'])
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(MOST_OPENED)
    .execute()
  const found = await mapInTurns(rows, row => (openKey(app.store.cipher, row).includes(part) ? row.id : 0))
  return [0, ...found.filter(id => id > 0)]
}
