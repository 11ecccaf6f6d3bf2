import { channelStatuses } from '../../../contract/channels.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../app.ts'
import { type AuditEvent, type Doer, recordAudit } from '../audit-record.ts'
import { removeAbilities } from './abilities.ts'
import { lockChannels } from './lock-channels.ts'

const disabled = [channelStatuses.disabledByHand, channelStatuses.disabledByItself]

/** How many there were to delete. */
export function removeChannels(app: App, doer: Doer, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) throw new AppError('channel.arguments')
  const wanted = [...new Set(ids)]
  return app.store.change('channels', async transaction => {
    await lockChannels(app, transaction, channel => channel('id', 'in', wanted))
    await removeAbilities(transaction, wanted)
    const { numDeletedRows } = await transaction
      .deleteFrom('channels')
      .where('id', 'in', wanted)
      .executeTakeFirstOrThrow()
    const count = Number(numDeletedRows)
    const subject = wanted.length === 1 ? `channel:${wanted[0]}` : 'channels'
    const before = { ids: wanted, count }
    if (count > 0) await recordAudit(app, doer, { action: 'channel.delete', subject, before }, transaction)
    return count
  })
}

export function removeDisabled(app: App, doer: Doer): Promise<number> {
  return app.store.change('channels', async transaction => {
    await lockChannels(app, transaction, channel => channel('status', 'in', disabled))
    await transaction
      .deleteFrom('abilities')
      .where('channel_id', 'in', channel =>
        channel.selectFrom('channels').select('id').where('status', 'in', disabled),
      )
      .execute()
    const { numDeletedRows } = await transaction
      .deleteFrom('channels')
      .where('status', 'in', disabled)
      .executeTakeFirstOrThrow()
    const count = Number(numDeletedRows)
    const event: AuditEvent = { action: 'channel.delete-disabled', subject: 'channels', before: { count } }
    if (count > 0) await recordAudit(app, doer, event, transaction)
    return count
  })
}
