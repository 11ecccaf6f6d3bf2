import type { Kysely, Selectable } from 'kysely'
import { tokenStatuses } from '../../../contract/tokens.ts'
import { userStatuses } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import { readKey, tokenHashes } from '../../store/given-key.ts'
import { contains } from '../../store/like.ts'
import type { Schema, Tokens } from '../../store/schema.ts'
import type { App } from '../app.ts'
import type { Caller } from '../call.ts'
import { hasManySums } from '../statistics/many-sums.ts'
import { isOfMade, madeBy } from '../teams/team-tokens.ts'
import { refuseElsewhere } from '../tokens/shown-to.ts'
import { newestFirst } from './log-filter.ts'
import { type LogRow, loadLogs } from './view-logs.ts'

const LONGEST_KEY = 512
const OF_TOKEN = 1000
const HOUR = 3600
const FOUND = 100
/** A search looks through this many of the newest rows: the text of a row has no index. */
const LOOKED_THROUGH = 20_000

/** A token's newest rows, for whoever has its key. */
export async function logsOfKey(
  { store }: Pick<App, 'store'>,
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
    .select(['tokens.id', 'tokens.user_id', 'tokens.status', 'tokens.created_time'])
    .where('tokens.key_hash', 'in', tokenHashes(store, key))
    .where('tokens.deleted_at', 'is', null)
    .where('users.deleted_at', 'is', null)
    .where('users.status', '=', userStatuses.active)
    .executeTakeFirst()
  if (!token || token.status === tokenStatuses.disabled) throw new AppError('log.bad-key')
  refuseElsewhere(token, address)
  return loadLogs(store.db, await newestOfToken(store.db, token))
}

type Token = Pick<Selectable<Tokens>, 'id' | 'user_id' | 'created_time'>

/** A large account's rows are looked through only between the first and the last hour in which it was called. */
async function newestOfToken(db: Kysely<Schema>, { id, user_id, created_time }: Token) {
  const rows = (from: number, to: number) =>
    newestFirst(
      db
        .selectFrom('logs')
        .where('user_id', '=', user_id)
        .where('created_at', '>=', from)
        .where('created_at', '<=', to)
        .where('token_id', '=', id),
    )
      .limit(OF_TOKEN)
      .execute()
  const since = { from: created_time - (created_time % HOUR), before: Number.MAX_SAFE_INTEGER }
  if (!(await hasManySums(db, 'usage_hourly', user_id, since)))
    return rows(created_time, Number.MAX_SAFE_INTEGER)
  const { first, last } = await db
    .selectFrom('usage_hourly')
    .select(row => [
      row.fn.min<number | null>('hour').as('first'),
      row.fn.max<number | null>('hour').as('last'),
    ])
    .where('user_id', '=', user_id)
    .where('hour', '>=', since.from)
    .where('token_id', '=', id)
    .executeTakeFirstOrThrow()
  if (first === null || last === null) return []
  return rows(Math.max(Number(first), created_time), Number(last) + HOUR - 1)
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
