import type { Selectable } from 'kysely'
import type { LogSink } from '../../../contract/log-sinks.ts'
import { AppError } from '../../errors.ts'
import type { LogSinks } from '../../store/log-schema.ts'
import { unlessThere } from '../../store/upsert.ts'
import type { Parts } from './sink.ts'

export type SinkState = Selectable<LogSinks>

type Change = Partial<Omit<SinkState, 'name' | 'owner'>>

/** One who has said nothing for this long has died; clocks of nodes may differ by a little less. */
const SILENT_SECONDS = 20
/** How often whoever delivers says so. */
export const SAY_SECONDS = 5

export async function readState({ store }: Pick<Parts, 'store'>, name: LogSink): Promise<SinkState> {
  const row = await store.db.selectFrom('log_sinks').selectAll().where('name', '=', name).executeTakeFirst()
  return row ?? { ...unknown, name }
}

const unknown = {
  ...{ owner: '', seen_at: 0, delivered_to: 0, sending_to: 0, delivered_at: 0 },
  ...{ failures: 0, failed_at: 0, retry_at: 0, told_at: 0, problem: '' },
}

/** Whether this process is the one that delivers: of all it is one, and another only once that has gone silent. */
export async function claim(app: Parts, state: SinkState, owner: string): Promise<boolean> {
  const { store } = app
  const at = app.now()
  const silence = at - state.seen_at
  if (state.owner === owner && Math.abs(silence) < SAY_SECONDS) return true
  if (state.owner !== owner && Math.abs(silence) < SILENT_SECONDS) return false
  await store.db
    .insertInto('log_sinks')
    .values({ name: state.name, problem: '' })
    .$call(unlessThere(store.engine))
    .execute()
  const { numUpdatedRows } = await store.db
    .updateTable('log_sinks')
    .set({ owner, seen_at: at })
    .where('name', '=', state.name)
    // As it was read: of several who find it silent, one gets it.
    .where('owner', '=', state.owner)
    .where('seen_at', '=', state.seen_at)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Changes what stands there, unless another has taken over; false then. */
export async function change(app: Parts, state: SinkState, owner: string, to: Change): Promise<boolean> {
  const { numUpdatedRows } = await app.store.db
    .updateTable('log_sinks')
    .set({ seen_at: app.now(), ...to })
    .where('name', '=', state.name)
    .where('owner', '=', owner)
    .where('delivered_to', '=', state.delivered_to)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Why something failed, as it is stored: in no language yet. */
export function writeProblem({ code, params }: AppError): string {
  return JSON.stringify({ code, detail: String(params.detail ?? '') })
}

export function readProblem(problem: string): AppError | undefined {
  if (problem === '') return undefined
  const { code, detail } = JSON.parse(problem) as { code: AppError['code']; detail: string }
  return new AppError(code, { detail })
}
