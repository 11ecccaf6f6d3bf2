import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { KeptUntilChanged } from '../kept-until-changed.ts'
import type { Page } from '../paging.ts'
import type { FoundPage } from '../search-page.ts'

type Wanted = Pick<Page, 'limit' | 'offset'>

const MOST_SEARCHES = 20
/** How many of the first are kept; few leaf further. */
const MOST_IDS = 2000
/** Calls change the figures all the time, and no revision tells of it. */
const LONGEST_MS = 5000

/**
 * Users by a figure that every call changes: an index of it would cost each of them more than it is worth, so all users
 * are looked at. Whoever leafs would wait for that with every page, and miss those who moved up meanwhile.
 */
export class KeptOrders {
  readonly #kept: KeptUntilChanged<string, FoundPage & { readonly until: number }>

  constructor(db: Kysely<Schema>) {
    this.#kept = new KeptUntilChanged(db, 'users', MOST_SEARCHES)
  }

  /** `search` is all that decides which users are found, and in which order. */
  async read(
    search: readonly unknown[],
    wanted: Wanted,
    load: (wanted: Wanted) => Promise<FoundPage>,
  ): Promise<FoundPage> {
    const end = wanted.offset + wanted.limit
    if (end > MOST_IDS) return load(wanted)
    const key = JSON.stringify(search)
    const known = await this.#kept.known()
    let first = known.get(key)
    if (!first || first.until < performance.now()) {
      first = { ...(await load({ limit: MOST_IDS, offset: 0 })), until: performance.now() + LONGEST_MS }
      known.set(key, first)
    }
    return { ids: first.ids.slice(wanted.offset, end), total: first.total }
  }
}
