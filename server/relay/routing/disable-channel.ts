import { channelStatuses } from '../../../contract/channels.ts'
import { parseObject } from '../../dialects/json.ts'
import { log } from '../../log.ts'
import type { Store } from '../../store/index.ts'
import { channelColumns, markOf } from '../../store/routed-channel.ts'
import type { Channel } from './channel.ts'

const REASON_LENGTH = 500

export interface DisabledChannel {
  readonly channel: Channel
  readonly reason: string
}

interface Disabling {
  readonly reason: string
  /** Seconds since 1970. */
  readonly now: number
  /** Called once per disabling, by the process that did it. */
  readonly onDisabled?: ((disabled: DisabledChannel) => void | Promise<void>) | undefined
}

/** Many requests find out at once that a key is dead: one of them is enough to ask the database. */
const underWay = new WeakSet<Channel>()

/** Takes a channel out of service, with the reason for its operator. False when it was out already, or was changed. */
export async function disableChannel(
  store: Pick<Store, 'change'>,
  channel: Channel,
  { reason, now, onDisabled }: Disabling,
): Promise<boolean> {
  if (underWay.has(channel)) return false
  underWay.add(channel)
  const safeReason = scrubReason(channel, reason)
  try {
    if (!(await writeDisabled(store, channel, safeReason, now))) return false
  } finally {
    underWay.delete(channel)
  }
  log.warn('a channel was disabled', { channel: channel.id, reason: safeReason })
  if (onDisabled)
    Promise.try(onDisabled, { channel, reason: safeReason }).catch(error =>
      log.error('nobody could be told that a channel was disabled', { channel: channel.id, error }),
    )
  return true
}

/** What was found out of a channel as it was is no reason to disable what its operator has made of it since. */
function writeDisabled(store: Pick<Store, 'change'>, { id, mark }: Channel, reason: string, now: number) {
  return store.change('channels', async transaction => {
    const row = await transaction
      .selectFrom('channels')
      .select([...channelColumns, 'other_info'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!row || markOf(row) !== mark) return false
    const info = { ...parseObject(row.other_info), status_reason: reason, status_time: now }
    const { numUpdatedRows } = await transaction
      .updateTable('channels')
      .set({ status: channelStatuses.disabledByItself, other_info: JSON.stringify(info) })
      .where('id', '=', id)
      .where('status', '=', channelStatuses.enabled)
      .where('key_sealed', '=', row.key_sealed)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await transaction.updateTable('abilities').set({ enabled: 0 }).where('channel_id', '=', id).execute()
    return true
  })
}

/** Upstreams like to repeat the key they refuse. Scrubbed whole, then cut: half a key would not be found. */
function scrubReason(channel: Channel, reason: string): string {
  let safe = reason
  for (const secret of channel.secrets) safe = safe.replaceAll(secret, '***')
  return safe.length > REASON_LENGTH ? `${safe.slice(0, REASON_LENGTH)}…` : safe
}
