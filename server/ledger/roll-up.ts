import { logTypes } from '../../contract/log-types.ts'
import { type BulkWrite, type Cell, integer, text } from '../store/batch/bulk.ts'
import { countLatency, latencyColumns, noLatencies } from './latency-buckets.ts'
import type { LogRow } from './moves.ts'
import { plainText } from './plain-text.ts'
import { LabelSums } from './roll-up-labels.ts'

const HOUR = 3600

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
  integer('cost'),
]
/** Only where a call of the batch has labels. */
const labelledColumns = [...logColumns, text('labels')]

const keyColumns = [
  integer('hour'),
  integer('user_id'),
  integer('token_id'),
  integer('channel_id'),
  text('model_name'),
  text('group'),
]
const KEYS = keyColumns.length

const rollUpColumns = [
  ...keyColumns,
  integer('requests'),
  integer('errors'),
  integer('quota'),
  integer('prompt_tokens'),
  integer('completion_tokens'),
  integer('cost'),
  integer('costed_quota'),
]
/** How long answers took; written only for rows that say so. */
const latencyRowColumns = [...keyColumns, ...latencyColumns]
/** About as many keys of a batch are timed. */
const MOST_TIMED = 16

interface Charged {
  readonly row: LogRow
  readonly charge: number
}

interface Sum {
  readonly key: Cell[]
  readonly sums: number[]
  latencies: number[] | undefined
}

/** The log rows of a batch and what they add to the hourly sums, so that statistics never scan the log. */
export function rollUp(charged: readonly Charged[]): BulkWrite[] {
  const logs = charged.map(({ row, charge }) => ({ row: plainRow(row), charge }))
  const sums = new Map<string, Sum>()
  let labelled: LabelSums | undefined
  const sumOfRow = logs.map(({ row, charge }) => {
    const hour = row.created_at - (row.created_at % HOUR)
    const key: Cell[] = [hour, row.user_id, row.token_id, row.channel_id, row.model_name, row.group]
    const { type, prompt_tokens, completion_tokens, cost } = row
    const costed = cost === undefined ? 0 : charge
    const add = [
      1,
      type === logTypes.consumption ? 0 : 1,
      charge,
      prompt_tokens,
      completion_tokens,
      cost ?? 0,
      costed,
    ]
    if (row.labels !== undefined) {
      labelled ??= new LabelSums()
      labelled.add(row, row.labels, hour, add)
    }
    const name = key.join('\0')
    const known = sums.get(name)
    if (known) for (const [at, value] of add.entries()) known.sums[at] = (known.sums[at] ?? 0) + value
    const sum = known ?? { key, sums: add, latencies: undefined }
    if (!known) sums.set(name, sum)
    return sum
  })
  timeSome(logs, sumOfRow, sums.size)
  // In one order everywhere, so that no two batches wait for each other.
  const ordered = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
  const hours = ordered.map((sum): Cell[] => [...sum.key, ...sum.sums])
  const latencies = ordered.flatMap(({ key, latencies: counts }): Cell[][] =>
    counts ? [[...key, ...counts]] : [],
  )
  return [
    labelled
      ? { kind: 'insert', table: 'logs', keys: 0, columns: labelledColumns, rows: logs.map(labelledCells) }
      : { kind: 'insert', table: 'logs', keys: 0, columns: logColumns, rows: logs.map(cellsOf) },
    { kind: 'upsert-add', table: 'usage_hourly', keys: KEYS, columns: rollUpColumns, rows: hours },
    {
      kind: 'upsert-add',
      table: 'usage_latency_hourly',
      keys: KEYS,
      columns: latencyRowColumns,
      rows: latencies,
    },
    ...(labelled ? [labelled.write()] : []),
  ]
}

let turn = 0

/**
 * How long answers took is known well enough from some of them: of a batch that concerns many, every second,
 * third … row is counted, so that the busiest commits do not grow by as many rows again.
 */
function timeSome(logs: readonly Charged[], sumOfRow: readonly Sum[], keys: number): void {
  const step = Math.ceil(keys / MOST_TIMED)
  for (let at = turn++ % step; at < logs.length; at += step) {
    const row = logs[at]?.row
    const sum = sumOfRow[at]
    if (!row || !sum || row.type !== logTypes.consumption) continue
    if (row.ms === undefined && row.frt === undefined) continue
    sum.latencies ??= noLatencies()
    countLatency(sum.latencies, row.ms, row.frt)
  }
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
    row.cost ?? null,
  ]
}

function labelledCells(charged: Charged): Cell[] {
  return [...cellsOf(charged), charged.row.labels ?? null]
}

/** What every engine takes, in the length its columns have: one row must not fail a whole batch. */
function plainRow(row: LogRow): LogRow {
  return {
    ...row,
    username: plainText(row.username, 100),
    token_name: plainText(row.token_name, 100),
    model_name: plainText(row.model_name, 255),
    group: plainText(row.group, 64),
    request_id: plainText(row.request_id, 64),
    content: plainText(row.content),
    other: plainText(row.other),
  }
}
