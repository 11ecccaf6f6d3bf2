import { logTypes } from '../../contract/log-types.ts'
import { type BulkWrite, type Cell, integer, text } from '../store/batch/bulk.ts'
import { lateDays } from './changed-days.ts'
import { HourlySums, rowOf, type Sum, sumColumns } from './hourly-sums.ts'
import { countLatency, latencyColumns, noLatencies } from './latency-buckets.ts'
import type { LogRow } from './moves.ts'
import { plainText } from './plain-text.ts'
import { rowsOfModels } from './rows-of-models.ts'

const HOUR = 3600
const DAY = 86_400

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

const rollUpColumns = [...keyColumns, ...sumColumns]

/**
 * One row for all the labels of a call together: however many it has, its settlement writes one row more, and who
 * asks for one of them finds it in the text.
 */
const labelKeys = [integer('hour'), integer('user_id'), integer('token_id'), text('labels')]
const labelColumns = [...labelKeys, ...sumColumns]

/** How often a version of a prompt was asked for; of most batches, none was. */
const promptKeys = [integer('prompt_id'), integer('version'), integer('day')]
const PROMPT_SUMS = 5
const promptColumns = [...promptKeys, ...sumColumns.slice(0, PROMPT_SUMS)]

/** The same by token, of teams: members of one see what came of their own calls. */
const memberKeys = [integer('prompt_id'), integer('token_id'), integer('version'), integer('day')]
const MEMBER_SUMS = 3
const memberColumns = [...memberKeys, ...sumColumns.slice(0, MEMBER_SUMS)]

/** How long answers took; written only for rows that say so. */
const latencyRowColumns = [...keyColumns, ...latencyColumns]
/** About as many keys of a batch are timed. */
const MOST_TIMED = 16

interface Charged {
  readonly row: LogRow
  readonly charge: number
}

/** The log rows of a batch and what they add to the hourly sums, so that statistics never scan the log. */
export function rollUp(charged: readonly Charged[], now: number): BulkWrite[] {
  const logs = rowsOfModels(charged).map(({ row, charge }) => ({ row: plainRow(row), charge }))
  const sums = new HourlySums()
  let labelled: HourlySums | undefined
  let prompted: HourlySums | undefined
  let ofMembers: HourlySums | undefined
  const sumOfRow = logs.map(({ row, charge }) => {
    const hour = row.created_at - (row.created_at % HOUR)
    const { user_id, token_id, type, prompt_tokens, completion_tokens, cost, labels, prompt } = row
    const costed = cost === undefined ? 0 : charge
    const counts = [
      1,
      type === logTypes.consumption ? 0 : 1,
      charge,
      prompt_tokens,
      completion_tokens,
      cost ?? 0,
      costed,
    ]
    if (labels !== undefined) {
      labelled ??= new HourlySums()
      labelled.add([hour, user_id, token_id, labels], counts)
    }
    if (prompt !== undefined) {
      prompted ??= new HourlySums()
      const day = row.created_at - (row.created_at % DAY)
      prompted.add([prompt.id, prompt.version, day], counts.slice(0, PROMPT_SUMS))
      if (prompt.ofTeam) {
        ofMembers ??= new HourlySums()
        ofMembers.add([prompt.id, token_id, prompt.version, day], counts.slice(0, MEMBER_SUMS))
      }
    }
    return sums.add([hour, user_id, token_id, row.channel_id, row.model_name, row.group], counts)
  })
  const timed = timeSome(logs, sumOfRow, sums.size)
  const ordered = sums.inOrder()
  const latencies = ordered.flatMap((sum): Cell[][] => {
    const counts = timed.get(sum)
    return counts ? [[...sum.key, ...counts]] : []
  })
  return [
    labelled
      ? { kind: 'insert', table: 'logs', keys: 0, columns: labelledColumns, rows: logs.map(labelledCells) }
      : { kind: 'insert', table: 'logs', keys: 0, columns: logColumns, rows: logs.map(cellsOf) },
    {
      kind: 'upsert-add',
      table: 'usage_hourly',
      keys: KEYS,
      columns: rollUpColumns,
      rows: ordered.map(rowOf),
    },
    {
      kind: 'upsert-add',
      table: 'usage_latency_hourly',
      keys: KEYS,
      columns: latencyRowColumns,
      rows: latencies,
    },
    ...(labelled ? [writeLabels(labelled)] : []),
    ...(prompted ? [writePrompts(prompted)] : []),
    ...(ofMembers ? [writeMembers(ofMembers)] : []),
    ...lateDays(logs, now),
  ]
}

function writePrompts(prompted: HourlySums): BulkWrite {
  const rows = prompted.inOrder().map(rowOf)
  const keys = promptKeys.length
  return { kind: 'upsert-add', table: 'prompt_usage_daily', keys, columns: promptColumns, rows }
}

function writeMembers(ofMembers: HourlySums): BulkWrite {
  const rows = ofMembers.inOrder().map(rowOf)
  const keys = memberKeys.length
  return { kind: 'upsert-add', table: 'prompt_usage_by_token', keys, columns: memberColumns, rows }
}

function writeLabels(labelled: HourlySums): BulkWrite {
  const rows = labelled.inOrder().map(rowOf)
  return {
    kind: 'upsert-add',
    table: 'usage_labels_hourly',
    keys: labelKeys.length,
    columns: labelColumns,
    rows,
  }
}

let turn = 0

/**
 * How long answers took is known well enough from some of them: of a batch that concerns many, every second,
 * third … row is counted, so that the busiest commits do not grow by as many rows again.
 */
function timeSome(logs: readonly Charged[], sumOfRow: readonly Sum[], keys: number): Map<Sum, number[]> {
  const timed = new Map<Sum, number[]>()
  const step = Math.ceil(keys / MOST_TIMED)
  for (let at = turn++ % step; at < logs.length; at += step) {
    const row = logs[at]?.row
    const sum = sumOfRow[at]
    if (!row || !sum || row.type !== logTypes.consumption) continue
    if (row.ms === undefined && row.frt === undefined) continue
    const latencies = timed.get(sum) ?? noLatencies()
    timed.set(sum, latencies)
    countLatency(latencies, row.ms, row.frt)
  }
  return timed
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
