import type { Transaction } from 'kysely'
import type { RelayParts } from '../../relay/parts.ts'
import { lockedOn } from '../../store/lock-rows.ts'
import type { Schema } from '../../store/schema.ts'

/** One after the other for each user: who counts what is theirs counts all that came before. */
export function oneByOne<Result>(
  { store }: RelayParts,
  userId: number,
  work: (transaction: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  return store.transaction(async transaction => {
    const user = transaction.selectFrom('users').select('id').where('id', '=', userId)
    await user.$call(lockedOn(store.engine)).executeTakeFirst()
    return work(transaction)
  })
}
