import { credit } from '../../server/ledger/entries.ts'
import type { Journal } from '../../server/ledger/journal.ts'
import { Ledger } from '../../server/ledger/ledger.ts'
import type { LogRow, Move } from '../../server/ledger/moves.ts'
import { newUser } from '../../server/services/setup.ts'
import type { Store } from '../../server/store/index.ts'
import { unavailable } from '../../server/store/store-error.ts'
import { openSampleStore } from '../sample-store.ts'

export const now = (): number => 1_800_000_000

/** A journal in memory, on a disk that can be full. */
class MemoryJournal implements Journal {
  readonly moves: Move[] = []
  isFull = false
  async append(move: Move): Promise<void> {
    if (this.isFull) throw new Error('ENOSPC')
    this.moves.push(move)
  }
  pending(): readonly Move[] {
    return [...this.moves]
  }
  async clear(count: number): Promise<void> {
    this.moves.splice(0, count)
  }
}

export interface Books {
  readonly store: Store
  readonly ledger: Ledger
  readonly journal: MemoryJournal
  /** Has 1000. */
  readonly userId: number
  /** Whether the way to the database is open. */
  readonly way: { isOpen: boolean }
}

export async function openBooks(url: string): Promise<Books> {
  const store = await openSampleStore(url)
  await store.db
    .insertInto('users')
    .values(newUser('ann', 'x', 1))
    .execute()
  const { id: userId } = await store.db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  await credit(store, now(), { kind: 'gift', ref: 'g', userId, amount: 1000 })
  const way = { isOpen: true }
  const journal = new MemoryJournal()
  const batch: Store['batch'] = (reads, decide) => {
    if (!way.isOpen) return Promise.reject(unavailable('the way to the database is interrupted'))
    return store.batch(reads, decide)
  }
  return { store, ledger: new Ledger({ batch, journal, now, nodeId: () => 'n' }), journal, userId, way }
}

export async function quotaOf({ store }: Books): Promise<number> {
  return (await store.db.selectFrom('users').select('quota').executeTakeFirstOrThrow()).quota
}

export function chargesOf({ store }: Books) {
  return store.db
    .selectFrom('ledger_entries')
    .select(['ref', 'user_amount', 'token_amount'])
    .where('kind', '=', 'charge')
    .orderBy('ref')
    .execute()
}

export function logRow(userId: number, id: string): LogRow {
  return {
    created_at: now(),
    type: 2,
    user_id: userId,
    username: 'ann',
    token_id: 0,
    token_name: '',
    model_name: 'm',
    channel_id: 0,
    group: 'default',
    is_stream: 0,
    use_time: 1,
    prompt_tokens: 1,
    completion_tokens: 1,
    request_id: id,
    content: '',
    other: '',
  }
}
