import { logTypes } from '../../../contract/log-types.ts'
import type { TestOutcome } from '../../store/channel-tester.ts'
import type { App } from '../app.ts'

const ROOT = 1
const TITLE = '模型测试'

/** A test costs the operator something upstream, so it stands in the log; it is charged to nobody. */
export async function logTest(
  { store, settings, now }: App,
  id: number,
  outcome: TestOutcome,
): Promise<void> {
  if (!settings.get('LogConsumeEnabled')) return
  const root = await store.db
    .selectFrom('users')
    .select(['username', 'group'])
    .where('id', '=', ROOT)
    .executeTakeFirst()
  await store.db
    .insertInto('logs')
    .values({
      created_at: now(),
      type: logTypes.consumption,
      user_id: ROOT,
      username: root?.username ?? '',
      token_id: 0,
      token_name: TITLE,
      model_name: outcome.model,
      channel_id: id,
      group: root?.group ?? '',
      is_stream: 0,
      use_time: Math.round(outcome.ms / 1000),
      prompt_tokens: outcome.promptTokens,
      completion_tokens: outcome.completionTokens,
      quota: 0,
      request_id: '',
      content: TITLE,
      other: '',
    })
    .execute()
}
