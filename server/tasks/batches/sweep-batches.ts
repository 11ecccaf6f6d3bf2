import type { Store } from '../../store/index.ts'
import { batchStates } from './batch-rows.ts'

const DAY = 86_400
/** Longer than any of them runs, and as long as vendors keep what was answered. */
export const KEPT_SECONDS = 30 * DAY
/** Fewer parameters than any engine takes in a statement. */
const AT_ONCE = 200
const over = [batchStates.ended, batchStates.dropped]

/** Batches that were over long ago, with what they made, and files that their upstream has thrown away. */
export async function sweepBatches({ db }: Pick<Store, 'db'>, now: number): Promise<void> {
  await db
    .deleteFrom('files')
    .where('expires_at', '>', 0)
    .where('expires_at', '<=', now - DAY)
    .execute()
  for (const table of ['anthropic_files', 'openai_files'] as const)
    await db.deleteFrom(table).where('expires_at', '>', 0).where('expires_at', '<=', now).execute()
  await db.deleteFrom('gemini_files').where('expires_at', '<=', now).execute()
  for (;;) {
    const old = await db
      .selectFrom('batches')
      .select(['id', 'output_file_id', 'error_file_id'])
      .where('state', 'in', over)
      .where('submitted_at', '<=', now - KEPT_SECONDS)
      .limit(AT_ONCE)
      .execute()
    if (old.length === 0) return
    // First what they made: by which rules that is read, only the batch knows.
    const made = old.flatMap(({ output_file_id, error_file_id }) => [output_file_id, error_file_id])
    for (const table of ['files', 'gemini_files'] as const)
      await db.deleteFrom(table).where('id', 'in', made).execute()
    const ids = old.map(({ id }) => id)
    await db.deleteFrom('batches').where('id', 'in', ids).where('state', 'in', over).execute()
  }
}
