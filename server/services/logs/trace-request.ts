import { logTypes } from '../../../contract/log-types.ts'
import type { LogFilters, Trail } from '../../../contract/logs.ts'
import { roles } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import { closedBefore } from '../../ledger/closing/closed-months.ts'
import { holdStates } from '../../ledger/moves.ts'
import type { App } from '../app.ts'
import type { Caller } from '../call.ts'
import { isTokenOf, madeBy } from '../teams/team-tokens.ts'
import { type LogFilter, matching, newestFirst, readFilter, readOwnFilter } from './log-filter.ts'
import { importedNumber, timeOf } from './place-of-request.ts'
import { channelNames, loadLogs, triedChannels, viewLogs } from './view-logs.ts'

export const LONGEST_ID = 64
/** A batch has a row for each of its models. */
const MOST_ROWS = 50

/** What became of the money of one request. Someone else's is answered like one that never was. */
export async function traceRequest({ store }: App, caller: Caller, id: string): Promise<Trail> {
  const { db } = store
  const isAdmin = caller.role >= roles.admin
  if (id.length > LONGEST_ID) throw new AppError('row.not-found')
  const hold = await db.selectFrom('holds').selectAll().where('id', '=', id).executeTakeFirst()
  if (!hold) return traceByLog(store, caller, id)
  if (hold.user_id !== caller.id && !isAdmin) throw new AppError('row.not-found')
  const made = madeBy(caller)
  if (made && !(await isTokenOf(db, made, hold.token_id))) throw new AppError('row.not-found')
  const entries = await db
    .selectFrom('ledger_entries')
    .select(['kind', 'user_amount', 'token_amount', 'created_at'])
    .where('kind', 'in', ['charge', 'refund'])
    .where('ref', '=', id)
    .orderBy('created_at')
    .orderBy('kind')
    .execute()
  const rows = await logsOf(store, await readOwnFilter(store, ofRequest(id), { id: hold.user_id }))
  const held = Math.max(hold.held, hold.amount)
  const isSettled = hold.state === holdStates.settled
  return {
    request_id: id,
    state: hold.state,
    user_id: hold.user_id,
    token_id: hold.token_id,
    held,
    charged: hold.charge,
    released: hold.state === holdStates.open ? 0 : held - hold.charge,
    refunded: entries.reduce((sum, { kind, user_amount }) => sum + (kind === 'refund' ? user_amount : 0), 0),
    checkpoint: hold.checkpoint,
    token_charged: isSettled ? hold.token_amount : 0,
    began_at: hold.created_at,
    ended_at: hold.state === holdStates.open ? 0 : hold.updated_at,
    price: readPrice(hold.price),
    entries,
    logs: await viewLogs(db, rows, isAdmin ? 'admin' : 'owner'),
    channels: isAdmin ? await channelsOf(db, rows) : [],
  }
}

/** One that nothing was ever held for, because it failed, or whose month is closed: what is left of it is in the log. */
async function traceByLog(store: App['store'], caller: Caller, id: string): Promise<Trail> {
  const { db } = store
  const isAdmin = caller.role >= roles.admin
  // Nothing was held here for one that came from elsewhere.
  if (importedNumber(id) !== undefined) throw new AppError('row.not-found')
  const isClosed = (timeOf(id) ?? Number.MAX_SAFE_INTEGER) < (await closedBefore(store))
  const query = { ...ofRequest(id), ...(isClosed ? {} : { type: logTypes.error }) }
  const filter = isAdmin ? await readFilter(store, query) : await readOwnFilter(store, query, caller)
  const rows = await logsOf(store, filter)
  const [row] = rows
  if (!row) throw new AppError(isClosed ? 'books.closed' : 'row.not-found')
  const charges = rows.filter(({ type }) => type === logTypes.consumption)
  return {
    request_id: id,
    state: isClosed ? 'closed' : 'none',
    user_id: row.user_id,
    token_id: row.token_id,
    ...{ held: 0, released: 0, refunded: 0, checkpoint: 0, token_charged: 0 },
    charged: charges.reduce((sum, { quota }) => sum + quota, 0),
    began_at: row.created_at - row.use_time,
    ended_at: row.created_at,
    price: {},
    entries: [],
    logs: await viewLogs(db, rows, isAdmin ? 'admin' : 'owner'),
    channels: isAdmin ? await channelsOf(db, rows) : [],
  }
}

/** Whether the log that a caller may read has a row of it. */
export async function isInOwnLog({ store }: App, caller: Caller, id: string): Promise<boolean> {
  const rows = await logsOf(store, await readOwnFilter(store, ofRequest(id), caller))
  return rows.length > 0
}

type Database = App['store']['db']

function ofRequest(request_id: string): LogFilters {
  return {
    type: undefined,
    username: '',
    token_name: '',
    model_name: '',
    channel: undefined,
    group: '',
    request_id,
    label: '',
    start_timestamp: undefined,
    end_timestamp: undefined,
  }
}

async function logsOf({ db }: App['store'], filter: LogFilter) {
  return loadLogs(db, await newestFirst(matching(db, filter)).limit(MOST_ROWS).execute())
}

async function channelsOf(
  db: Database,
  rows: Awaited<ReturnType<typeof loadLogs>>,
): Promise<Trail['channels']> {
  const ids = [...new Set(rows.flatMap(row => [...triedChannels(row.other), row.channel_id]))]
  const names = await channelNames(db, ids)
  return ids.filter(id => id !== 0).map(id => ({ id, name: names.get(id) ?? '' }))
}

function readPrice(text: string): Record<string, unknown> {
  try {
    const price: unknown = JSON.parse(text)
    return typeof price === 'object' && price !== null ? { ...price } : {}
  } catch {
    return {}
  }
}
