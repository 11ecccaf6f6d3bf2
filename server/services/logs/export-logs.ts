import type { Kysely } from 'kysely'
import type { LogView } from '../../../contract/logs.ts'
import type { Schema } from '../../store/schema.ts'
import { type LogFilter, matching, newestFirst } from './log-filter.ts'
import { loadLogs, type Reader, viewLogs } from './view-logs.ts'
import { csvLine } from './write-csv.ts'

const MOST_ROWS = 1_000_000
/** Few enough that other requests hardly wait while they are written. */
const AT_A_TIME = 100
/** Without it spreadsheets take UTF-8 for something else. */
const BYTE_ORDER_MARK = '\ufeff'

type Column = readonly [name: string, cell: (row: LogView) => string | number]

const columns: readonly Column[] = [
  ['id', row => row.id],
  ['time', row => new Date(row.created_at * 1000).toISOString()],
  ['type', row => row.type],
  ['username', row => row.username],
  ['token_name', row => row.token_name],
  ['model_name', row => row.model_name],
  ['group', row => row.group],
  ['is_stream', row => Number(row.is_stream)],
  ['use_time', row => row.use_time],
  ['prompt_tokens', row => row.prompt_tokens],
  ['completion_tokens', row => row.completion_tokens],
  ['quota', row => row.quota],
  ['request_id', row => row.request_id],
  ['content', row => row.content],
  ['other', row => row.other],
]
const channelColumns: readonly Column[] = [
  ['channel', row => row.channel],
  ['channel_name', row => row.channel_name],
]

/** The rows as a file, read as fast as the client takes them and never more than a handful at a time. */
export function exportLogs(db: Kysely<Schema>, filter: LogFilter, reader: Reader): Response {
  const lines = csvOf(db, filter, reader)
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await lines.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      async cancel() {
        await lines.return(undefined)
      },
    },
    { highWaterMark: 1 },
  )
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="logs.csv"',
      'cache-control': 'no-store',
    },
  })
}

async function* csvOf(
  db: Kysely<Schema>,
  filter: LogFilter,
  reader: Reader,
): AsyncGenerator<string, undefined> {
  const shown = reader === 'admin' ? [...columns, ...channelColumns] : columns
  yield BYTE_ORDER_MARK + csvLine(shown.map(([name]) => name))
  let last: { id: number; created_at: number } | undefined
  for (let left = MOST_ROWS; left > 0; ) {
    const found = await nextRows(db, filter, last, Math.min(left, AT_A_TIME))
    const rows = await viewLogs(db, await loadLogs(db, found), reader)
    if (rows.length > 0) yield rows.map(row => csvLine(shown.map(([, cell]) => cell(row)))).join('')
    if (found.length < AT_A_TIME) return undefined
    left -= found.length
    last = found.at(-1)
  }
  return undefined
}

function nextRows(
  db: Kysely<Schema>,
  filter: LogFilter,
  last: { id: number; created_at: number } | undefined,
  limit: number,
) {
  const rows = matching(db, filter)
  if (!last) return newestFirst(rows).limit(limit).execute()
  const { id, created_at } = last
  const older = rows
    .where('created_at', '<=', created_at)
    .where(log => log.or([log('created_at', '<', created_at), log('id', '<', id)]))
  return newestFirst(older).limit(limit).execute()
}
