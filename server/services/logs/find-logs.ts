import { sql } from 'kysely'
import { tokenStatuses } from '../../../contract/tokens.ts'
import { userStatuses } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import { contains } from '../../store/like.ts'
import type { App } from '../app.ts'
import { type LogRow, loadLogs } from './view-logs.ts'

const LONGEST_KEY = 512
const OF_TOKEN = 1000
const FOUND = 100
/** A search looks through this many of the newest rows: the text of a row has no index. */
const LOOKED_THROUGH = 20_000

/** A token's newest rows, for whoever has its key. */
export async function logsOfKey({ store }: Pick<App, 'store'>, given: string): Promise<LogRow[]> {
  const key = given.trim().replace(/^sk-/, '').split('-', 1)[0] ?? ''
  if (key === '' || given.length > LONGEST_KEY) throw new AppError('log.bad-key')
  const token = await store.db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .select(['tokens.id', 'tokens.user_id', 'tokens.status', 'tokens.created_time'])
    .where('tokens.key_hash', '=', store.cipher.hash('token', key))
    .where('tokens.deleted_at', 'is', null)
    .where('users.deleted_at', 'is', null)
    .where('users.status', '=', userStatuses.active)
    .executeTakeFirst()
  if (!token || token.status === tokenStatuses.disabled) throw new AppError('log.bad-key')
  const found = await store.db
    .selectFrom('logs')
    .select(['id', 'created_at'])
    .where('user_id', '=', token.user_id)
    .where('created_at', '>=', token.created_time)
    .where('token_id', '=', token.id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(OF_TOKEN)
    .execute()
  return loadLogs(store.db, found)
}

/** The old search: by type, name or text, among the newest rows. */
export async function searchLogs(
  { store: { db } }: Pick<App, 'store'>,
  keyword: string,
  userId?: number,
): Promise<LogRow[]> {
  let newest = db
    .selectFrom('logs')
    .select(['id', 'created_at', 'type', 'username', 'token_name', 'model_name', 'content', 'request_id'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LOOKED_THROUGH)
  if (userId !== undefined) newest = newest.where('user_id', '=', userId)
  const type = /^\d{1,3}$/.test(keyword) ? Number(keyword) : -1
  const found = await db
    .selectFrom(newest.as('newest'))
    .select(['id', 'created_at'])
    .where(row =>
      keyword === ''
        ? sql<boolean>`1 = 1`
        : row.or([
            row('type', '=', type),
            row('username', '=', keyword),
            row('token_name', '=', keyword),
            row('model_name', '=', keyword),
            row('request_id', '=', keyword),
            contains('content', keyword),
          ]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(FOUND)
    .execute()
  return loadLogs(db, found)
}
