import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

const text = z.string()

/** As Uptime Kuma numbers them. */
export const monitorStates = { down: 0, up: 1, pending: 2, maintenance: 3 } as const

const monitor = z.object({
  name: text,
  /** What it stands under on its page. */
  group: text,
  /** Null where it was never asked, as while it is paused. */
  status: z.nullable(z.int()),
  /** The share of the last 24 hours; null where that is not known. */
  uptime: z.nullable(z.number()),
  /** The last states it was found in, the newest at the end. */
  beats: z.array(z.int()),
})
export type Monitor = z.output<typeof monitor>

const uptimeOfPage = z.object({
  categoryName: text,
  description: text,
  /** The page did not answer, or not as one does: then nothing is known of its monitors. */
  away: z.boolean(),
  monitors: z.array(monitor),
})
export type UptimeOfPage = z.output<typeof uptimeOfPage>

export const uptimeEndpoints = {
  uptimeStatus: endpoint({
    method: 'GET',
    path: '/api/uptime/status',
    access: 'public',
    summary: {
      zh: '站长的 Uptime Kuma 状态页上各监控项的状态；未设置或未启用时为空',
      en: 'How the monitors on the operator’s Uptime Kuma status pages do; empty where there are none, or while it is switched off',
    },
    output: z.array(uptimeOfPage),
  }),
}
