import type { Kysely } from 'kysely'
import { dropRests } from '../store/channel-rests.ts'
import type { Schema } from '../store/schema.ts'
import { holdStates, LASTING } from './moves.ts'

/** An open hold, with what its log row will say. */
export interface Orphan {
  readonly id: string
  readonly user_id: number
  readonly token_id: number
  readonly price: string
  readonly labels: string | null
  readonly username: string | null
  readonly token_name: string | null
}

/** The processes that take holds, as the database knows them. */
export interface NodeStore {
  add(id: string, now: number): Promise<void>
  /** False when the name is not known any more. */
  beat(id: string): Promise<boolean>
  /** With what hangs on it: the rests of channels that only it kept. */
  remove(id: string): Promise<void>
  /** The beat of every process that is registered or has open holds; 0 when it is not registered. */
  beats(): Promise<ReadonlyMap<string, number>>
  openHolds(node: string, most: number): Promise<readonly Orphan[]>
}

export function nodeStore(db: Kysely<Schema>): NodeStore {
  return {
    async add(id, now) {
      await db.insertInto('nodes').values({ id, started_at: now, beat: 1 }).execute()
    },
    async beat(id) {
      const { numUpdatedRows } = await db
        .updateTable('nodes')
        .set(row => ({ beat: row('beat', '+', 1) }))
        .where('id', '=', id)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async remove(id) {
      await dropRests({ db }, id)
      await db.deleteFrom('nodes').where('id', '=', id).execute()
    },
    async beats() {
      const known = await db.selectFrom('nodes').select(['id', 'beat']).execute()
      const holding = await db
        .selectFrom('holds')
        .select('node_id')
        .distinct()
        .where('state', '=', holdStates.open)
        .where('node_id', '<>', LASTING)
        .execute()
      const beats = new Map(known.map(({ id, beat }) => [id, beat]))
      // Holds of a name that is not registered: of one that woke up after it was taken for dead.
      for (const { node_id } of holding) if (!beats.has(node_id)) beats.set(node_id, 0)
      return beats
    },
    async openHolds(node, most) {
      return db
        .selectFrom('holds')
        .leftJoin('users', 'users.id', 'holds.user_id')
        .leftJoin('tokens', 'tokens.id', 'holds.token_id')
        .select(['holds.id', 'holds.user_id', 'holds.token_id', 'holds.price', 'holds.labels'])
        .select(['users.username', 'tokens.name as token_name'])
        .where('holds.state', '=', holdStates.open)
        .where('holds.node_id', '=', node)
        .limit(most)
        .execute()
    },
  }
}
