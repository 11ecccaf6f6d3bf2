import { type Selectable, sql, type Transaction } from 'kysely'
import { sharedTokens, sharesAnswers } from '../relay/chat/shares-answers.ts'
import type { Store } from '../store/index.ts'
import type { Schema } from '../store/schema.ts'
import type { RunState, TaskRuns } from '../store/task-schema.ts'
import type { OwnedCall } from './define.ts'

export type TaskRun = Selectable<TaskRuns>

export const runStates = {
  submitting: 'submitting',
  running: 'running',
  done: 'done',
  failed: 'failed',
  deleted: 'deleted',
} as const satisfies { readonly [State in RunState]: State }

type ByCaller = Pick<OwnedCall, 'parts' | 'admitted'>

/** A task of the caller's: in a team, its maker's and the owners'. Others are as unknown as one that never was. */
export async function findOwnRun(
  { parts, admitted: { caller } }: ByCaller,
  platform: string,
  id: string,
): Promise<TaskRun | undefined> {
  const run = await findRun(parts.store, id)
  if (run?.platform !== platform || run.state === runStates.deleted) return undefined
  const { user_id: userId, token_id: tokenId } = run
  return (await sharesAnswers(parts, caller, { userId, tokenId })) ? run : undefined
}

/** Without those that are other members' of the caller's team. */
export async function withoutOthers(
  { parts, admitted: { caller } }: ByCaller,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return ids
  const shared = await sharedTokens(parts, caller)
  if (!shared) return ids
  const others = await parts.store.db
    .selectFrom('task_runs')
    .select('id')
    .where('id', 'in', ids)
    .where('token_id', 'not in', shared)
    .execute()
  return ids.filter(id => !others.some(other => other.id === id))
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
