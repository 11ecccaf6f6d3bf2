import type { LogRow } from '../ledger/moves.ts'
import type { RelayParts } from '../relay/parts.ts'

/** What was ordered and is made while nobody waits: a batch, a cache, a container. */
export interface OrderedLater {
  readonly user_id: number
  readonly token_id: number
  readonly channel_id: number
  /** Of its hold too. */
  readonly request_id: string
  readonly model: string
  readonly group: string
}

/** Its line in the log, with the labels of the call that ordered it. */
export async function rowOfOrder(
  { store, now }: RelayParts,
  { user_id, token_id, channel_id, request_id, model, group }: OrderedLater,
  type: number,
  content: string,
  details: object,
): Promise<LogRow> {
  const { db } = store
  const user = await db.selectFrom('users').select('username').where('id', '=', user_id).executeTakeFirst()
  const token = await db.selectFrom('tokens').select('name').where('id', '=', token_id).executeTakeFirst()
  const hold = await db.selectFrom('holds').select('labels').where('id', '=', request_id).executeTakeFirst()
  return {
    created_at: now(),
    type,
    user_id,
    username: user?.username ?? '',
    token_id,
    token_name: token?.name ?? '',
    model_name: model,
    channel_id,
    group,
    is_stream: 0,
    // Nobody waited for it.
    use_time: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    request_id,
    labels: hold?.labels ?? undefined,
    content,
    other: otherOf(channel_id, details),
  }
}

export function otherOf(channelId: number, details: object): string {
  return JSON.stringify({ ...details, admin_info: { use_channel: [String(channelId)] } })
}
