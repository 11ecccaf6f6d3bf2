import { AppError } from '../../errors.ts'
import type { App } from '../app.ts'
import { sealAgain } from './key.ts'

/** In no process does a channel wait any longer for what went wrong before. */
export async function endRests({ store }: App, id: number): Promise<void> {
  await store.change('channels', async transaction => {
    const row = await transaction
      .selectFrom('channels')
      .select(['id', 'key_sealed'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!row) throw new AppError('row.not-found')
    await transaction
      .updateTable('channels')
      .set({ key_sealed: sealAgain(store, row) })
      .where('id', '=', id)
      // A key that was given meanwhile stays.
      .where('key_sealed', '=', row.key_sealed)
      .execute()
  })
}
