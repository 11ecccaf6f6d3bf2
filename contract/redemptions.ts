import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { listOf, pageQuery, searchText } from './paging.ts'
import { queryNumber } from './query-number.ts'

export const redemptionStatuses = { unused: 1, disabled: 2, used: 3 } as const

/** What lists are searched for besides: codes that nobody used in time. None is kept so. */
export const EXPIRED = 4

/** Whether its time is over; 0 is for ever. */
export function isExpired({ expired_time }: { readonly expired_time: number }, now: number): boolean {
  return expired_time > 0 && expired_time <= now
}

/** The most codes that one call names. */
const MOST_CODES = 5000

/** `count` is there because old clients read it; it means something only when codes are made. */
const redemptionView = z.object({
  id: z.int(),
  user_id: z.int(),
  key: z.string(),
  status: z.int(),
  name: z.string(),
  quota: z.int(),
  created_time: z.int(),
  redeemed_time: z.int(),
  count: z.literal(0),
  used_user_id: z.int(),
  expired_time: z.int(),
  DeletedAt: z.null(),
})
export type RedemptionView = z.output<typeof redemptionView>

export const LONGEST_CODE_NAME_BYTES = 20

const name = z.string().check(
  z.trim(),
  z.refine(value => !value.includes('\0')),
)

const redemptionSearch = z.object({ ...pageQuery, keyword: searchText, status: queryNumber })

export const redemptionEndpoints = {
  listRedemptions: endpoint({
    method: 'GET',
    path: '/api/redemption',
    access: 'admin',
    summary: { zh: '兑换码', en: 'Redemption codes' },
    query: z.object(pageQuery),
    output: listOf(redemptionView),
  }),
  searchRedemptions: endpoint({
    method: 'GET',
    path: '/api/redemption/search',
    access: 'admin',
    summary: {
      zh: '按 ID、名称开头或完整的兑换码搜索；status 为 1 未使用、2 已禁用、3 已使用、4 已过期',
      en: 'Find redemption codes by id, by how their name begins or by the whole code; status is 1 unused, 2 disabled, 3 used, 4 expired',
    },
    query: redemptionSearch,
    output: listOf(redemptionView),
  }),
  findRedemptions: endpoint({
    method: 'POST',
    path: '/api/redemption/search',
    access: 'admin',
    summary: {
      zh: '同上，条件写在请求体中：兑换码不会出现在地址里',
      en: 'The same, asked for in the body: no code stands in an address',
    },
    body: redemptionSearch,
    output: listOf(redemptionView),
  }),
  getRedemption: endpoint({
    method: 'GET',
    path: '/api/redemption/:id',
    access: 'admin',
    summary: { zh: '一个兑换码', en: 'One redemption code' },
    output: redemptionView,
  }),
  createRedemptions: endpoint({
    method: 'POST',
    path: '/api/redemption',
    access: 'admin',
    once: true,
    bodyLimit: 4 * 1024,
    summary: {
      zh: '生成兑换码，返回码的列表；expired_time 是过期时间（秒），0 为永不过期',
      en: 'Make redemption codes; answers the codes. expired_time is when they end, in seconds since 1970; 0 for never',
    },
    body: z.object({
      name: z._default(name, ''),
      quota: z.int(),
      count: z._default(z.int(), 1),
      expired_time: z._default(z.int(), 0),
    }),
    output: z.array(z.string()),
  }),
  updateRedemption: endpoint({
    method: 'PUT',
    path: '/api/redemption',
    access: 'admin',
    bodyLimit: 4 * 1024,
    summary: {
      zh: '修改未使用的兑换码；带 status_only 时只启用或禁用',
      en: 'Change a code that is not used yet; with status_only, only enable or disable it',
    },
    query: z.object({ status_only: z._default(z.string(), '') }),
    body: z.object({
      id: z.int(),
      name: z.optional(name),
      quota: z.optional(z.int()),
      status: z.optional(z.int()),
      expired_time: z.optional(z.int()),
    }),
    output: redemptionView,
  }),
  deleteRedemptions: endpoint({
    method: 'POST',
    path: '/api/redemption/batch',
    access: 'admin',
    bodyLimit: 64 * 1024,
    summary: { zh: '批量删除兑换码，返回个数', en: 'Delete several redemption codes; answers how many' },
    body: z.object({ ids: z.array(z.int()).check(z.minLength(1), z.maxLength(MOST_CODES)) }),
    output: z.int(),
  }),
  deleteInvalidRedemptions: endpoint({
    method: 'DELETE',
    path: '/api/redemption/invalid',
    access: 'admin',
    summary: {
      zh: '删除已使用、已禁用和已过期的兑换码，返回个数',
      en: 'Delete the codes that are used, disabled or expired; answers how many',
    },
    output: z.int(),
  }),
  deleteRedemption: endpoint({
    method: 'DELETE',
    path: '/api/redemption/:id',
    access: 'admin',
    summary: { zh: '删除兑换码', en: 'Delete a redemption code' },
  }),
}
