// What an operator tells users on their dashboard, in the words of this family's tools. Every page knows these
// shapes; what may be saved of them is in settings/panels.ts.

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const panelColours = ['blue', 'green', 'lime', 'yellow', 'orange', 'red', 'grey'] as const
export const announcementKinds = ['default', 'ongoing', 'success', 'warning', 'error'] as const
export type AnnouncementKind = (typeof announcementKinds)[number]

const text = z.string()

/** One of the ways to this gateway; its route is what it is called. */
export const apiAddress = z.object({ url: text, route: text, description: text, color: z.enum(panelColours) })
export type ApiAddress = z.output<typeof apiAddress>

/** Its content is Markdown, its date as 2026-01-31T12:00:00Z. */
export const announcement = z.object({
  content: text,
  publishDate: text,
  type: z.enum(announcementKinds),
  extra: text,
})
export type Announcement = z.output<typeof announcement>

/** The answer is Markdown. */
export const question = z.object({ question: text, answer: text })
export type Question = z.output<typeof question>

/** A public status page of Uptime Kuma, which is at /status/{slug} there. Its address is told to nobody. */
export interface UptimePage {
  categoryName: string
  url: string
  slug: string
  description: string
}

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

export const panelEndpoints = {
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
