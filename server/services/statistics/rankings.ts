import type { Kysely } from 'kysely'
import { type RankingMeasure, type RankingPeriod, rankingPeriods } from '../../../contract/ranking-choices.ts'
import type { RankedModel, RankedVendor, Rankings } from '../../../contract/rankings.ts'
import type { Schema } from '../../store/schema.ts'
import { Turn } from '../give-way.ts'
import { keptFresh } from '../kept-fresh.ts'
import { ownerOf } from '../model-owners.ts'
import { addUsed, countModels, isEnough, type Used, type UsedOnDay } from './count-models.ts'
import type { Form, KeptDays } from './kept-days.ts'
import { oneAfterAnother } from './one-after-another.ts'
import { PastDays, type Span } from './past-days.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const spans: Readonly<Record<RankingPeriod, number>> = { day: DAY, week: 7 * DAY, month: 30 * DAY }
/** Anyone may ask. What is older than an hour is of other hours. */
const FRESH = { freshMs: 60_000, oldestMs: 3_600_000 }
const MOST_MODELS = 50
const MOST_VENDORS = 20

type Totals = ReadonlyMap<string, Used>
type Lists = Pick<Rankings, 'models' | 'vendors'>
interface Counted extends Pick<Rankings, 'from' | 'to'> {
  readonly current: Totals
  readonly before: Totals
}

const form = {
  name: 'rankings',
  columns: ['time', 'model', 'calls', 'tokens', 'users'],
} satisfies Form<UsedOnDay>

/** Which models and vendors were used most. Nobody is named in it, no money, and no model that is not told of. */
export function modelRankings(db: Kysely<Schema>, now: () => number, inBooks?: KeptDays) {
  // A day that is long over is summed once a day: the sums of two months are too many to go through every hour.
  const days = new PastDays<UsedOnDay>({ longest: DAY, books: inBooks && { kept: inBooks, form } })
  const load = oneAfterAnother((span: Span) => countModels(db, span))
  const used = async (from: number, before: number): Promise<Totals> => {
    const rows = await days.read('', { from, before }, { now: now() }, load)
    return sumDays(rows)
  }
  const count = async (period: RankingPeriod): Promise<Counted> => {
    // Of whole hours: what one call changed cannot be watched.
    const to = now() - (now() % HOUR)
    const from = to - spans[period]
    const [current, before] = await Promise.all([used(from, to), used(from - spans[period], from)])
    return { from, to, current, before }
  }
  const kept = new Map(rankingPeriods.map(period => [period, keptFresh(FRESH, () => count(period))]))
  return async (
    period: RankingPeriod,
    by: RankingMeasure,
    isTold: (model: string) => boolean,
  ): Promise<Rankings> => {
    const { from, to, current, before } = await (kept.get(period)?.() ?? count(period))
    return { period, by, from, to, ...rankBy(by, only(current, isTold), only(before, isTold)) }
  }
}

function only(totals: Totals, isTold: (model: string) => boolean): Totals {
  return new Map([...totals].filter(([model]) => isTold(model)))
}

/** Two months of some hundred models are thousands. */
async function sumDays(rows: readonly UsedOnDay[]): Promise<Totals> {
  const totals = new Map<string, Used>()
  const turn = new Turn()
  for (const row of rows) {
    if (turn.isOver()) await turn.next()
    totals.set(row.model, addUsed(totals.get(row.model), row))
  }
  return totals
}

function sumBy<Row extends Used>(rows: Iterable<Row>, nameOf: (row: Row) => string): Totals {
  const totals = new Map<string, Used>()
  for (const row of rows) totals.set(nameOf(row), addUsed(totals.get(nameOf(row)), row))
  return totals
}

function rankBy(measure: RankingMeasure, current: Totals, before: Totals): Lists {
  const models = placesOf(measure, current, before).slice(0, MOST_MODELS)
  const vendors = placesOf(measure, byVendor(current), byVendor(before))
  return {
    models: models.map(
      ([model_name, place]): RankedModel => ({
        model_name,
        owner_by: ownerOf(model_name),
        ...place,
      }),
    ),
    // Whose they are is not known of all, and those have nothing in common.
    vendors: vendors.slice(0, MOST_VENDORS).map(([vendor, place]): RankedVendor => ({ vendor, ...place })),
  }
}

function byVendor(models: Totals): Totals {
  return sumBy(
    [...models].map(([model, used]) => ({ ...used, vendor: ownerOf(model) })),
    ({ vendor }) => vendor,
  )
}

type Place = Omit<RankedVendor, 'vendor'>

function placesOf(measure: RankingMeasure, current: Totals, before: Totals): [string, Place][] {
  const earlier = new Map(
    orderBy(measure, before).map((entry, at) => [entry.name, { ...entry, rank: at + 1 }]),
  )
  return orderBy(measure, current).map(({ name, share }, at) => {
    const then = earlier.get(name)
    return [name, { rank: at + 1, share, rank_before: then?.rank ?? null, share_before: then?.share ?? null }]
  })
}

/** Those that can be told of, the most used first. */
function orderBy(measure: RankingMeasure, totals: Totals): { name: string; share: number }[] {
  const whole = [...totals.values()].reduce((sum, used) => sum + used[measure], 0)
  return [...totals]
    .filter(([name, used]) => name !== '' && isEnough(used) && used[measure] > 0)
    .sort(([one, a], [other, b]) => b[measure] - a[measure] || (one < other ? -1 : 1))
    .map(([name, used]) => ({ name, share: Math.round((used[measure] / whole) * 1000) / 1000 }))
}
