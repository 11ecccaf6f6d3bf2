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

/** Of a call that another gateway served: nobody knows when. */
export function isImported(id: string): boolean {
  return /^import-\d+$/.test(id)
}

/** When it was made. */
export function timeOf(id: string): number | undefined {
  const found = /^([0-9a-f]{8})-?([0-9a-f]{4})-?7[0-9a-f]{3}/.exec(id)
  return found ? Math.floor(Number.parseInt(`${found[1]}${found[2]}`, 16) / 1000) : undefined
}
