import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** Clocks of nodes differ a little, and a row may wait for its commit. */
const SLACK = 120
/** A request that held nothing was refused soon after it began. */
const REFUSED_WITHIN = 7200

/** Whose rows a request has left, and between which seconds. */
export interface Place {
  readonly userId: number | undefined
  readonly from: number
  readonly to: number
}

/** By its hold, or else by its id, which begins with the time it was made. */
export async function placeOfRequest(db: Kysely<Schema>, id: string): Promise<Place | undefined> {
  const hold = await db
    .selectFrom('holds')
    .select(['user_id', 'created_at', 'updated_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (hold)
    return {
      userId: hold.user_id,
      from: hold.created_at - SLACK,
      to: Math.max(hold.updated_at, hold.created_at) + SLACK,
    }
  const at = timeOf(id)
  return at === undefined ? undefined : { userId: undefined, from: at - SLACK, to: at + REFUSED_WITHIN }
}

/** Of a call that another gateway served, by the number that its row had there. */
export function importedNumber(id: string): number | undefined {
  const number = /^import-(\d+)$/.exec(id)?.[1]
  return number === undefined ? undefined : Number(number)
}

/**
 * A log is taken over into an empty one, in the order of its numbers: such rows are the first there are, and which of
 * two comes first can be told. So a few looks are enough, where no index has the id.
 */
export async function placeOfImported(db: Kysely<Schema>, number: number): Promise<Place | undefined> {
  // Each by itself: SQLite would look at all rows for both.
  const end = (order: 'asc' | 'desc') =>
    db.selectFrom('logs').select('id').orderBy('id', order).limit(1).executeTakeFirst()
  const [first, last] = await Promise.all([end('asc'), end('desc')])
  let [from, to] = [first?.id ?? 0, last?.id ?? -1]
  while (from <= to) {
    const middle = Math.floor((from + to) / 2)
    const call = await callFrom(db, middle)
    const there = call && importedNumber(call.request_id)
    // What has no such number was written here, after all that was taken over.
    if (!call || there === undefined || there > number) to = middle - 1
    else if (there < number) from = call.id + 1
    else return { userId: call.user_id, from: call.created_at, to: call.created_at }
  }
  return undefined
}

/** The first call from a number on; rows of other kinds have no id of a request. */
function callFrom(db: Kysely<Schema>, id: number) {
  return db
    .selectFrom('logs')
    .select(['id', 'request_id', 'user_id', 'created_at'])
    .where('id', '>=', id)
    .where('request_id', '<>', '')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** When it was made. */
export function timeOf(id: string): number | undefined {
  const found = /^([0-9a-f]{8})-?([0-9a-f]{4})-?7[0-9a-f]{3}/.exec(id)
  return found ? Math.floor(Number.parseInt(`${found[1]}${found[2]}`, 16) / 1000) : undefined
}
