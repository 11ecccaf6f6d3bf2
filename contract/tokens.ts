import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { listOf, pageQuery, searchText } from './paging.ts'

export const tokenStatuses = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const

/** Far more than anyone owns, and so far below 2⁵³ that no sum of it can be spoilt. */
export const MOST_QUOTA = 1_000_000_000_000_000
export const quotaAmount = z.int().check(z.gte(0), z.lte(MOST_QUOTA))

export const MOST_LIMIT = 1_000_000_000
const limit = z.optional(z.int().check(z.gte(0), z.lte(MOST_LIMIT)))
/** Requests and model tokens in a minute, and requests at once, at most; 0 means no limit. */
export const limitFields = { rpm: limit, tpm: limit, concurrency: limit }
export const limitsView = { rpm: z.int(), tpm: z.int(), concurrency: z.int() }

/** How often what remains of a budget becomes its renewal's amount again. */
export const refillPeriods = ['none', 'day', 'week', 'month'] as const
export type RefillPeriod = (typeof refillPeriods)[number]

export const LONGEST_TOKEN_NAME_BYTES = 30

/** Text that every database can hold. */
const text = z.string().check(z.refine(value => !value.includes('\0')))

/**
 * A token as its owner sees it, with the whole key (without `sk-`), which is blank where it moved in and only its holder
 * knows it; `refill_at` is 0 where nothing is renewed.
 */
const tokenView = z.object({
  id: z.int(),
  user_id: z.int(),
  key: z.string(),
  status: z.int(),
  name: z.string(),
  created_time: z.int(),
  accessed_time: z.int(),
  expired_time: z.int(),
  remain_quota: z.int(),
  unlimited_quota: z.boolean(),
  used_quota: z.int(),
  model_limits_enabled: z.boolean(),
  model_limits: z.string(),
  allow_ips: z.nullable(z.string()),
  group: z.string(),
  ...limitsView,
  refill_quota: z.int(),
  refill_period: z.enum(refillPeriods),
  refill_at: z.int(),
  /** Of a team’s token, the member who made it; 0 and blank otherwise. */
  created_by: z.int(),
  creator: z.string(),
  /** What all of its calls are for. */
  labels: z.array(z.string()),
  DeletedAt: z.null(),
})
export type TokenView = z.output<typeof tokenView>

/** Text in its place is no point in time, as a number can be none: it is told so by the same words. */
const pointInTime = z.pipe(
  z.union([z.number(), z.string()]),
  z.transform(given => (typeof given === 'number' ? given : Number.NaN)),
)

/** Of one call: as many as a page has. */
const MOST_TOKEN_IDS = 100

/** `expired_time` in seconds since 1970, −1 for never; `model_limits` by comma; `allow_ips` by line. */
const tokenFields = {
  name: z.optional(text.check(z.trim())),
  expired_time: z.optional(pointInTime),
  remain_quota: z.optional(quotaAmount),
  unlimited_quota: z.optional(z.boolean()),
  model_limits_enabled: z.optional(z.boolean()),
  model_limits: z.optional(text),
  allow_ips: z.optional(text),
  group: z.optional(text.check(z.trim(), z.maxLength(64))),
  ...limitFields,
  refill_quota: z.optional(quotaAmount),
  refill_period: z.optional(z.enum(refillPeriods)),
  labels: z.optional(z.array(z.string())),
}
const tokenChange = z.object(tokenFields)
export type TokenChange = z.output<typeof tokenChange>

const tokenSearch = z.object({ ...pageQuery, keyword: searchText, token: searchText })

export const tokenEndpoints = {
  listTokens: endpoint({
    method: 'GET',
    path: '/api/token',
    access: 'user',
    team: 'members',
    summary: { zh: '自己的令牌', en: 'Your tokens' },
    query: z.object(pageQuery),
    output: listOf(tokenView),
  }),
  searchTokens: endpoint({
    method: 'GET',
    path: '/api/token/search',
    access: 'user',
    team: 'members',
    summary: { zh: '按名称与密钥搜索自己的令牌', en: 'Find your tokens by name and by key' },
    query: tokenSearch,
    output: listOf(tokenView),
  }),
  findTokens: endpoint({
    method: 'POST',
    path: '/api/token/search',
    access: 'user',
    team: 'members',
    summary: {
      zh: '同上，条件写在请求体中：密钥不会出现在地址里',
      en: 'The same, asked for in the body: no key stands in an address',
    },
    body: tokenSearch,
    output: listOf(tokenView),
  }),
  getToken: endpoint({
    method: 'GET',
    path: '/api/token/:id',
    access: 'user',
    team: 'members',
    summary: { zh: '自己的一个令牌', en: 'One of your tokens' },
    output: tokenView,
  }),
  createToken: endpoint({
    method: 'POST',
    path: '/api/token',
    access: 'user',
    team: 'members',
    summary: {
      zh: '创建令牌；按 refill_period 定期更新时，剩余额度到期重新变为 refill_quota，未用完的不累计',
      en: 'Make a token; with a refill_period, what remains becomes refill_quota again at its end, and nothing is carried over',
    },
    body: tokenChange,
    output: z.null(),
  }),
  updateToken: endpoint({
    method: 'PUT',
    path: '/api/token',
    access: 'user',
    team: 'members',
    summary: {
      zh: '修改令牌；带 status_only 时只启用或禁用',
      en: 'Change a token; with status_only, only enable or disable it',
    },
    query: z.object({ status_only: z._default(z.string(), '') }),
    body: z.object({ ...tokenFields, id: z.int(), status: z.optional(z.int()) }),
    output: tokenView,
  }),
  deleteToken: endpoint({
    method: 'DELETE',
    path: '/api/token/:id',
    access: 'user',
    team: 'members',
    summary: { zh: '删除令牌，立即失效', en: 'Delete a token; it stops working at once' },
  }),
  deleteTokens: endpoint({
    method: 'POST',
    path: '/api/token/batch',
    access: 'user',
    team: 'members',
    bodyLimit: 256 * 1024,
    summary: {
      zh: '批量删除令牌，返回个数；不是自己的不计入',
      en: 'Delete several tokens; answers how many. Those of others are passed over',
    },
    body: z.object({ ids: z._default(z.array(z.int()).check(z.maxLength(MOST_TOKEN_IDS)), []) }),
    output: z.int(),
  }),
  tokenKey: endpoint({
    method: 'POST',
    path: '/api/token/:id/key',
    access: 'user',
    team: 'members',
    summary: {
      zh: '自己的令牌的密钥；从 LiteLLM 迁入的密钥仅持有者知道，无法查看',
      en: 'The key of one of your tokens; of one that came from LiteLLM only its holder knows it',
    },
    output: z.object({ key: z.string() }),
  }),
}
