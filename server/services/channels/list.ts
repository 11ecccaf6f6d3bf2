import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { ChannelView } from '../../../contract/channel-view.ts'
import { channelStatuses } from '../../../contract/channels.ts'
import type { ChannelSort } from '../../../contract/list-sorts.ts'
import { contains, listHolds } from '../../store/like.ts'
import type { Schema } from '../../store/schema.ts'
import type { App } from '../app.ts'
import { mapInTurns } from '../give-way.ts'
import type { KeptTotals } from '../kept-totals.ts'
import { hashKey } from './key.ts'
import { restsOf } from './rests.ts'
import { type ViewRow, viewChannel, viewColumns } from './view.ts'

/** What a list or a search is asked for, as it stands in the address. */
export interface ListQuery {
  readonly p?: string | undefined
  readonly page_size?: string | undefined
  readonly id_sort?: string | undefined
  readonly sort?: ChannelSort | undefined
  readonly tag_mode?: string | undefined
  readonly status?: 'all' | 'enabled' | 'disabled' | 'auto' | undefined
  readonly type?: string | undefined
  readonly form?: 'paged' | undefined
  readonly keyword?: string
  readonly model?: string
  readonly group?: string
}

interface Page {
  readonly items: ChannelView[]
  readonly total: number
  readonly page: number
  readonly page_size: number
}

type Builder = ExpressionBuilder<Schema, 'channels'>
type Where = (channel: Builder) => Expression<SqlBool>

const PAGE = 10
const LARGEST_PAGE = 100
/** A search without pages answers no more than this. */
const MOST_FOUND = 1000
/** All channels of the tags on one page. */
const MOST_TAGGED = 10_000

/** Old clients get the bare list; `form=paged` adds how many there are and counts pages from 1. */
export async function listChannels(
  app: App,
  totals: KeptTotals,
  query: ListQuery,
  unpaged: 'all-when-unpaged' | 'paged' = 'paged',
): Promise<ChannelView[] | Page> {
  const where = filterOf(app, query)
  const whole = unpaged === 'all-when-unpaged' && query.page_size === undefined && query.form === undefined
  const size = whole ? MOST_FOUND : Math.min(Number(query.page_size ?? PAGE) || PAGE, LARGEST_PAGE)
  const first = query.form === 'paged' ? Math.max(Number(query.p ?? 1), 1) - 1 : Number(query.p ?? 0)
  const slice = { limit: size, offset: whole ? 0 : first * size }
  const byTag = query.tag_mode === 'true'
  const byId = query.id_sort === 'true'
  const rows = byTag ? await readTagged(app, where, slice, byId) : await readRows(app, where, slice, query)
  const rests = await restsOf(app, rows)
  const items = await mapInTurns(rows, row => viewChannel(row, rests.get(row.id)))
  if (query.form !== 'paged') return items
  const { keyword, model, group, status, type } = query
  const search = [byTag, keyword, model, group, status, type]
  const total = await totals.read(search, () => countAll(app, where, byTag))
  return { items, total, page: first + 1, page_size: size }
}

function filterOf({ store }: App, query: ListQuery): Where {
  const { keyword = '', model = '', group = '', status = 'all', type } = query
  return channel => {
    const all: Expression<SqlBool>[] = []
    if (keyword !== '') {
      const any = [contains('name', keyword, store.engine), channel('key_hash', '=', hashKey(store, keyword))]
      if (/^\d{1,15}$/.test(keyword)) any.push(channel('id', '=', Number(keyword)))
      all.push(channel.or(any))
    }
    if (model !== '') all.push(contains('models', model, store.engine))
    if (group !== '') all.push(listHolds(store.engine, 'group', group))
    if (status === 'auto') all.push(channel('status', '=', channelStatuses.disabledByItself))
    else if (status !== 'all')
      all.push(channel('status', status === 'enabled' ? '=' : '<>', channelStatuses.enabled))
    if (type !== undefined) all.push(channel('type', '=', Number(type)))
    return channel.and(all)
  }
}

interface Slice {
  readonly limit: number
  readonly offset: number
}

/** Which rows these are is found in an index; only they are then read. */
async function readRows(
  { store }: App,
  where: Where,
  slice: Slice,
  { sort, id_sort }: ListQuery,
): Promise<ViewRow[]> {
  let wanted = store.db.selectFrom('channels').select('id').where(where)
  if (sort) wanted = wanted.orderBy('used_quota', sort === 'used_quota' ? 'asc' : 'desc')
  else if (id_sort !== 'true') wanted = wanted.orderBy('priority', 'desc')
  const found = await wanted.orderBy('id', 'desc').limit(slice.limit).offset(slice.offset).execute()
  if (found.length === 0) return []
  const ids = found.map(({ id }) => id)
  const rows = await store.db.selectFrom('channels').select(viewColumns).where('id', 'in', ids).execute()
  const place = new Map(ids.map((id, at) => [id, at]))
  return rows.sort((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0))
}

/** A page of tags, with every channel of each, whether or not it is what was looked for. */
async function readTagged({ store }: App, where: Where, slice: Slice, byId: boolean): Promise<ViewRow[]> {
  const found = await store.db
    .selectFrom('channels')
    .select('tag')
    .distinct()
    .where('tag', 'is not', null)
    .where('tag', '<>', '')
    .where(where)
    .orderBy('tag')
    .limit(slice.limit)
    .offset(slice.offset)
    .execute()
  const tags = found.flatMap(({ tag }) => tag ?? [])
  if (tags.length === 0) return []
  let rows = store.db.selectFrom('channels').select(viewColumns).where('tag', 'in', tags).orderBy('tag')
  if (!byId) rows = rows.orderBy('priority', 'desc')
  return rows.orderBy('id', 'desc').limit(MOST_TAGGED).execute()
}

async function countAll({ store }: App, where: Where, byTag: boolean): Promise<number> {
  let rows = store.db.selectFrom('channels').where(where)
  if (byTag) rows = rows.where('tag', 'is not', null).where('tag', '<>', '')
  const { total } = await rows
    .select(({ fn }) => (byTag ? fn.count<number>('tag').distinct() : fn.countAll<number>()).as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}
