import { channelStatuses } from '../../../contract/channels.ts'
import type { ChannelTester } from '../../store/channel-tester.ts'
import { markOf } from '../../store/routed-channel.ts'
import type { App } from '../app.ts'
import { type BackgroundWork, workThrough } from '../background-work.ts'
import { typesWithBalance, updateBalance } from './balance.ts'
import { hasOneKey } from './key.ts'

export const CHANNEL_BALANCE = 'channel-balance'
const AT_ONCE = 8
const NOTHING_LEFT = '余额不足'

/** Asks every enabled channel what is left; where nothing is, it is disabled. False when under way already. */
export function updateBalances(app: App, tester: ChannelTester, work: BackgroundWork): Promise<boolean> {
  return work.start(CHANNEL_BALANCE, async progress => {
    const rows = await app.store.db
      .selectFrom('channels')
      .select('id')
      .where('status', '=', channelStatuses.enabled)
      .where('type', 'in', typesWithBalance)
      .orderBy('id')
      .execute()
    await workThrough(progress, rows, AT_ONCE, async ({ id }) => {
      const { balance, of } = await updateBalance(app, id, progress.signal)
      // Of several accounts this is what the first has left.
      const isAll = balance <= 0 && hasOneKey(app.store, of)
      if (isAll && of.auto_ban !== 0) await tester.disable(id, NOTHING_LEFT, markOf(of))
      return true
    })
  })
}
