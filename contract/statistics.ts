import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { searchText } from './paging.ts'
import { queryNumber } from './query-number.ts'

/** One hour of one model, as dashboards of this family draw it. */
const hourOfModel = z.object({
  id: z.int(),
  user_id: z.int(),
  username: z.string(),
  model_name: z.string(),
  created_at: z.int(),
  token_used: z.int(),
  count: z.int(),
  quota: z.int(),
})
export type HourOfModel = z.output<typeof hourOfModel>

const window = { start_timestamp: queryNumber, end_timestamp: queryNumber }

const LONGEST_ZONE = 64

const statisticsQuery = z.object({
  by: z._default(z.enum(['model', 'user', 'channel', 'token', 'group', 'label', 'none']), 'none'),
  /** `all` sums the whole window, so that its percentiles are those of every call in it. */
  unit: z._default(z.enum(['hour', 'day', 'week', 'all']), 'day'),
  from: queryNumber,
  to: queryNumber,
  /** Minutes east of UTC, so that days begin where the reader is. */
  offset: queryNumber,
  /** Where that is, such as `Europe/Berlin`: better known, for clocks there may be put forward and back. */
  zone: z._default(z.string().check(z.maxLength(LONGEST_ZONE)), ''),
})
export type StatisticsQuery = z.output<typeof statisticsQuery>

const milliseconds = z.nullable(z.int())

const statisticsRow = z.object({
  /** When the hour, day, week or window began. */
  time: z.int(),
  /**
   * An id for users, channels and tokens, a name for models and groups, blank for all together. By label, a call is
   * in the row of each label that it has, and one without is in none; how long they took is not known.
   */
  key: z.string(),
  name: z.string(),
  requests: z.int(),
  errors: z.int(),
  quota: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  latency_p50: milliseconds,
  latency_p95: milliseconds,
  first_token_p50: milliseconds,
  first_token_p95: milliseconds,
})
/**
 * What calls cost the operator, and what was charged for those calls: only where the cost of the channel that served
 * them was known, and nothing of it was given back. What is left over is the difference, and of the rest of `quota`
 * that is not known.
 */
const costedRow = z.extend(statisticsRow, { cost: z.int(), costed_quota: z.int() })
type Costed = z.output<typeof costedRow>
/** As either of those who ask gets it. */
export type StatisticsRow = z.output<typeof statisticsRow> & Partial<Costed>

/** `truncated`: there were more rows than an answer has; ask for less at a time. */
const statistics = z.object({ rows: z.array(costedRow), truncated: z.boolean() })
export type Statistics = z.output<typeof statistics>

const ownStatistics = z.object({ rows: z.array(statisticsRow), truncated: z.boolean() })

export const statisticsEndpoints = {
  usageData: endpoint({
    method: 'GET',
    path: '/api/data',
    access: 'admin',
    summary: { zh: '数据看板：所有用户', en: 'Dashboard figures of all users' },
    query: z.object({ ...window, username: searchText }),
    output: z.array(hourOfModel),
  }),
  ownUsageData: endpoint({
    method: 'GET',
    path: '/api/data/self',
    access: 'user',
    team: 'members',
    summary: { zh: '数据看板：自己', en: 'Your dashboard figures' },
    query: z.object(window),
    output: z.array(hourOfModel),
  }),
  statistics: endpoint({
    method: 'GET',
    path: '/api/statistics',
    access: 'admin',
    summary: {
      zh: '按模型、用户、渠道、令牌、分组或用途标签统计请求、额度、成本与延迟',
      en: 'Calls, quota, cost and latency by model, user, channel, token, group or label',
    },
    query: statisticsQuery,
    output: statistics,
  }),
  ownStatistics: endpoint({
    method: 'GET',
    path: '/api/statistics/self',
    access: 'user',
    team: 'members',
    summary: { zh: '自己的用量统计', en: 'Statistics of your own calls' },
    query: statisticsQuery,
    output: ownStatistics,
  }),
}
