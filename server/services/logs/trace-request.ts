import type { Trail } from '../../../contract/logs.ts'
import { roles } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import { holdStates } from '../../ledger/moves.ts'
import type { App } from '../app.ts'
import type { Caller } from '../call.ts'
import { matching, newestFirst, readOwnFilter } from './log-filter.ts'
import { channelNames, loadLogs, triedChannels, viewLogs } from './view-logs.ts'

export const LONGEST_ID = 64
const MOST_ROWS = 20

/** What became of the money of one request. Someone else's is answered like one that never was. */
export async function traceRequest({ store }: App, caller: Caller, id: string): Promise<Trail> {
  const { db } = store
  const isAdmin = caller.role >= roles.admin
  const hold =
    id.length > LONGEST_ID
      ? undefined
      : await db.selectFrom('holds').selectAll().where('id', '=', id).executeTakeFirst()
  if (!hold || (hold.user_id !== caller.id && !isAdmin)) throw new AppError('row.not-found')
  const entries = await db
    .selectFrom('ledger_entries')
    .select(['kind', 'user_amount', 'token_amount', 'created_at'])
    .where('kind', 'in', ['charge', 'refund'])
    .where('ref', '=', id)
    .orderBy('created_at')
    .orderBy('kind')
    .execute()
  const rows = await logsOf(store, id, hold.user_id)
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

type Database = App['store']['db']

async function logsOf(store: App['store'], requestId: string, userId: number) {
  const query = {
    type: undefined,
    username: '',
    token_name: '',
    model_name: '',
    channel: undefined,
    group: '',
    request_id: requestId,
    start_timestamp: undefined,
    end_timestamp: undefined,
  }
  const filter = await readOwnFilter(store, query, userId)
  const { db } = store
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
