import { channelStatuses } from '../../../contract/channels.ts'
import { log } from '../../log.ts'
import type { App } from '../app.ts'
import { tellOfEnabled } from '../notices/channel-notices.ts'

/** Puts a channel that was disabled automatically back into service, and forgets why it was. */
export async function enableAgain(app: App, id: number): Promise<void> {
  const enabled = await app.store.change('channels', async transaction => {
    const row = await transaction
      .selectFrom('channels')
      .select(['id', 'name'])
      .where('id', '=', id)
      .executeTakeFirst()
    const { numUpdatedRows } = await transaction
      .updateTable('channels')
      .set({ status: channelStatuses.enabled, other_info: '' })
      .where('id', '=', id)
      .where('status', '=', channelStatuses.disabledByItself)
      .executeTakeFirst()
    if (!row || numUpdatedRows === 0n) return undefined
    await transaction.updateTable('abilities').set({ enabled: 1 }).where('channel_id', '=', id).execute()
    return row
  })
  if (!enabled) return
  log.info('a channel works again and was enabled', { channel: id })
  tellOfEnabled(app, enabled)
}
