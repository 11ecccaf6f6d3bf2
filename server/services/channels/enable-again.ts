import { channelStatuses } from '../../../contract/channels.ts'
import { log } from '../../log.ts'
import type { App } from '../app.ts'

/** Puts a channel that was disabled automatically back into service, and forgets why it was. */
export async function enableAgain({ store }: App, id: number): Promise<void> {
  const isEnabled = await store.change('channels', async transaction => {
    const row = await transaction
      .selectFrom('channels')
      .select('id')
      .where('id', '=', id)
      .where('status', '=', channelStatuses.disabledByItself)
      .executeTakeFirst()
    if (!row) return false
    await transaction
      .updateTable('channels')
      .set({ status: channelStatuses.enabled, other_info: '' })
      .where('id', '=', id)
      .execute()
    await transaction.updateTable('abilities').set({ enabled: 1 }).where('channel_id', '=', id).execute()
    return true
  })
  if (isEnabled) log.info('a channel works again and was enabled', { channel: id })
}
