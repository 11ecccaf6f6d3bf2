import type { LogFilters, LogPage } from '../../../contract/logs.ts'
import type { StatisticsQuery } from '../../../contract/statistics.ts'
import { credit } from '../../../server/ledger/entries.ts'
import { Ledger } from '../../../server/ledger/ledger.ts'
import { BackgroundWork } from '../../../server/services/background-work.ts'
import { clearLogs } from '../../../server/services/logs/clear-logs.ts'
import { newUser } from '../../../server/services/setup.ts'
import type { Store } from '../../../server/store/index.ts'

export const HOUR = 1_700_002_800
export const DAY = 86_400

export const anything: LogFilters = {
  type: undefined,
  username: '',
  token_name: '',
  model_name: '',
  channel: undefined,
  group: '',
  request_id: '',
  label: '',
  start_timestamp: undefined,
  end_timestamp: undefined,
}
export const page = (more: Partial<LogPage>): LogPage =>
  ({ ...anything, p: 1, page_size: 10, ...more }) as LogPage
export const by = (more: Partial<StatisticsQuery>): StatisticsQuery =>
  ({
    by: 'none',
    unit: 'day',
    from: HOUR - DAY,
    to: HOUR + 2 * DAY,
    offset: undefined,
    ...more,
  }) as StatisticsQuery

export const now = (): number => Math.floor(Date.now() / 1000)
export const clear = async (store: Store, before: number): Promise<number> =>
  (
    await clearLogs(store, new BackgroundWork({ store, now }), {
      before: before,
      upTo: Number.MAX_SAFE_INTEGER,
    })
  ).rows

/** 60 calls of two users, three minutes apart, as the ledger writes them. */
export async function fill(store: Store): Promise<void> {
  await store.db
    .insertInto('users')
    .values([newUser('ann', 'x', 1), newUser('ben', 'x', 1)])
    .execute()
  let now = HOUR
  const journal = {
    append: () => Promise.reject(new Error('none')),
    pending: () => [],
    clear: async () => {},
  }
  const ledger = new Ledger({ batch: store.batch, journal, now: () => now, nodeId: () => 'n' })
  for (const userId of [1, 2])
    await credit(store, now, { kind: 'gift', ref: String(userId), userId, amount: 1e6 })
  for (let at = 0; at < 60; at++) {
    now = HOUR + at * 180
    const failed = at % 10 === 9
    const of = { id: `r${at}`, userId: at % 3 ? 1 : 2, tokenId: 0 }
    const row = {
      created_at: now,
      type: failed ? 5 : 2,
      user_id: of.userId,
      username: of.userId === 1 ? 'ann' : 'ben',
      token_id: 0,
      token_name: 't',
      model_name: at % 2 ? 'M%odd' : 'even_m',
      channel_id: 4,
      group: 'default',
      is_stream: 1,
      use_time: 1,
      prompt_tokens: failed ? 0 : 10,
      completion_tokens: failed ? 0 : 2,
      request_id: of.id,
      content: `row ${at}`,
      other: '',
      ms: failed ? 90_000 : at < 30 ? 150 : 1500,
      frt: at % 2 ? 120 : undefined,
    }
    await ledger.hold(of, { most: 100, least: 1, price: '{}' })
    if (failed) await ledger.release(of, row)
    else await ledger.settle(of, at, row)
  }
}
