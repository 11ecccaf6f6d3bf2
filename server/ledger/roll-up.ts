import { type BulkWrite, type Cell, integer, text } from '../store/batch/bulk.ts'
import type { LogRow } from './moves.ts'

const HOUR = 3600
/** The log type of a call that was answered; others of a request are failures. */
const CONSUMPTION = 2

const logColumns = [
  integer('created_at'),
  integer('type'),
  integer('user_id'),
  text('username'),
  integer('token_id'),
  text('token_name'),
  text('model_name'),
  integer('channel_id'),
  text('group'),
  integer('is_stream'),
  integer('use_time'),
  integer('prompt_tokens'),
  integer('completion_tokens'),
  integer('quota'),
  text('request_id'),
  text('content'),
  text('other'),
]

const rollUpColumns = [
  integer('hour'),
  integer('user_id'),
  integer('token_id'),
  integer('channel_id'),
  text('model_name'),
  text('group'),
  integer('requests'),
  integer('errors'),
  integer('quota'),
  integer('prompt_tokens'),
  integer('completion_tokens'),
]
const ROLL_UP_KEYS = 6

interface Charged {
  readonly row: LogRow
  readonly charge: number
}

/** The log rows of a batch and what they add to the hourly sums, so that statistics never scan the log. */
export function rollUp(charged: readonly Charged[]): BulkWrite[] {
  const logs = charged.map(({ row, charge }) => ({ row: plainRow(row), charge }))
  const sums = new Map<string, { key: Cell[]; sums: number[] }>()
  for (const { row, charge } of logs) {
    const hour = row.created_at - (row.created_at % HOUR)
    const key: Cell[] = [hour, row.user_id, row.token_id, row.channel_id, row.model_name, row.group]
    const add = [1, row.type === CONSUMPTION ? 0 : 1, charge, row.prompt_tokens, row.completion_tokens]
    const name = key.join('\0')
    const known = sums.get(name)
    if (known) for (const [at, value] of add.entries()) known.sums[at] = (known.sums[at] ?? 0) + value
    else sums.set(name, { key, sums: add })
  }
  // In one order everywhere, so that no two batches wait for each other.
  const names = [...sums.keys()].sort()
  const hours = names.map((name): Cell[] => {
    const sum = sums.get(name)
    return [...(sum?.key ?? []), ...(sum?.sums ?? [])]
  })
  return [
    { kind: 'insert', table: 'logs', keys: 0, columns: logColumns, rows: logs.map(cellsOf) },
    { kind: 'upsert-add', table: 'usage_hourly', keys: ROLL_UP_KEYS, columns: rollUpColumns, rows: hours },
  ]
}

function cellsOf({ row, charge }: Charged): Cell[] {
  return [
    row.created_at,
    row.type,
    row.user_id,
    row.username,
    row.token_id,
    row.token_name,
    row.model_name,
    row.channel_id,
    row.group,
    row.is_stream,
    row.use_time,
    row.prompt_tokens,
    row.completion_tokens,
    charge,
    row.request_id,
    row.content,
    row.other,
  ]
}

/** What every engine takes, in the length its columns have: one row must not fail a whole batch. */
function plainRow(row: LogRow): LogRow {
  return {
    ...row,
    username: plain(row.username, 100),
    token_name: plain(row.token_name, 100),
    model_name: plain(row.model_name, 255),
    group: plain(row.group, 64),
    request_id: plain(row.request_id, 64),
    content: plain(row.content),
    other: plain(row.other),
  }
}

/** PostgreSQL has no NUL in text, and no engine half a surrogate pair. */
function plain(value: string, most = value.length): string {
  const text = value.includes('\0') ? value.replaceAll('\0', '') : value
  return (text.length > most ? text.slice(0, most) : text).toWellFormed()
}
