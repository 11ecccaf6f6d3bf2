import { type Kysely, sql } from 'kysely'
import { splitLabels } from '../../../contract/labels.ts'
import type { Schema } from '../../store/schema.ts'
import { filterInTurns } from '../give-way.ts'
import type { Form, KeptDays } from '../statistics/kept-days.ts'
import { hasManySums, withinSums } from '../statistics/many-sums.ts'
import { PastDays, type Span } from '../statistics/past-days.ts'
import { isOfMade, type Made, markOfMade } from '../teams/team-tokens.ts'

/** Where calls of a few days are labelled in more ways than this, it is not kept which: they would be too many. */
const MOST_WAYS = 5000
/** When it is tried again whether they still are. */
const AGAIN_SECONDS = 3600

/** What calls of one day that were labelled alike came to. */
interface LabelledDay {
  readonly time: number
  readonly labels: string
  readonly requests: number
  readonly errors: number
  readonly quota: number
}

const form = {
  name: 'labels',
  columns: ['time', 'labels', 'requests', 'errors', 'quota'],
} satisfies Form<LabelledDay>

/** Whose calls: everybody's where no user is named. */
export interface Labelled {
  readonly userIds: readonly number[] | undefined
  readonly made?: Made | undefined
}

/**
 * On which days calls had a label. The hourly sums of labels are as many as tokens and hours, and no index tells which
 * of them have one: what days that are over had is kept, and looked through in their place.
 */
export class DaysOfLabels {
  readonly #db: Kysely<Schema>
  readonly #now: () => number
  readonly #past: PastDays<LabelledDay>
  /** Whose are too many, and until when that is believed. */
  readonly #tooMany = new Map<string, number>()

  constructor(db: Kysely<Schema>, now: () => number, kept?: KeptDays) {
    this.#db = db
    this.#now = now
    this.#past = new PastDays({ books: kept && { kept, form } })
  }

  /** Undefined where the sums themselves are to be looked through: there are few of them, or too many ways. */
  async read(label: string, asked: Span, whose: Labelled): Promise<LabelledDay[] | undefined> {
    const [userId, ...others] = whose.userIds ?? []
    if (others.length > 0 || (whose.userIds && userId === undefined)) return undefined
    const now = this.#now()
    const window = await withinSums(this.#db, asked, now)
    if (userId !== undefined && !(await hasManySums(this.#db, 'usage_labels_hourly', userId, window)))
      return undefined
    const name = `${userId ?? ''} ${await markOfMade(this.#db, whose.made)}`
    if ((this.#tooMany.get(name) ?? 0) > now) return undefined
    let isCut = false
    const load = async (span: Span): Promise<LabelledDay[]> => {
      const rows = await this.#load(span, userId, whose.made)
      if (rows.length > MOST_WAYS) isCut = true
      return rows
    }
    const rows: LabelledDay[] = []
    const options = { now, most: MOST_WAYS + 1 }
    for await (const part of this.#past.parts(name, window, options, load)) {
      if (isCut) break
      rows.push(...(await filterInTurns(part, ({ labels }) => splitLabels(labels).includes(label))))
    }
    if (!isCut) return rows
    // There are as many of these as large accounts, and a member of a team has another name with every token.
    for (const [other, until] of this.#tooMany) if (until <= now) this.#tooMany.delete(other)
    this.#tooMany.set(name, now + AGAIN_SECONDS)
    return undefined
  }

  async #load(
    { from, before }: Span,
    userId: number | undefined,
    made: Made | undefined,
  ): Promise<LabelledDay[]> {
    const day = sql<number>`(hour - hour % 86400)`
    const rows = await this.#db
      .selectFrom('usage_labels_hourly')
      .where('hour', '>=', from)
      .where('hour', '<', before)
      .$if(userId !== undefined, hours => hours.where('user_id', '=', userId ?? 0))
      .$if(made !== undefined, hours => hours.where(isOfMade(made ?? { teamId: 0, by: 0 })))
      .select(['labels', day.as('time')])
      .select(row => [
        row.fn.sum<number>('requests').as('requests'),
        row.fn.sum<number>('errors').as('errors'),
        row.fn.sum<number>('quota').as('quota'),
      ])
      .groupBy([day, 'labels'])
      .limit(MOST_WAYS + 1)
      .execute()
    return rows.map(({ labels, ...figures }) => ({
      labels,
      time: Number(figures.time),
      requests: Number(figures.requests),
      errors: Number(figures.errors),
      quota: Number(figures.quota),
    }))
  }
}
