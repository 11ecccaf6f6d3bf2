import { type Expression, expressionBuilder, type Kysely, type SqlBool } from 'kysely'
import type { DrawingQuery, TaskQuery } from '../../contract/records.ts'
import type { Schema } from '../store/schema.ts'
import type { App } from './app.ts'
import type { Handlers } from './call.ts'
import { GrowingTotals } from './growing-totals.ts'
import { asList, readPage } from './paging.ts'
import { indexedPage, searchedPage, sought } from './search-page.ts'

type RecordHandlers = Handlers<'listDrawings' | 'listOwnDrawings' | 'listTasks' | 'listOwnTasks'>

export function recordHandlers(app: App): RecordHandlers {
  const { db } = app.store
  const totals = new GrowingTotals(db)
  return {
    listDrawings: ({ query }) => listDrawings(app, totals, query),
    listOwnDrawings: ({ query, caller }) => listDrawings(app, totals, query, caller.id),
    listTasks: ({ query }) => listTasks(db, totals, query),
    listOwnTasks: ({ query, caller }) => listTasks(db, totals, query, caller.id),
  }
}

async function listDrawings(
  { store, settings }: App,
  totals: GrowingTotals,
  query: DrawingQuery,
  userId?: number,
) {
  const { db } = store
  const drawing = expressionBuilder<Schema, 'midjourneys'>()
  const conditions = [...ofOwnerOrChannel(query, userId), ...withinTime(query)]
  if (query.mj_id) conditions.push(drawing('mj_id', '=', query.mj_id))
  const isFound = query.mj_id !== '' || conditions.length === 0 || isOfFew(query, userId)
  const page = readPage(query)
  const all = conditions.length === 0 ? totals.whole('midjourneys') : sought(db, 'midjourneys', conditions)
  const { ids, total } = await (isFound ? indexedPage : searchedPage)(db, all, page)
  const found = await db
    .selectFrom('midjourneys')
    .selectAll()
    .where('id', 'in', [0, ...ids])
    .orderBy('id', 'desc')
    .execute()
  const shown = settings.get('MjForwardUrlEnabled')
    ? `${settings.get('ServerAddress').replace(/\/+$/, '')}/mj/image/`
    : undefined
  const items = found.map(row => ({
    ...row,
    channel_id: userId === undefined ? row.channel_id : 0,
    image_url: shown !== undefined && row.image_url !== '' ? shown + row.mj_id : row.image_url,
  }))
  return asList(page, items, total)
}

async function listTasks(db: Kysely<Schema>, totals: GrowingTotals, query: TaskQuery, userId?: number) {
  const task = expressionBuilder<Schema, 'tasks'>()
  const conditions = [...ofOwnerOrChannel(query, userId), ...withinTime(query)]
  for (const column of ['task_id', 'platform', 'status', 'action'] as const)
    if (query[column]) conditions.push(task(column, '=', query[column]))
  const isFound = query.task_id !== '' || conditions.length === 0 || isOfFew(query, userId)
  const page = readPage(query)
  const all = conditions.length === 0 ? totals.whole('tasks') : sought(db, 'tasks', conditions)
  const { ids, total } = await (isFound ? indexedPage : searchedPage)(db, all, page)
  const found = await db
    .selectFrom('tasks')
    .selectAll()
    .where('id', 'in', [0, ...ids])
    .orderBy('id', 'desc')
    .execute()
  const items = found.map(row => ({
    ...row,
    channel_id: userId === undefined ? row.channel_id : 0,
    properties: readJson(row.properties) ?? { input: '' },
    data: readJson(row.data) ?? null,
  }))
  return asList(page, items, total)
}

type Asked = Pick<TaskQuery, 'channel_id' | 'start_timestamp' | 'end_timestamp'>
const record = expressionBuilder<Schema, 'tasks' | 'midjourneys'>()

/** Whose they are, or else by which channel; both have an index. */
function ofOwnerOrChannel({ channel_id }: Asked, userId: number | undefined): Expression<SqlBool>[] {
  if (userId !== undefined) return [record('user_id', '=', userId)]
  return channel_id ? [record('channel_id', '=', channel_id)] : []
}

function isOfFew({ channel_id }: Asked, userId: number | undefined): boolean {
  return userId !== undefined || Boolean(channel_id)
}

function withinTime({ start_timestamp: from, end_timestamp: to }: Asked): Expression<SqlBool>[] {
  return [
    ...(from ? [record('submit_time', '>=', from)] : []),
    ...(to ? [record('submit_time', '<=', to)] : []),
  ]
}

function readJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
