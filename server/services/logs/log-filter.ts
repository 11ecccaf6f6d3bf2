import { type Kysely, sql } from 'kysely'
import { logTypes } from '../../../contract/log-types.ts'
import type { LogFilters } from '../../../contract/logs.ts'
import type { Engine } from '../../store/engine.ts'
import type { Store } from '../../store/index.ts'
import { listHolds } from '../../store/like.ts'
import type { Schema } from '../../store/schema.ts'
import type { Caller } from '../call.ts'
import type { Changes } from '../statistics/kept-days.ts'
import { hasManySums } from '../statistics/many-sums.ts'
import { isOfMade, type Made, madeBy } from '../teams/team-tokens.ts'
import type { DaysOfLabels } from './days-of-labels.ts'
import { narrowedToLabel } from './hours-of-label.ts'
import { isOneOfModels } from './model-condition.ts'
import { importedNumber, placeOfImported, placeOfRequest } from './place-of-request.ts'

/** Names of users who are gone, and ids that are none of ours, have no index: so many of the newest rows are read. */
const LOOKED_THROUGH = 20_000

/** Which rows are meant. What is undefined does not matter. */
export interface LogFilter {
  /** The database that is asked: each has its own quickest way to look for a part of a name. */
  readonly engine: Engine
  /** Whose rows. The log is indexed by owner and time, by token name and time, and by time alone. */
  readonly userIds: readonly number[] | undefined
  /** Seconds since 1970; both ends are included. */
  readonly from: number | undefined
  readonly to: number | undefined
  readonly type: number | undefined
  /** The name that rows were written under; used only where no user has it any more. */
  readonly username: string | undefined
  readonly tokenName: string | undefined
  readonly modelName: string | undefined
  /** The models that `modelName` means, where they are known. */
  readonly modelNames?: readonly string[]
  readonly channelId: number | undefined
  readonly group: string | undefined
  readonly requestId: string | undefined
  readonly label: string | undefined
  /** The ways of labelling that have `label`, where these lead to the rows: then the index of them is taken. */
  readonly ways?: readonly string[]
  /** How often days had changed before `modelNames` or `ways` were read: what came later may have others. */
  readonly changes?: Changes | undefined
  /** The owner has so many rows that those of the token's name are fewer. */
  readonly byToken?: boolean
  /** For a member of a team: only calls with tokens that they made. */
  readonly made?: Made | undefined
}

interface Source extends Pick<Store, 'db' | 'engine'> {
  /** What is known of the labels of days that are over. */
  readonly labels?: DaysOfLabels
}

/** What an administrator asks for. */
export async function readFilter(source: Source, query: LogFilters): Promise<LogFilter> {
  const { db, engine } = source
  const asked = plainFilter(query, engine)
  const filter = { ...asked, channelId: query.channel || undefined }
  if (query.username === '') return narrowed(source, filter)
  const users = await db.selectFrom('users').select('id').where('username', '=', query.username).execute()
  if (users.length === 0)
    return narrowed(source, await amongNewest(db, { ...filter, username: query.username }))
  return narrowed(source, { ...filter, userIds: users.map(({ id }) => id) })
}

/** Narrows a filter to the newest rows, because they have to be looked through one by one. */
async function amongNewest(db: Kysely<Schema>, filter: LogFilter): Promise<LogFilter> {
  let newest = db.selectFrom('logs')
  if (filter.to !== undefined) newest = newest.where('created_at', '<=', filter.to)
  const oldest = await newestFirst(newest).limit(1).offset(LOOKED_THROUGH).executeTakeFirst()
  return oldest ? { ...filter, from: Math.max(filter.from ?? 0, oldest.created_at) } : filter
}

/** What users ask for: their own rows, whatever user or channel is named. */
export function readOwnFilter(
  source: Source,
  query: LogFilters,
  caller: Pick<Caller, 'id' | 'acting'>,
): Promise<LogFilter> {
  return narrowed(source, {
    ...plainFilter(query, source.engine),
    userIds: [caller.id],
    made: madeBy(caller),
  })
}

function plainFilter(query: LogFilters, engine: Engine): LogFilter {
  return {
    engine,
    userIds: undefined,
    username: undefined,
    channelId: undefined,
    from: query.start_timestamp || undefined,
    to: query.end_timestamp || undefined,
    type: query.type || undefined,
    tokenName: query.token_name || undefined,
    modelName: query.model_name || undefined,
    group: query.group || undefined,
    requestId: query.request_id || undefined,
    label: query.label || undefined,
  }
}

/** The rows of one request are found by whose it was and when, for no index has its id. */
async function narrowed({ db, labels }: Source, filter: LogFilter): Promise<LogFilter> {
  // No row is of a kind that there is not, and none need be looked at to know it.
  if (!isKind(filter.type)) return { ...filter, userIds: [] }
  if (filter.requestId === undefined && filter.tokenName !== undefined && (await isOfMany(db, filter)))
    return { ...filter, byToken: true }
  if (filter.requestId === undefined)
    return filter.label === undefined
      ? filter
      : narrowedToLabel(db, { ...filter, label: filter.label }, labels)
  const imported = importedNumber(filter.requestId)
  const place = await (imported === undefined
    ? placeOfRequest(db, filter.requestId)
    : placeOfImported(db, imported))
  if (!place) return imported === undefined ? amongNewest(db, filter) : { ...filter, userIds: [] }
  const { userId } = place
  const isOther = userId !== undefined && filter.userIds !== undefined && !filter.userIds.includes(userId)
  return {
    ...filter,
    userIds: isOther ? [] : userId === undefined ? filter.userIds : [userId],
    from: Math.max(place.from, filter.from ?? place.from),
    to: Math.min(place.to, filter.to ?? place.to),
  }
}

/**
 * SQLite does not know which of two indexes leads to fewer rows, and takes that of the owner unless it is kept from it.
 * The others believe that a page is soon full, and do the same.
 */
async function isOfMany(db: Kysely<Schema>, { userIds, label }: LogFilter): Promise<boolean> {
  const [userId, ...others] = userIds ?? []
  if (userId === undefined || others.length > 0 || label !== undefined) return false
  return hasManySums(db, 'usage_hourly', userId, { from: 0, before: Number.MAX_SAFE_INTEGER })
}

function isKind(type: number | undefined): boolean {
  return type === undefined || (type > logTypes.all && type <= logTypes.error)
}

/** The rows that a filter means, in no order yet. */
export function matching(db: Kysely<Schema>, filter: LogFilter) {
  const { userIds, from, to, type, username, tokenName, modelName, channelId, group, requestId, label } =
    filter
  let rows = db.selectFrom('logs')
  const [userId, ...others] = userIds ?? []
  if (userIds && userId === undefined) rows = rows.where(sql<boolean>`1 = 0`)
  else if (userId !== undefined && (filter.byToken || filter.ways))
    rows = rows.where(sql<boolean>`user_id + 0 = ${userId}`)
  else if (userIds && userId !== undefined)
    rows = others.length === 0 ? rows.where('user_id', '=', userId) : rows.where('user_id', 'in', userIds)
  if (from !== undefined) rows = rows.where('created_at', '>=', from)
  if (to !== undefined) rows = rows.where('created_at', '<=', to)
  if (type !== undefined) rows = rows.where('type', '=', type)
  if (username !== undefined) rows = rows.where('username', '=', username)
  if (tokenName !== undefined) rows = rows.where('token_name', '=', tokenName)
  if (modelName !== undefined) rows = rows.where(isOneOfModels({ ...filter, modelName }))
  if (channelId !== undefined) rows = rows.where('channel_id', '=', channelId)
  if (group !== undefined) rows = rows.where('group', '=', group)
  if (filter.made) rows = rows.where(isOfMade(filter.made))
  if (requestId !== undefined) rows = rows.where('request_id', '=', requestId)
  if (filter.ways) rows = rows.where(isLabelledIn(filter.ways, filter.engine))
  else if (label !== undefined) rows = rows.where(listHolds(filter.engine, 'labels', label))
  return rows
}

/** The index has no longer ways of labelling, and is taken only where that is said; MySQL's has all, and by their letters. */
export const LONGEST_WAY = 300

function isLabelledIn(ways: readonly string[], engine: Engine) {
  const isOne = sql<boolean>`labels in (${sql.join(ways)})`
  return engine === 'mysql' ? isOne : sql<boolean>`length(labels) <= ${sql.lit(LONGEST_WAY)} and ${isOne}`
}

/**
 * Newest first: the order of both indexes, and of the ids but for rows of the same moment. A time is named although all
 * rows have it: MariaDB, asked the same a second time, would else read all of them and sort.
 */
export function newestFirst(rows: ReturnType<typeof matching>) {
  return rows
    .select(['id', 'created_at'])
    .where('created_at', '>=', 0)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
}
