import { tokenStatuses } from '../../../contract/tokens.ts'
import { userStatuses } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import { readKey, tokenHashes } from '../../store/given-key.ts'
import { contains } from '../../store/like.ts'
import type { App } from '../app.ts'
import type { Caller } from '../call.ts'
import { isOfMade, madeBy } from '../teams/team-tokens.ts'
import { refuseElsewhere } from '../tokens/shown-to.ts'
import { newestFirst } from './log-filter.ts'
import { newestOfToken } from './logs-of-token.ts'
import { type LogRow, loadLogs } from './view-logs.ts'

const LONGEST_KEY = 512
const OF_TOKEN = 1000
const FOUND = 100
/** A search looks through this many of the newest rows: the text of a row has no index. */
const LOOKED_THROUGH = 20_000

/** A token's newest rows, for whoever has its key. */
export async function logsOfKey(
  { store, now }: Pick<App, 'store' | 'now'>,
  given: string,
  address: string,
): Promise<LogRow[]> {
  const key = readKey(given)
  if (key.whole === '' || given.length > LONGEST_KEY) throw new AppError('log.bad-key')
  const token = await store.db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .leftJoin('users as maker', 'maker.id', 'tokens.created_by')
    .select(['maker.status as maker_status', 'maker.deleted_at as maker_deleted_at', 'tokens.allow_ips'])
    .select(['tokens.id', 'tokens.user_id', 'tokens.name', 'tokens.status', 'tokens.created_time'])
    .where('tokens.key_hash', 'in', tokenHashes(store, key))
    .where('tokens.deleted_at', 'is', null)
    .where('users.deleted_at', 'is', null)
    .where('users.status', '=', userStatuses.active)
    .executeTakeFirst()
  if (!token || token.status === tokenStatuses.disabled) throw new AppError('log.bad-key')
  refuseElsewhere(token, address)
  return loadLogs(store.db, await newestOfToken(store, token, OF_TOKEN, now()))
}

/** The old search: by type, name or text, among the newest rows. */
export async function searchLogs(
  { store: { db, engine } }: Pick<App, 'store'>,
  keyword: string,
  caller?: Pick<Caller, 'id' | 'acting'>,
): Promise<LogRow[]> {
  let rows = db.selectFrom('logs')
  if (caller) rows = rows.where('user_id', '=', caller.id)
  // With both ends known the index is followed, and only until enough is found.
  const oldest = await newestFirst(rows)
    .limit(1)
    .offset(LOOKED_THROUGH - 1)
    .executeTakeFirst()
  if (oldest) {
    const { created_at, id } = oldest
    rows = rows
      .where('created_at', '>=', created_at)
      .where(log => log.or([log('created_at', '>', created_at), log('id', '>=', id)]))
  }
  // Of a team's newest rows those of one member, who may have none among millions.
  const made = caller && madeBy(caller)
  if (made) rows = rows.where(isOfMade(made))
  if (keyword !== '') {
    const type = /^\d{1,3}$/.test(keyword) ? Number(keyword) : -1
    rows = rows.where(log =>
      log.or([
        log('type', '=', type),
        log('username', '=', keyword),
        log('token_name', '=', keyword),
        log('model_name', '=', keyword),
        log('request_id', '=', keyword),
        contains('content', keyword, engine),
      ]),
    )
  }
  return loadLogs(db, await newestFirst(rows).limit(FOUND).execute())
}
