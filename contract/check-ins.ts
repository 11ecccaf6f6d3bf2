import * as z from 'zod/mini'
import { captcha } from './accounts.ts'
import { endpoint } from './endpoint.ts'

/** What a day's check-in brought; the day as `YYYY-MM-DD`. */
const checkIn = z.object({ checkin_date: z.string(), quota_awarded: z.int() })

export const checkInEndpoints = {
  checkIns: endpoint({
    method: 'GET',
    path: '/api/user/checkin',
    access: 'user',
    summary: {
      zh: '签到情况：今天是否已签到、month（YYYY-MM，默认本月）中的各次签到、总次数与总额度；未启用时为 404',
      en: 'Your check-ins: whether today’s is done, those of month (YYYY-MM, by default this one), how many there have been and what they brought; 404 while switched off',
    },
    query: z.object({ month: z._default(z.string().check(z.regex(/^(\d{4}-(0[1-9]|1[0-2]))?$/)), '') }),
    output: z.object({
      enabled: z.literal(true),
      min_quota: z.int(),
      max_quota: z.int(),
      stats: z.object({
        checked_in_today: z.boolean(),
        /** Of all months. */
        total_checkins: z.int(),
        total_quota: z.int(),
        /** Of the month that was asked for, the newest first. */
        checkin_count: z.int(),
        records: z.array(checkIn),
      }),
    }),
  }),
  checkIn: endpoint({
    method: 'POST',
    path: '/api/user/checkin',
    access: 'user',
    summary: {
      zh: '签到，每天一次，返回获得的额度；未启用时为 404',
      en: 'Check in, once a day; answers the quota it brought. 404 while switched off',
    },
    query: z.object({ turnstile: captcha }),
    output: checkIn,
  }),
}
