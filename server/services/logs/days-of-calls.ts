import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import { logTypes } from '../../../contract/log-types.ts'
import { meansModel } from '../../../contract/model-text.ts'
import { LOGS_KEPT_SINCE } from '../../ledger/audit.ts'
import type { Engine } from '../../store/engine.ts'
import type { Schema } from '../../store/schema.ts'
import { readFact } from '../../store/system-facts.ts'
import { filterInTurns, giveWay } from '../give-way.ts'
import { type Changes, type Form, type KeptDays, OVER_FOR_ALL } from '../statistics/kept-days.ts'
import { PastDays, type Span } from '../statistics/past-days.ts'
import { isOfMade, type Made, markOfMade } from '../teams/team-tokens.ts'
import { type LogFilter, matching } from './log-filter.ts'
import { isOneOfModels } from './model-condition.ts'

const DAY = 86_400
/** What is read before it is asked for: how far back, how much at once, and how often. */
const PREPARED_DAYS = 60
const DAYS_AT_ONCE = 5
const PREPARED_SECONDS = 1800
const PREPARED_REST = 3
/** What is asked for most comes first. */
const prepared = ['model_name', 'channel_id', 'group'] as const
const dayOfRow = sql<number>`(created_at - created_at % 86400)`

/** What a day is counted by, as far as a filter asks for it; SQLite sorts by numbers first sooner. */
const subjects = [
  ['channel', 'channel_id'],
  ['model', 'model_name'],
  ['group', 'group'],
] as const
type Column = (typeof subjects)[number][1]

/** Rows of the log that are alike, of one day. */
interface Alike {
  readonly time: number
  readonly type: number
  /** Undefined where nobody asked. */
  readonly model: string | undefined
  readonly channel: number | undefined
  readonly group: string | undefined
  readonly rows: number
  readonly quota: number
  /** In the hourly sums; the others are written by no request. */
  readonly isSummed: boolean
}

/** A token's rows of one day: of the models that a text means, or of each. */
interface RowsOfDay {
  readonly time: number
  readonly model?: string
  readonly rows: number
}

/** A user's rows of one hour. */
export interface RowsOfHour {
  readonly time: number
  readonly user: number
  readonly rows: number
}

interface QuotaOfDay {
  readonly time: number
  readonly quota: number
}

const alike = [
  'time',
  'type',
  'model',
  'channel',
  'group',
  'rows',
  'quota',
  'isSummed',
] satisfies (keyof Alike)[]
const forms = {
  all: { name: 'calls', columns: alike } satisfies Form<Alike>,
  ofOwners: { name: 'own-calls', columns: alike } satisfies Form<Alike>,
  ofTokens: { name: 'tokens', columns: ['time', 'quota'] } satisfies Form<QuotaOfDay>,
  ofModels: { name: 'token-models', columns: ['time', 'model', 'rows'] } satisfies Form<RowsOfDay>,
} as const

export type TokenAndModel = Pick<LogFilter, 'engine' | 'modelNames' | 'changes'> & {
  readonly tokenName: string
  readonly modelName: string
}

/** An account with a great part of the log, and of a team whose tokens alone are meant. */
export interface Owner {
  readonly userId: number
  readonly made: Made | undefined
}

/** How many rows of each kind the days have: from the hourly sums, and kept once over. */
export class DaysOfCalls {
  readonly #db: Kysely<Schema>
  readonly #engine: Engine
  readonly #now: () => number
  readonly #kept: KeptDays | undefined
  readonly #past: PastDays<Alike>
  readonly #ofOwners: PastDays<Alike>
  readonly #ofTokens: PastDays<QuotaOfDay>
  readonly #ofModels: PastDays<RowsOfDay>
  readonly #hours = new PastDays<RowsOfHour>()
  #preparedAt = 0

  constructor(db: Kysely<Schema>, engine: Engine, now: () => number, kept?: KeptDays) {
    this.#db = db
    this.#engine = engine
    this.#now = now
    this.#kept = kept
    this.#past = new PastDays({ books: kept && { kept, form: forms.all } })
    this.#ofOwners = new PastDays({ books: kept && { kept, form: forms.ofOwners } })
    this.#ofTokens = new PastDays({ books: kept && { kept, form: forms.ofTokens } })
    this.#ofModels = new PastDays({ books: kept && { kept, form: forms.ofModels } })
  }

  /** For who reads names by which rows are found then: asked before. Undefined where nothing is kept of days. */
  async changes(window: Span): Promise<Changes | undefined> {
    return this.#kept?.changes(window)
  }

  /** What the filter means, whatever it says about time, owner or token; of everybody, or of one who is named. */
  async read(filter: LogFilter, window: Span, owner?: Owner): Promise<Alike[]> {
    const { type, modelName, channelId, group } = filter
    const asked = { model: modelName, channel: channelId, group }
    const columns = subjects.flatMap(([name, column]) => (asked[name] === undefined ? [] : [column]))
    // One channel is read in a tenth of the time that it takes to count every model of every channel.
    const only = columns.length > 1 ? channelId : undefined
    const bounded = await this.#bound(window)
    const made = await markOfMade(this.#db, owner?.made)
    const name = nameOf(columns, only, owner?.userId, made)
    const past = owner ? this.#ofOwners : this.#past
    const rows = await past.read(name, bounded, { now: this.#now() }, span =>
      this.#load(span, columns, only, owner),
    )
    const isMeant = modelName === undefined ? () => true : askOnce(model => meansModel(modelName, model))
    return filterInTurns(
      rows,
      row =>
        (type === undefined || row.type === type) &&
        (channelId === undefined || row.channel === channelId) &&
        (group === undefined || row.group === group) &&
        isMeant(row.model ?? ''),
    )
  }

  /**
   * What `load` reads of the hours of a day: of what the filter means, whatever it says about time. Of a day that is not
   * over nobody tells that it has changed.
   */
  async hours(
    { type, userIds, modelName, channelId, group, made }: LogFilter,
    day: Span,
    load: (span: Span) => Promise<RowsOfHour[]>,
  ): Promise<readonly RowsOfHour[]> {
    const changes = await this.changes(day)
    if (!changes || this.#now() - day.before < OVER_FOR_ALL) return load(day)
    const mark = await markOfMade(this.#db, made)
    const name = JSON.stringify([type, userIds, modelName, channelId, group, mark])
    return this.#hours.read(name, day, { now: this.#now(), changes }, load)
  }

  /**
   * Who opens the log narrows it down next. What that takes is read beforehand, a few days at a time and with rests, so
   * that nobody waits for two months of sums.
   */
  async prepare(): Promise<void> {
    const now = this.#now()
    if (now < this.#preparedAt + PREPARED_SECONDS && now >= this.#preparedAt) return
    this.#preparedAt = now
    const { from, before } = await this.#bound({ from: 0, before: now })
    const today = before - (before % DAY)
    const oldest = Math.max(from, today - PREPARED_DAYS * DAY)
    for (const column of prepared)
      for (let end = today; end > oldest; end -= DAYS_AT_ONCE * DAY) {
        const began = performance.now()
        const span = { from: Math.max(end - DAYS_AT_ONCE * DAY, oldest), before: end }
        await this.#past.read(nameOf([column]), span, { now }, days =>
          this.#load(days, [column], undefined, undefined),
        )
        await giveWay(performance.now() - began, PREPARED_REST)
      }
  }

  /** By the name that the rows have, which no hourly sum knows: the log itself tells, of each day once. */
  async quotaOfToken(name: string, window: Span): Promise<number> {
    const asked = JSON.stringify([name])
    const rows = await this.#readOfToken(this.#ofTokens, asked, window, async span => {
      const days = await this.#logOfToken(name, span)
        .where('type', '=', logTypes.consumption)
        .select(row => [dayOfRow.as('time'), row.fn.sum<number>('quota').as('quota')])
        .groupBy(dayOfRow)
        .execute()
      return days.map(({ time, quota }) => ({ time: Number(time), quota: Number(quota) }))
    })
    return rows.reduce((total, { quota }) => total + quota, 0)
  }

  /** Of a label and something besides, which no sums know together. */
  async quotaOfLabelled(filter: LogFilter, window: Span): Promise<number> {
    const { label, userIds, made, tokenName, modelName, channelId, group } = filter
    const mark = await markOfMade(this.#db, made)
    const asked = JSON.stringify([label, userIds, mark, tokenName, modelName, channelId, group])
    const load = async ({ from, before }: Span): Promise<QuotaOfDay[]> => {
      const days = await matching(this.#db, { ...filter, type: logTypes.consumption, from, to: before - 1 })
        .select(row => [dayOfRow.as('time'), row.fn.sum<number>('quota').as('quota')])
        .groupBy(dayOfRow)
        .execute()
      return days.map(({ time, quota }) => ({ time: Number(time), quota: Number(quota) }))
    }
    const rows = await this.#readOfToken(this.#ofTokens, asked, window, load, filter.changes)
    return rows.reduce((total, { quota }) => total + quota, 0)
  }

  /**
   * How many rows of the models that a text means. SQLite compares names in an eighth of the time that counting by
   * them takes it. PostgreSQL counts by them at the same cost, and then knows of every other text too.
   */
  async rowsOfToken(filter: TokenAndModel, window: Span): Promise<RowsOfDay[]> {
    const { tokenName, modelName } = filter
    if (this.#engine !== 'postgres')
      return this.#readOfToken(
        this.#ofModels,
        JSON.stringify([tokenName, modelName]),
        window,
        span => this.#countOfToken(tokenName, span, filter),
        filter.changes,
      )
    const rows = await this.#readOfToken(this.#ofModels, tokenName, window, span =>
      this.#countOfToken(tokenName, span),
    )
    const isMeant = askOnce(model => meansModel(modelName, model))
    return rows.filter(({ model = '' }) => isMeant(model))
  }

  async #countOfToken(name: string, span: Span, model?: TokenAndModel): Promise<RowsOfDay[]> {
    const rows = this.#logOfToken(name, span).select(row => [
      dayOfRow.as('time'),
      row.fn.countAll<number>().as('rows'),
    ])
    const days =
      model === undefined
        ? await rows.select('model_name as model').groupBy([dayOfRow, 'model_name']).execute()
        : await rows.where(isOneOfModels(model)).groupBy(dayOfRow).execute()
    return days.map(day => ({ ...day, time: Number(day.time), rows: Number(day.rows) }))
  }

  /** Once rows are cleared, other sums count. */
  async #readOfToken<Row extends { readonly time: number }>(
    past: PastDays<Row>,
    asked: string,
    window: Span,
    load: (span: Span) => Promise<Row[]>,
    changes?: Changes,
  ): Promise<Row[]> {
    const kept = (await readFact(this.#db, LOGS_KEPT_SINCE)) ?? ''
    const options = { now: this.#now(), changes }
    return past.read(`${kept} ${asked}`, await this.#bound(window), options, load)
  }

  #logOfToken(name: string, { from, before }: Span) {
    return this.#db
      .selectFrom('logs')
      .where('token_name', '=', name)
      .where('created_at', '>=', from)
      .where('created_at', '<', before)
  }

  /** From the first there is to a day from now: clocks of nodes differ. */
  async #bound({ from, before }: Span): Promise<Span> {
    const end = Math.min(before, this.#now() + DAY)
    if (from > 0) return { from, before: end }
    const [hours, logs] = await Promise.all([
      this.#db
        .selectFrom('usage_hourly')
        .select(row => row.fn.min<number | null>('hour').as('first'))
        .executeTakeFirst(),
      this.#db
        .selectFrom('logs')
        .select(row => row.fn.min<number | null>('created_at').as('first'))
        .executeTakeFirst(),
    ])
    const first = Math.min(hours?.first ?? end, logs?.first ?? end)
    return { from: first - (first % DAY), before: end }
  }

  async #load(
    span: Span,
    columns: readonly Column[],
    channel: number | undefined,
    owner: Owner | undefined,
  ): Promise<Alike[]> {
    const parts = [this.#summed(span, columns, channel, owner), this.#unsummed(span, columns, channel, owner)]
    return (await Promise.all(parts)).flat()
  }

  async #summed(
    { from, before }: Span,
    columns: readonly Column[],
    channel: number | undefined,
    owner: Owner | undefined,
  ): Promise<Alike[]> {
    const day = sql<number>`(hour - hour % 86400)`
    const rows = await this.#db
      .selectFrom('usage_hourly')
      .where('hour', '>=', from)
      .where('hour', '<', before)
      .$if(channel !== undefined, hours => hours.where('channel_id', '=', channel ?? 0))
      .$if(owner !== undefined, hours => hours.where(isOfOwner(owner)))
      .select([...columns])
      .select(row => [
        day.as('time'),
        row.fn.sum<number>('requests').as('requests'),
        row.fn.sum<number>('errors').as('errors'),
        row.fn.sum<number>('quota').as('quota'),
      ])
      .groupBy([day, ...columns])
      .execute()
    return rows.flatMap(row => {
      const alike = { ...subjectOf(row), time: Number(row.time), isSummed: true }
      const failed = Number(row.errors)
      const answered = Number(row.requests) - failed
      return [
        { ...alike, type: logTypes.consumption, rows: answered, quota: Number(row.quota) },
        ...(failed > 0 ? [{ ...alike, type: logTypes.error, rows: failed, quota: 0 }] : []),
      ]
    })
  }

  /** The blank is written out: only then is the index of these rows taken. */
  async #unsummed(
    { from, before }: Span,
    columns: readonly Column[],
    channel: number | undefined,
    owner: Owner | undefined,
  ): Promise<Alike[]> {
    const rows = await this.#db
      .selectFrom('logs')
      .where('created_at', '>=', from)
      .where('created_at', '<', before)
      .where(sql<boolean>`request_id = ''`)
      .$if(channel !== undefined, logs => logs.where('channel_id', '=', channel ?? 0))
      .$if(owner !== undefined, logs => logs.where(isOfOwner(owner)))
      .select([...columns, 'type'])
      .select(row => [dayOfRow.as('time'), row.fn.countAll<number>().as('rows')])
      .groupBy([dayOfRow, 'type', ...columns])
      .execute()
    return rows.map(row => ({
      ...subjectOf(row),
      type: row.type,
      time: Number(row.time),
      rows: Number(row.rows),
      quota: 0,
      isSummed: false,
    }))
  }
}

/** What days are kept by. */
function nameOf(columns: readonly Column[], channel?: number, userId?: number, made = ''): string {
  return [...columns, channel, userId, made].join()
}

/** Of the log and of the hourly sums alike. */
function isOfOwner(owner: Owner | undefined): Expression<SqlBool> {
  const rows = expressionBuilder<Schema, 'usage_hourly'>()
  const isTheirs = rows('user_id', '=', owner?.userId ?? 0)
  return owner?.made ? rows.and([isTheirs, isOfMade(owner.made)]) : isTheirs
}

/** There are thousands of rows of a few hundred models. */
function askOnce(means: (model: string) => boolean): (model: string) => boolean {
  const known = new Map<string, boolean>()
  return model => {
    const answer = known.get(model) ?? means(model)
    known.set(model, answer)
    return answer
  }
}

function subjectOf(row: { model_name?: string; channel_id?: number; group?: string }) {
  return { model: row.model_name, channel: row.channel_id, group: row.group }
}
