import { channelStatuses } from '../../../contract/channels.ts'
import { log } from '../../log.ts'
import { channelColumns, markOf } from '../../store/routed-channel.ts'
import type { App } from '../app.ts'
import { tellOfEnabled } from '../notices/channel-notices.ts'

/**
 * Puts a channel that was disabled automatically back into service, and forgets why it was. With a mark only the channel
 * that was found to work: of what its operator has made of it since, nobody knows that it does.
 */
export async function enableAgain(app: App, id: number, mark?: string): Promise<void> {
  const enabled = await app.store.change('channels', async transaction => {
    const row = await transaction
      .selectFrom('channels')
      .select(channelColumns)
      .where('id', '=', id)
      .executeTakeFirst()
    if (!row || (mark !== undefined && markOf(row) !== mark)) return undefined
    const { numUpdatedRows } = await transaction
      .updateTable('channels')
      .set({ status: channelStatuses.enabled, other_info: '' })
      .where('id', '=', id)
      .where('status', '=', channelStatuses.disabledByItself)
      .where('key_sealed', '=', row.key_sealed)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return undefined
    await transaction.updateTable('abilities').set({ enabled: 1 }).where('channel_id', '=', id).execute()
    return row
  })
  if (!enabled) return
  log.info('a channel works again and was enabled', { channel: id })
  tellOfEnabled(app, enabled)
}
