import type { LogView } from '../../contract/logs.ts'

/** A row for tests; the price is in its `other`. */
export function sampleRow(given: Partial<LogView> = {}): LogView {
  return {
    id: 1,
    created_at: 1_700_000_000,
    type: 2,
    user_id: 1,
    username: 'root',
    token_id: 1,
    token_name: 'key',
    model_name: 'gpt-4o-mini',
    channel: 1,
    channel_name: 'vendor',
    group: 'default',
    is_stream: false,
    use_time: 1,
    prompt_tokens: 0,
    completion_tokens: 0,
    quota: 0,
    request_id: 'request',
    labels: [],
    content: '',
    other: '',
    ...given,
  }
}
