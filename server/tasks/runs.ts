import { type Selectable, sql, type Transaction } from 'kysely'
import type { Store } from '../store/index.ts'
import type { Schema } from '../store/schema.ts'
import type { RunState, TaskRuns } from '../store/task-schema.ts'

export type TaskRun = Selectable<TaskRuns>

export const runStates = {
  submitting: 'submitting',
  running: 'running',
  done: 'done',
  failed: 'failed',
  deleted: 'deleted',
} as const satisfies { readonly [State in RunState]: State }

/** A task of this user's. Somebody else's is as unknown as one that never was. */
export async function findOwnRun(
  { db }: Pick<Store, 'db'>,
  platform: string,
  userId: number,
  id: string,
): Promise<TaskRun | undefined> {
  const run = await findRun({ db }, id)
  return run?.user_id === userId && run.platform === platform && run.state !== runStates.deleted
    ? run
    : undefined
}

export async function findRun({ db }: Pick<Store, 'db'>, id: string): Promise<TaskRun | undefined> {
  if (id.length > 64) return undefined
  return db.selectFrom('task_runs').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Its state, which nobody changes until the transaction ends. */
export async function lockRun(
  transaction: Transaction<Schema>,
  { engine }: Pick<Store, 'engine'>,
  id: string,
): Promise<RunState | undefined> {
  const lock = engine === 'sqlite' ? sql`` : sql`for update`
  const { rows } = await sql<{ state: RunState }>`select state from ${sql.table('task_runs')}
    where id = ${id} ${lock}`.execute(transaction)
  return rows[0]?.state
}

/** False when it was in another state already: of all who try, one succeeds. */
export async function moveRun(
  transaction: Transaction<Schema>,
  id: string,
  from: RunState,
  to: RunState,
  more: Partial<Omit<TaskRun, 'id' | 'state'>> = {},
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('task_runs')
    .set({ ...more, state: to })
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
