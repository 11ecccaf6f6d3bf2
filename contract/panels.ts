// What an operator tells users on their dashboard, in the words of this family's tools. Every page knows these
// shapes; what may be saved of them is in settings/panels.ts.

import * as z from 'zod/mini'

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
