import type { Kysely } from 'kysely'
import type { HourOfModel } from '../../../contract/statistics.ts'
import { AppError } from '../../errors.ts'
import type { Schema } from '../../store/schema.ts'
import type { App } from '../app.ts'
import type { Caller, Handlers } from '../call.ts'
import { mapInTurns } from '../give-way.ts'
import { KeptText, keptText } from '../kept-text.ts'
import { isOfMade, madeBy, markOfMade } from '../teams/team-tokens.ts'
import { modelsOffered } from '../usable-groups.ts'
import { countUsage, keptUsage } from './count-usage.ts'
import { type Form, KeptDays } from './kept-days.ts'
import { hasManySums, withinSums } from './many-sums.ts'
import { PastDays, type Span } from './past-days.ts'
import { modelRankings } from './rankings.ts'

const DAY = 86_400
/** A month of the dashboard is 30 days and the hour that has begun; some scripts count 31. */
const LONGEST_OWN = 32 * DAY
const MOST_ROWS = 50_000
/** Of some days at once. */
const MOST_LOADED = 2 * MOST_ROWS

type StatisticsHandlers = Handlers<'usageData' | 'ownUsageData' | 'statistics' | 'ownStatistics' | 'rankings'>

export function statisticsHandlers(app: App): StatisticsHandlers {
  const { db } = app.store
  const inBooks = new KeptDays(app.store, app.now)
  const kept = keptUsage(db, inBooks)
  const models = keptModels(inBooks)
  const rank = modelRankings(db, app.now, inBooks)
  return {
    async usageData({ query }) {
      const window = readWindow(query, app.now())
      if (query.username === '') return keptHours(db, window, app.now(), models.all)
      const user = await db
        .selectFrom('users')
        .select(['id', 'username'])
        .where('username', '=', query.username)
        .executeTakeFirst()
      return user ? hoursOfOwner(db, window, app.now(), models.own, user) : []
    },
    ownUsageData({ query, caller }) {
      const window = readWindow(query, app.now())
      if (window.to - window.from > LONGEST_OWN) throw new AppError('data.span')
      return hoursOfOwner(db, window, app.now(), models.own, caller)
    },
    statistics: ({ query }) => countUsage(db, app.now(), query, undefined, kept),
    ownStatistics({ query, caller }) {
      // Which channels there are is not told to those who only use them.
      if (query.by === 'channel') throw new AppError('auth.role-too-low')
      return countUsage(db, app.now(), query, caller, kept)
    },
    async rankings({ query }) {
      if (!app.settings.get('RankingsEnabled')) throw new AppError('rankings.off')
      // The same for all who ask: models that not everybody may choose may be called after whom they are for.
      return rank(query.period, query.by, await modelsOffered(app))
    },
  }
}

interface Window {
  readonly from: number
  readonly to: number
}

function readWindow(
  asked: { start_timestamp?: number | undefined; end_timestamp?: number | undefined },
  now: number,
): Window {
  const to = asked.end_timestamp || now
  return { from: asked.start_timestamp || to - DAY, to }
}

type Owner = Pick<Caller, 'id' | 'username' | 'acting'>
type ModelHour = HourOfModel & { readonly time: number }

const form = {
  name: 'hours',
  columns: ['id', 'user_id', 'username', 'model_name', 'created_at', 'token_used', 'count', 'quota'],
  finish: withKeptTexts,
} satisfies Form<ModelHour>

export function keptModels(kept: KeptDays) {
  return {
    all: new PastDays<ModelHour>({ books: { kept, form } }),
    own: new PastDays<ModelHour>({ books: { kept, form: { ...form, name: 'own-hours' } } }),
  }
}

/** Of all users together, or of an account with many calls; hours that are long over are not summed again. */
export async function keptHours(
  db: Kysely<Schema>,
  { from, to }: Window,
  now: number,
  past: PastDays<ModelHour>,
  user?: Owner,
): Promise<HourOfModel[]> {
  const load = async ({ from: first, before }: Span): Promise<ModelHour[]> => {
    const rows = await hoursOfModels(db, { from: first, to: before - 1 }, user, MOST_LOADED)
    return withKeptTexts(rows)
  }
  const name = user ? [user.id, await markOfMade(db, madeBy(user)), user.username].join(' ') : ''
  const window = await withinSums(db, { from, before: to + 1 }, now)
  // From the beginning of the day: a part of it would have to be added up for everybody who asks an hour later.
  const whole = { ...window, from: window.from - (window.from % DAY) }
  const rows: ModelHour[] = []
  for await (const part of past.parts(name, whole, { now, most: MOST_LOADED }, load)) {
    for (const row of part) if (row.time >= window.from) rows.push(row)
    if (rows.length >= MOST_ROWS) break
    // There is more of it than was read.
    if (part.length >= MOST_LOADED) return hoursOfModels(db, { from, to }, user)
  }
  return rows.slice(0, MOST_ROWS)
}

async function hoursOfOwner(
  db: Kysely<Schema>,
  window: Window,
  now: number,
  past: PastDays<ModelHour>,
  user: Owner,
): Promise<HourOfModel[]> {
  const span = { from: window.from, before: window.to + 1 }
  if (!(await hasManySums(db, 'usage_hourly', user.id, span))) return hoursOfModels(db, window, user)
  return keptHours(db, window, now, past, user)
}

/** One text for each hour. */
function withKeptTexts(rows: readonly HourOfModel[]): Promise<ModelHour[]> {
  let hour: number | undefined
  let text = new KeptText()
  return mapInTurns(rows, row => {
    if (row.created_at !== hour) text = new KeptText()
    hour = row.created_at
    const kept = { ...row, time: hour, [keptText]: text }
    text.add(kept)
    return kept
  })
}

/** Answered calls by hour and model, of one user or of all together. */
export async function hoursOfModels(
  db: Kysely<Schema>,
  { from, to }: Window,
  user?: Owner,
  most = MOST_ROWS,
): Promise<HourOfModel[]> {
  let hours = db.selectFrom('usage_hourly').where('hour', '>=', from).where('hour', '<=', to)
  if (user) hours = hours.where('user_id', '=', user.id)
  const made = user && madeBy(user)
  if (made) hours = hours.where(isOfMade(made))
  const rows = await hours
    .select(['hour', 'model_name'])
    .select(row => [
      row.fn.sum<number>(row('requests', '-', row.ref('errors'))).as('count'),
      row.fn.sum<number>('quota').as('quota'),
      row.fn.sum<number>(row('prompt_tokens', '+', row.ref('completion_tokens'))).as('tokens'),
    ])
    .groupBy(['hour', 'model_name'])
    .having(row => row(row.fn.sum(row('requests', '-', row.ref('errors'))), '>', 0))
    .orderBy('hour')
    .orderBy('model_name')
    .limit(most)
    .execute()
  return mapInTurns(rows, row => ({
    id: 0,
    user_id: user?.id ?? 0,
    username: user?.username ?? '',
    model_name: row.model_name,
    created_at: row.hour,
    token_used: Number(row.tokens),
    count: Number(row.count),
    quota: Number(row.quota),
  }))
}
