import type { Selectable } from 'kysely'
import type { ChannelRestView, KeyRestView } from '../../../contract/channel-rests.ts'
import type { ChannelView } from '../../../contract/channel-view.ts'
import { hideInAddress } from '../../outbound/credentials.ts'
import type { Channels } from '../../store/schema.ts'
import { hideSecrets } from './setting-secrets.ts'

/** Everything but the key; of address, proxy and headers all but what they prove. */
export const viewColumns = [
  'id',
  'type',
  'openai_organization',
  'test_model',
  'status',
  'name',
  'weight',
  'created_time',
  'test_time',
  'response_time',
  'base_url',
  'other',
  'balance',
  'balance_updated_time',
  'models',
  'group',
  'used_quota',
  'model_mapping',
  'status_code_mapping',
  'priority',
  'auto_ban',
  'other_info',
  'tag',
  'setting',
  'rpm',
  'tpm',
  'concurrency',
] as const
export type ViewRow = Pick<Selectable<Channels>, (typeof viewColumns)[number]>

/** What of a channel rests, and of what some keys alone do. */
export interface Rests {
  readonly resting: readonly ChannelRestView[]
  readonly keys: readonly KeyRestView[]
}

const MICRO = 1_000_000

export function viewChannel(row: ViewRow, rests?: Rests): ChannelView {
  return {
    ...row,
    key: '',
    base_url: hideInAddress(row.base_url ?? ''),
    model_mapping: row.model_mapping ?? '',
    status_code_mapping: row.status_code_mapping ?? '',
    setting: hideSecrets(row.setting ?? ''),
    balance: row.balance / MICRO,
    ...(rests && rests.resting.length > 0 ? { resting: [...rests.resting] } : {}),
    ...(rests && rests.keys.length > 0 ? { resting_keys: [...rests.keys] } : {}),
  }
}
