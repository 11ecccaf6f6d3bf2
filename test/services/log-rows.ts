import type { Insertable, Kysely } from 'kysely'
import { logTypes } from '../../contract/log-types.ts'
import type { Logs } from '../../server/store/log-schema.ts'
import type { Schema } from '../../server/store/schema.ts'

/** A row of the log that has what a test says and is plain otherwise. */
export function sampleLog(over: Partial<Insertable<Logs>> = {}): Insertable<Logs> {
  return {
    created_at: 1_800_000_000,
    type: logTypes.consumption,
    user_id: 1,
    username: 'ann',
    token_id: 1,
    token_name: 'token',
    model_name: 'gpt-4o-mini',
    channel_id: 0,
    group: 'default',
    is_stream: 0,
    use_time: 1,
    prompt_tokens: 1,
    completion_tokens: 1,
    quota: 5,
    request_id: '',
    content: '',
    other: '',
    ...over,
  }
}

/** One after the other, named by their request ids. */
export async function addLogs(db: Kysely<Schema>, ...names: readonly string[]): Promise<void> {
  for (const request_id of names) await db.insertInto('logs').values(sampleLog({ request_id })).execute()
}
