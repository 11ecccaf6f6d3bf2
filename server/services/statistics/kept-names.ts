import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { KeptUntilChanged } from '../kept-until-changed.ts'

/** To put together a question with a thousand ids takes a millisecond, and so does its answer. */
const AT_A_TIME = 250
/** Of each kind: some 5 MB. */
const MOST_KEPT = 50_000

const topics = { user: 'users', channel: 'channels', token: 'tokens' } as const
type Kind = keyof typeof topics
/** Undefined for what is gone. */
type Names = Map<number, string | undefined>

/** What users, channels and tokens are called. */
export class KeptNames {
  readonly #db: Kysely<Schema>
  readonly #kept: Readonly<Record<Kind, KeptUntilChanged<number, string | undefined>>>

  constructor(db: Kysely<Schema>) {
    const kept = (kind: Kind) => new KeptUntilChanged<number, string | undefined>(db, topics[kind], MOST_KEPT)
    this.#db = db
    this.#kept = { user: kept('user'), channel: kept('channel'), token: kept('token') }
  }

  async read(kind: Kind, ids: readonly number[]): Promise<Readonly<Pick<Names, 'get'>>> {
    const names = await this.#kept[kind].known()
    const unknown = ids.filter(id => !names.has(id))
    for (let at = 0; at < unknown.length; at += AT_A_TIME) {
      const some = unknown.slice(at, at + AT_A_TIME)
      const found = await this.#find(kind, some)
      for (const id of some) names.set(id, undefined)
      for (const { id, name } of found) names.set(id, name)
    }
    return names
  }

  #find(kind: Kind, ids: readonly number[]): Promise<{ id: number; name: string }[]> {
    const db = this.#db
    if (kind === 'user')
      return db.selectFrom('users').select(['id', 'username as name']).where('id', 'in', ids).execute()
    return db.selectFrom(topics[kind]).select(['id', 'name']).where('id', 'in', ids).execute()
  }
}
