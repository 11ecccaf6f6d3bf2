import type { Kysely, Selectable } from 'kysely'
import { splitLabels } from '../../../contract/labels.ts'
import type { LogView } from '../../../contract/logs.ts'
import type { Logs } from '../../store/log-schema.ts'
import type { Schema } from '../../store/schema.ts'
import { priceSentence } from './price-sentence.ts'

export type LogRow = Selectable<Logs>
/** Who reads: administrators see which channels served a call. */
export type Reader = 'admin' | 'owner'

interface Found {
  readonly id: number
  readonly created_at: number
}

/** Whole rows in the order they were found in. */
export async function loadLogs(db: Kysely<Schema>, found: readonly Found[]): Promise<LogRow[]> {
  if (found.length === 0) return []
  const ids = found.map(({ id }) => id)
  const times = found.map(({ created_at }) => created_at)
  const rows = await db
    .selectFrom('logs')
    .selectAll()
    .where('id', 'in', ids)
    // PostgreSQL then looks into the partitions of that time only.
    .where('created_at', '>=', Math.min(...times))
    .where('created_at', '<=', Math.max(...times))
    .execute()
  const byId = new Map(rows.map(row => [row.id, row]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

/** Names of channels that are known already are not asked for again. */
export async function viewLogs(
  db: Kysely<Schema>,
  rows: readonly LogRow[],
  reader: Reader,
  names = new Map<number, string>(),
): Promise<LogView[]> {
  if (reader === 'owner') return rows.map(viewOwnLog)
  const unknown = rows.map(row => row.channel_id).filter(id => !names.has(id))
  for (const id of unknown) names.set(id, '')
  for (const [id, name] of await channelNames(db, unknown)) names.set(id, name)
  return rows.map(row => viewLog(row, row.channel_id, names.get(row.channel_id) ?? '', withCost(row)))
}

export function viewOwnLog(row: LogRow): LogView {
  return viewLog(row, 0, '', withoutAdminInfo(row.other))
}

export async function channelNames(
  db: Kysely<Schema>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const wanted = [...new Set(ids)].filter(id => id !== 0)
  if (wanted.length === 0) return new Map()
  const rows = await db.selectFrom('channels').select(['id', 'name']).where('id', 'in', wanted).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

function viewLog(row: LogRow, channel: number, channelName: string, other: string): LogView {
  return {
    id: row.id,
    created_at: row.created_at,
    type: row.type,
    user_id: row.user_id,
    username: row.username,
    token_id: row.token_id,
    token_name: row.token_name,
    model_name: row.model_name,
    channel,
    channel_name: channelName,
    group: row.group,
    is_stream: row.is_stream === 1,
    use_time: row.use_time,
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    quota: row.quota,
    request_id: row.request_id,
    labels: splitLabels(row.labels),
    content: row.content || priceSentence(row),
    other,
  }
}

/** What it cost stands with what else is the operator's own affair; its column alone knows. */
function withCost({ other, cost }: LogRow): string {
  if (cost === null) return other
  try {
    const { admin_info, ...rest } = JSON.parse(other || '{}') as { admin_info?: object }
    return JSON.stringify({ ...rest, admin_info: { ...admin_info, cost } })
  } catch {
    return other
  }
}

/** What concerns channels is the operator's own affair; text that cannot be read is not shown at all. */
function withoutAdminInfo(other: string): string {
  if (!other.includes('admin_info')) return other
  try {
    const { admin_info: _, ...rest } = JSON.parse(other) as Record<string, unknown>
    return JSON.stringify(rest)
  } catch {
    return ''
  }
}

/** Which channels a row says were tried, in their order. */
export function triedChannels(other: string): number[] {
  try {
    const { admin_info } = JSON.parse(other) as { admin_info?: { use_channel?: unknown } }
    const tried = admin_info?.use_channel
    return Array.isArray(tried) ? tried.map(Number).filter(id => Number.isSafeInteger(id) && id > 0) : []
  } catch {
    return []
  }
}
