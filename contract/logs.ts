import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { searchText } from './paging.ts'
import { queryNumber } from './query-number.ts'

/**
 * A row as its reader may see it. `other` is JSON text or blank; of an answer that broke off it has `broke_off`. Only
 * administrators see channels, and in `admin_info` of `other` which were tried, how those failed that did and, where
 * that is known, as `cost` what the call cost the operator in quota.
 */
export const logView = z.object({
  id: z.int(),
  created_at: z.int(),
  type: z.int(),
  user_id: z.int(),
  username: z.string(),
  token_id: z.int(),
  token_name: z.string(),
  model_name: z.string(),
  channel: z.int(),
  channel_name: z.string(),
  group: z.string(),
  is_stream: z.boolean(),
  use_time: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  quota: z.int(),
  request_id: z.string(),
  /** What the call was for, as its caller and its token say. */
  labels: z.array(z.string()),
  content: z.string(),
  other: z.string(),
})
export type LogView = z.output<typeof logView>

/** Blank means any; `type` 0 too. Names are exact but for `model_name`, which may be a part, with a `%` behind it how
 *  a name begins or before it how one ends, and is exact in quotation marks; times in seconds. */
const filters = {
  type: queryNumber,
  username: searchText,
  token_name: searchText,
  model_name: searchText,
  channel: queryNumber,
  group: searchText,
  request_id: searchText,
  label: searchText,
  start_timestamp: queryNumber,
  end_timestamp: queryNumber,
}
const logFilters = z.object(filters)
export type LogFilters = z.output<typeof logFilters>

/** Pages from 1 (`ps` and `size` are other names of `page_size`), or from a row on: older, or newer, than it. */
const logPage = z.object({
  ...filters,
  p: queryNumber,
  page_size: queryNumber,
  ps: queryNumber,
  size: queryNumber,
  before_id: queryNumber,
  after_id: queryNumber,
})
export type LogPage = z.output<typeof logPage>

/**
 * Newest first. `total` is exact unless `total_is_estimate` says that there may be more than were counted: of more than
 * 100,000, of a label together with something else among the newest 100,000 rows, and of a page that was asked for by
 * `before_id` or `after_id` nothing was.
 */
const logList = z.object({
  items: z.array(logView),
  total: z.int(),
  total_is_estimate: z.boolean(),
  page: z.int(),
  page_size: z.int(),
})
export type LogList = z.output<typeof logList>

/** Quota of the answered calls in the window; calls and tokens of the last 60 seconds. */
const logStat = z.object({ quota: z.int(), rpm: z.int(), tpm: z.int() })

/** The row that was seen last; 0 for what comes from now on. */
/** For calls that a browser opens by their address; elsewhere a header names the team. */
const teamInAddress = { team: queryNumber }

const tailQuery = z.object({ after_id: z.string().check(z.regex(/^\d{1,15}$/)) })

const trail = z.object({
  request_id: z.string(),
  /**
   * `open`, `settled` or `released`; `none` where it failed before anything was held; `closed` where its month is, and
   * the books have it as a part of a sum: what else is said comes from the log.
   */
  state: z.string(),
  user_id: z.int(),
  token_id: z.int(),
  /** The most that was set aside, and what became of it. */
  held: z.int(),
  charged: z.int(),
  released: z.int(),
  /** What of the charge was given back later, because the task that was paid for came to nothing. */
  refunded: z.int(),
  /** What was noted as certainly used while it ran. */
  checkpoint: z.int(),
  token_charged: z.int(),
  began_at: z.int(),
  ended_at: z.int(),
  /** The price it was settled by. */
  price: z.record(z.string(), z.unknown()),
  entries: z.array(
    z.object({ kind: z.string(), user_amount: z.int(), token_amount: z.int(), created_at: z.int() }),
  ),
  logs: z.array(logView),
  /** Administrators only. */
  channels: z.array(z.object({ id: z.int(), name: z.string() })),
})
export type Trail = z.output<typeof trail>

/** Body and answer of one call as its client sent and got them; `words` is what the events of a stream say. */
const logContent = z.object({
  request_id: z.string(),
  created_at: z.int(),
  request: z.string(),
  answer: z.string(),
  words: z.string(),
  /** Bytes in the middle of each that were too many to keep. */
  request_left_out: z.int(),
  answer_left_out: z.int(),
  words_left_out: z.int(),
})
export type LogContent = z.output<typeof logContent>

export const logEndpoints = {
  listLogs: endpoint({
    method: 'GET',
    path: '/api/log',
    access: 'admin',
    summary: { zh: '所有用户的日志', en: 'The log of all users' },
    query: logPage,
    output: logList,
  }),
  listOwnLogs: endpoint({
    method: 'GET',
    path: '/api/log/self',
    access: 'user',
    team: 'members',
    summary: { zh: '自己的日志', en: 'Your log' },
    query: logPage,
    output: logList,
  }),
  logStat: endpoint({
    method: 'GET',
    path: '/api/log/stat',
    access: 'admin',
    summary: { zh: '日志统计：额度、RPM、TPM', en: 'Sums of the log: quota, RPM, TPM' },
    query: logFilters,
    output: logStat,
  }),
  ownLogStat: endpoint({
    method: 'GET',
    path: '/api/log/self/stat',
    access: 'user',
    team: 'members',
    summary: { zh: '自己的日志统计', en: 'Sums of your log' },
    query: logFilters,
    output: logStat,
  }),
  tokenLogs: endpoint({
    method: 'GET',
    path: '/api/log/token',
    // Whoever has the key may ask, from any page.
    access: 'public',
    anyPage: true,
    shape: 'raw',
    summary: { zh: '某个令牌最近的 1000 条日志', en: 'The last 1,000 rows of a token, by its key' },
    query: z.object({ key: searchText }),
  }),
  searchLogs: endpoint({
    method: 'GET',
    path: '/api/log/search',
    access: 'admin',
    summary: {
      zh: '在最近的日志中搜索（旧接口，最多 100 条）',
      en: 'Search the recent log (kept for old tools; 100 rows)',
    },
    query: z.object({ keyword: searchText }),
    output: z.array(logView),
  }),
  searchOwnLogs: endpoint({
    method: 'GET',
    path: '/api/log/self/search',
    access: 'user',
    team: 'members',
    summary: {
      zh: '在自己最近的日志中搜索（旧接口，最多 100 条）',
      en: 'Search your recent log (kept for old tools; 100 rows)',
    },
    query: z.object({ keyword: searchText }),
    output: z.array(logView),
  }),
  clearLogs: endpoint({
    method: 'DELETE',
    path: '/api/log',
    access: 'root',
    summary: {
      zh: '清除某一时间之前的日志（尚待投递的保留），返回条数',
      en: 'Clear the log before a time, but for what is still to be delivered; answers how many rows',
    },
    query: z.object({ target_timestamp: queryNumber }),
    output: z.int(),
  }),
  exportLogs: endpoint({
    method: 'GET',
    path: '/api/log/export',
    access: 'admin',
    // A browser follows a link to it.
    userHeader: false,
    shape: 'raw',
    summary: { zh: '导出日志为 CSV（最多 100 万行）', en: 'The log as CSV, a million rows at most' },
    query: logFilters,
  }),
  exportOwnLogs: endpoint({
    method: 'GET',
    path: '/api/log/self/export',
    access: 'user',
    team: 'members',
    userHeader: false,
    shape: 'raw',
    summary: { zh: '导出自己的日志为 CSV', en: 'Your log as CSV' },
    query: z.object({ ...filters, ...teamInAddress }),
  }),
  tailLogs: endpoint({
    method: 'GET',
    path: '/api/log/tail',
    access: 'admin',
    // An EventSource sends no headers of its own.
    userHeader: false,
    shape: 'raw',
    summary: { zh: '实时日志（SSE）', en: 'New rows as they are written, as server-sent events' },
    query: tailQuery,
  }),
  tailOwnLogs: endpoint({
    method: 'GET',
    path: '/api/log/self/tail',
    access: 'user',
    team: 'members',
    userHeader: false,
    shape: 'raw',
    summary: { zh: '自己的实时日志（SSE）', en: 'Your new rows as they are written, as server-sent events' },
    query: z.extend(tailQuery, teamInAddress),
  }),
  requestTrail: endpoint({
    method: 'GET',
    path: '/api/log/trail/:request_id',
    access: 'user',
    team: 'members',
    summary: {
      zh: '一次请求的账目：预扣、结算、退还、任务失败后的退款与价格',
      en: 'The money of one request: held, charged, given back, refunded when its task failed, and the price',
    },
    output: trail,
  }),
  logContent: endpoint({
    method: 'GET',
    path: '/api/log/content/:request_id',
    access: 'user',
    team: 'members',
    // Whoever reads another's is put on record.
    changes: true,
    summary: {
      zh: '一次调用的请求与回答内容（需启用内容记录）；查看他人的会记入操作记录',
      en: 'What was asked and answered in one call, where that is kept; reading another user’s is audited',
    },
    output: logContent,
  }),
}
