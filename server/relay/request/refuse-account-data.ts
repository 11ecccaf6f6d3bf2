import type { FindAccountData } from '../../dialects/account-data.ts'
import type { JsonObject } from '../../dialects/json.ts'
import { refuseFeature } from '../../dialects/refuse.ts'
import type { ChannelSetting } from '../routing/channel-setting.ts'

/**
 * Refuses what a caller names for the upstream to read with rights that are the operator's. Channels are asked one after
 * the other: one whose callers are all the operator's own people may have been opened for it.
 */
export function refuseAccountData(
  find: FindAccountData,
  body: JsonObject,
  { allow_account_data }: Pick<ChannelSetting, 'allow_account_data'> = {},
): void {
  const field = allow_account_data ? undefined : find(body)
  if (field !== undefined) refuseFeature('feature.account-data', { field: field.slice(0, 200) })
}
