import type { Kysely } from 'kysely'
import type { LogView } from '../../../contract/logs.ts'
import type { Schema } from '../../store/schema.ts'
import { giveWay } from '../give-way.ts'
import { type LogFilter, matching } from './log-filter.ts'
import { type LogRow, type Reader, viewLogs } from './view-logs.ts'
import { csvLine } from './write-csv.ts'

const MOST_ROWS = 1_000_000
/** They come over from the database at one go, and other requests wait for it. */
const READ_AT_ONCE = 200
/** Few enough that other requests hardly wait while they are written. */
const WRITTEN_AT_ONCE = 50
/** Someone waits for it: it gives way for less long than other work does, and not for what it has waited itself. */
const REST = 3
/** Without it spreadsheets take UTF-8 for something else. */
const BYTE_ORDER_MARK = '\ufeff'

type Column = readonly [name: string, cell: (row: LogView, found: LogRow) => string | number]

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
const adminColumns: readonly Column[] = [
  ['channel', row => row.channel],
  ['channel_name', row => row.channel_name],
  ['cost', (_, found) => found.cost ?? ''],
]

/** Behind all others, which have had their places for longer. */
const lastColumns: readonly Column[] = [['labels', row => row.labels.join(',')]]

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
  const shown = [...columns, ...(reader === 'admin' ? adminColumns : []), ...lastColumns]
  yield BYTE_ORDER_MARK + csvLine(shown.map(([name]) => name))
  const channels = new Map<number, string>()
  const read = (last: LogRow | undefined, left: number): Promise<LogRow[]> => {
    const rows = nextRows(db, filter, last, Math.min(left, READ_AT_ONCE))
    // Whoever stops listening lets it fail unheard.
    rows.catch(() => {})
    return rows
  }
  let reading = read(undefined, MOST_ROWS)
  for (let left = MOST_ROWS; left > 0; ) {
    const found = await reading
    left -= found.length
    const isLast = found.length < READ_AT_ONCE
    // The next are read while these are written.
    if (!isLast && left > 0) reading = read(found.at(-1), left)
    for (let at = 0; at < found.length; at += WRITTEN_AT_ONCE) {
      const began = performance.now()
      const some = found.slice(at, at + WRITTEN_AT_ONCE)
      const rows = await viewLogs(db, some, reader, channels)
      const lines = some.map((row, nth) => lineOf(shown, rows[nth], row)).join('')
      const took = performance.now() - began
      yield lines
      await giveWay(took, REST)
    }
    if (isLast) return undefined
  }
  return undefined
}

function lineOf(columns: readonly Column[], row: LogView | undefined, found: LogRow): string {
  return row ? csvLine(columns.map(([, cell]) => cell(row, found))) : ''
}

/** Newest first, whole rows at once: each of them is wanted. */
function nextRows(
  db: Kysely<Schema>,
  filter: LogFilter,
  last: LogRow | undefined,
  limit: number,
): Promise<LogRow[]> {
  let rows = matching(db, filter).selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit)
  if (last) {
    const { id, created_at } = last
    rows = rows
      .where('created_at', '<=', created_at)
      .where(log => log.or([log('created_at', '<', created_at), log('id', '<', id)]))
  }
  return rows.execute()
}
