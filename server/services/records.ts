import type { Kysely } from 'kysely'
import type { DrawingQuery, TaskQuery } from '../../contract/records.ts'
import type { Schema } from '../store/schema.ts'
import type { App } from './app.ts'
import type { Handlers } from './call.ts'
import { asList, countRows, readPage } from './paging.ts'

type RecordHandlers = Handlers<'listDrawings' | 'listOwnDrawings' | 'listTasks' | 'listOwnTasks'>

export function recordHandlers(app: App): RecordHandlers {
  const { db } = app.store
  return {
    listDrawings: ({ query }) => listDrawings(app, query),
    listOwnDrawings: ({ query, caller }) => listDrawings(app, query, caller.id),
    listTasks: ({ query }) => listTasks(db, query),
    listOwnTasks: ({ query, caller }) => listTasks(db, query, caller.id),
  }
}

async function listDrawings({ store, settings }: App, query: DrawingQuery, userId?: number) {
  let rows = store.db.selectFrom('midjourneys')
  if (userId !== undefined) rows = rows.where('user_id', '=', userId)
  else if (query.channel_id) rows = rows.where('channel_id', '=', query.channel_id)
  if (query.mj_id) rows = rows.where('mj_id', '=', query.mj_id)
  if (query.start_timestamp) rows = rows.where('submit_time', '>=', query.start_timestamp)
  if (query.end_timestamp) rows = rows.where('submit_time', '<=', query.end_timestamp)
  const page = readPage(query)
  const found = await rows.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute()
  const shown = settings.get('MjForwardUrlEnabled')
    ? `${settings.get('ServerAddress').replace(/\/+$/, '')}/mj/image/`
    : undefined
  const items = found.map(row => ({
    ...row,
    channel_id: userId === undefined ? row.channel_id : 0,
    image_url: shown !== undefined && row.image_url !== '' ? shown + row.mj_id : row.image_url,
  }))
  return asList(page, items, () => countRows(rows))
}

async function listTasks(db: Kysely<Schema>, query: TaskQuery, userId?: number) {
  let rows = db.selectFrom('tasks')
  if (userId !== undefined) rows = rows.where('user_id', '=', userId)
  else if (query.channel_id) rows = rows.where('channel_id', '=', query.channel_id)
  for (const column of ['task_id', 'platform', 'status', 'action'] as const)
    if (query[column]) rows = rows.where(column, '=', query[column])
  if (query.start_timestamp) rows = rows.where('submit_time', '>=', query.start_timestamp)
  if (query.end_timestamp) rows = rows.where('submit_time', '<=', query.end_timestamp)
  const page = readPage(query)
  const found = await rows.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute()
  const items = found.map(row => ({
    ...row,
    channel_id: userId === undefined ? row.channel_id : 0,
    properties: readJson(row.properties) ?? { input: '' },
    data: readJson(row.data) ?? null,
  }))
  return asList(page, items, () => countRows(rows))
}

function readJson(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
