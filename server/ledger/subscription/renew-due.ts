import { log } from '../../log.ts'
import type { Store } from '../../store/index.ts'
import { isUnavailable } from '../../store/store-error.ts'
import { bringUpToDate, type PlanWords } from './bring-up-to-date.ts'
import { type Books, lockWallet, type Subscription, subscriptionsOf } from './wallet.ts'

const AT_A_TIME = 100

type Due = Pick<Subscription, 'id' | 'user_id' | 'group' | 'ends_at'>

/**
 * Sees to all plans of which something is due; answers to how many. Any number of processes may do so at once: who
 * comes second finds it done in the row. One that cannot be seen to keeps nobody else waiting.
 */
export async function renewDue(store: Store, now: number, words: PlanWords): Promise<number> {
  let done = 0
  let last = 0
  for (;;) {
    const due = await findDue(store, now, last)
    for (const one of due) {
      last = one.id
      try {
        await see(store, now, one, words)
        done++
      } catch (error) {
        if (isUnavailable(error)) throw error
        log.warn('a plan could not be renewed; it is tried again', { subscription: one.id, error })
      }
    }
    if (due.length < AT_A_TIME) return done
  }
}

function findDue({ db }: Pick<Store, 'db'>, now: number, after: number): Promise<Due[]> {
  return db
    .selectFrom('subscriptions')
    .select(['id', 'user_id', 'group', 'ends_at'])
    .where('due_at', '>', 0)
    .where('due_at', '<=', now)
    .where('id', '>', after)
    .orderBy('id')
    .limit(AT_A_TIME)
    .execute()
}

async function see(store: Store, now: number, { id, user_id, ...due }: Due, words: PlanWords): Promise<void> {
  // That someone is of another group now is for every process to know.
  const mayLeave = due.group !== '' && due.ends_at <= now
  const run: Store['transaction'] = mayLeave ? work => store.change('users', work) : store.transaction
  await run(async transaction => {
    const books: Books = { transaction, engine: store.engine, now }
    const wallet = await lockWallet(books, user_id)
    if (!wallet) return
    const subscription = await subscriptionsOf(books, user_id).where('id', '=', id).executeTakeFirst()
    if (subscription) await bringUpToDate(books, wallet, subscription, words)
  })
}
