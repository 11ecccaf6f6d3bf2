import type { Selectable } from 'kysely'
import type { Channels } from './schema.ts'

/** The columns that decide how a channel is used; a change of any other leaves it as it is. */
export const channelColumns = [
  'id',
  'type',
  'name',
  'status',
  'key_sealed',
  'base_url',
  'other',
  'openai_organization',
  'models',
  'group',
  'model_mapping',
  'status_code_mapping',
  'priority',
  'weight',
  'auto_ban',
  'setting',
  'rpm',
  'tpm',
  'concurrency',
] as const
export type ChannelRow = Pick<Selectable<Channels>, (typeof channelColumns)[number]>

/** The same in every process, and another one after any change of how the channel is used. */
export function markOf(row: ChannelRow): string {
  return Bun.hash.wyhash(JSON.stringify(channelColumns.map(column => row[column]))).toString(36)
}
