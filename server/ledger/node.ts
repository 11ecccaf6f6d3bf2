import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Schema } from '../store/schema.ts'

/** This process among those that take holds: as long as its beat rises, nobody touches its holds. */
export class LedgerNode {
  readonly #db: Kysely<Schema>
  readonly #now: () => number
  #id = newId()

  constructor(db: Kysely<Schema>, now: () => number) {
    this.#db = db
    this.#now = now
  }

  get id(): string {
    return this.#id
  }

  async register(): Promise<void> {
    await this.#db.insertInto('nodes').values({ id: this.#id, started_at: this.#now(), beat: 1 }).execute()
  }

  /** One that was frozen for too long finds its row gone, and goes on under a new name. */
  async beat(): Promise<void> {
    const { numUpdatedRows } = await this.#db
      .updateTable('nodes')
      .set(row => ({ beat: row('beat', '+', 1) }))
      .where('id', '=', this.#id)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) return
    this.#id = newId()
    await this.register()
  }

  /** Called when nothing is held any more. */
  async leave(): Promise<void> {
    await this.#db.deleteFrom('nodes').where('id', '=', this.#id).execute()
  }
}

function newId(): string {
  return randomBytes(12).toString('hex')
}
