import type { Decision, Row, RunBatch } from '../../server/store/batch/batch.ts'
import { integer, text } from '../../server/store/batch/bulk.ts'
import { isUnavailable, UniqueViolation } from '../../server/store/store-error.ts'
import type { Scheduler, SimProcess } from './scheduler.ts'

const entryColumns = [
  text('kind'),
  text('ref'),
  integer('user_id'),
  integer('token_id'),
  integer('user_amount'),
  integer('token_amount'),
  integer('created_at'),
]

/** Top-ups, deductions and other limits beside the requests, each once or the same: a repetition is harmless. */
export async function moveWallets(
  scheduler: Scheduler,
  process: SimProcess,
  batch: RunBatch,
  until: number,
): Promise<void> {
  const { random } = scheduler
  const newBalance = (ref: string) => {
    const userId = random.between(1, 2)
    const by = random.between(-300, 300)
    return () => postOnce(batch, ref, userId, by)
  }
  const newLimit = () => {
    const [id, amount] = [random.between(1, 2), random.between(0, 900)]
    return () => setLimit(batch, id, amount)
  }
  for (let count = 1; scheduler.now < until; count++) {
    await scheduler.sleep(process, random.between(100, 1500))
    const post = random.chance(0.3) ? newLimit() : newBalance(`admin ${count}`)
    while (!(await succeeds(post))) await scheduler.sleep(process, random.between(20, 200))
  }
}

async function succeeds(post: () => Promise<void>): Promise<boolean> {
  try {
    await post()
    return true
  } catch (error) {
    if (error instanceof UniqueViolation) return true
    if (isUnavailable(error)) return false
    throw error
  }
}

const lockedUser = (id: number) =>
  ({ table: 'users', key: integer('id'), columns: ['id', 'quota'], values: [id], lock: true }) as const

/** Both are the first user's. */
function setLimit(batch: RunBatch, id: number, amount: number): Promise<void> {
  const columns = [integer('id'), integer('amount')]
  const decide = (): ReturnType<Decision<unknown, undefined>['decide']> => ({
    writes: [{ kind: 'set', table: 'spend_limits', keys: 1, columns, rows: [[id, amount]] }],
    result: undefined,
  })
  return batch({ thread: new URL('none:'), reads: () => [lockedUser(1)], decide }, () => undefined)
}

function postOnce(batch: RunBatch, ref: string, userId: number, by: number): Promise<void> {
  const decide = ([users = []]: readonly (readonly Row[])[]): ReturnType<
    Decision<unknown, undefined>['decide']
  > => {
    const quota = Number(users[0]?.quota ?? 0)
    const amount = Math.max(by, -quota)
    return {
      writes: [
        {
          kind: 'insert',
          table: 'ledger_entries',
          keys: 2,
          columns: entryColumns,
          rows: [['admin', ref, userId, 0, amount, 0, 0]],
        },
        {
          kind: 'add',
          table: 'users',
          keys: 1,
          columns: [integer('id'), integer('quota')],
          rows: [[userId, amount]],
        },
      ],
      result: undefined,
    }
  }
  return batch({ thread: new URL('none:'), reads: () => [lockedUser(userId)], decide }, () => undefined)
}
