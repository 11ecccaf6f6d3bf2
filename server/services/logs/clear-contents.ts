import type { Store } from '../../store/index.ts'
import { giveWay } from '../give-way.ts'

/** They are large: a deletion holds up whoever writes for as long as it takes. */
const ROWS_AT_ONCE = 100

/** Clears what was kept of calls that began before a time, for as long as `goOn`. */
export async function clearContents(
  store: Pick<Store, 'db' | 'transaction'>,
  before: number,
  goOn: () => boolean = () => true,
): Promise<void> {
  // From a place on: PostgreSQL would pass by all rows that it has just deleted.
  for (let since = Number.MIN_SAFE_INTEGER; goOn(); ) {
    const oldest = await store.db
      .selectFrom('log_contents')
      .select(['request_id', 'created_at'])
      .where('created_at', '>=', since)
      .where('created_at', '<', before)
      .orderBy('created_at')
      .limit(ROWS_AT_ONCE)
      .execute()
    if (oldest.length === 0) return
    since = oldest.at(-1)?.created_at ?? since
    const began = performance.now()
    const ids = oldest.map(({ request_id }) => request_id)
    await store.transaction(async transaction => {
      await transaction.deleteFrom('log_contents').where('request_id', 'in', ids).execute()
    })
    await giveWay(performance.now() - began, 1)
  }
}
