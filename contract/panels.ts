// What an operator tells users on their dashboard. The fields are named as the tools of this family know them.

import * as z from 'zod/mini'
import { isWebAddress } from './web-address.ts'

/** Each may stand in a header of every page. */
export const MOST_ADDRESSES = 30
export const MOST_ANNOUNCEMENTS = 100
export const MOST_QUESTIONS = 50
/** Of announcements only the newest are told: every page asks for them with the rest of the status. */
export const TOLD_ANNOUNCEMENTS = 20
/** Characters of a whole list, which travels with every page. */
export const LONGEST_LIST = 20_000

export const LONGEST_ADDRESS = 300
export const LONGEST_ROUTE = 100
export const LONGEST_NOTE = 200
export const LONGEST_QUESTION = 200
export const LONGEST_CONTENT = 1000

export const panelColours = ['blue', 'green', 'lime', 'yellow', 'orange', 'red', 'grey'] as const
export const announcementKinds = ['default', 'ongoing', 'success', 'warning', 'error'] as const
export type AnnouncementKind = (typeof announcementKinds)[number]

const written = (longest: number) => z.string().check(z.minLength(1), z.maxLength(longest))

/** One of the ways to this gateway. */
export const apiAddress = z.object({
  url: written(LONGEST_ADDRESS).check(z.refine(isWebAddress)),
  /** What it is called. */
  route: written(LONGEST_ROUTE),
  description: z.string().check(z.maxLength(LONGEST_NOTE)),
  color: z.enum(panelColours),
})
export type ApiAddress = z.output<typeof apiAddress>

export const announcement = z.object({
  /** Markdown. */
  content: written(LONGEST_CONTENT),
  /** As 2026-01-31T12:00:00Z. */
  publishDate: z.string().check(z.maxLength(40), z.refine(isMoment)),
  type: z.enum(announcementKinds),
  extra: z.string().check(z.maxLength(LONGEST_NOTE)),
})
export type Announcement = z.output<typeof announcement>

export const question = z.object({
  question: written(LONGEST_QUESTION),
  /** Markdown. */
  answer: written(LONGEST_CONTENT),
})
export type Question = z.output<typeof question>

/** A time whose zone is told: without one it would be another time to every reader. */
function isMoment(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  )
}

export function newestFirst(announcements: readonly Announcement[]): Announcement[] {
  return announcements.toSorted((one, other) => Date.parse(other.publishDate) - Date.parse(one.publishDate))
}
