import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import type { StatisticsQuery } from '../../../contract/statistics.ts'
import { openSampleStore } from '../../../test/sample-store.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import type { Store } from '../../store/index.ts'
import { Calendar } from './calendar.ts'
import { countUsage, keptUsage } from './count-usage.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const seconds = (iso: string): number => Date.parse(iso) / 1000
const zone = process.env.TZ

afterEach(() => {
  process.env.TZ = zone ?? 'UTC'
})

test('a time for which there is no date has days as well', () => {
  for (const time of [9e15, 8.64e12, -8.64e12, -9e15])
    expect(
      Calendar.of('Europe/Berlin', { from: time, before: time + 1 })?.nextMidnight(time),
    ).toBeGreaterThan(time)
})

test.each([
  'UTC',
  'Asia/Shanghai',
  'Asia/Kolkata',
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/Havana',
  'America/Santiago',
  'Asia/Beirut',
  'Africa/Casablanca',
])('days of %s are those of a clock that hangs there', place => {
  process.env.TZ = place
  const window = { from: seconds('2026-01-01T00:00Z'), before: seconds('2027-01-20T00:00Z') }
  const calendar = Calendar.of(place, window)
  for (let time = window.from; time < window.before; time += 1800) {
    const at = new Date(time * 1000)
    const [year, month, day] = [at.getFullYear(), at.getMonth(), at.getDate()]
    const dayFrom = (days: number) => new Date(year, month, day + days).getTime() / 1000
    const found = [calendar?.isMidnight(time), calendar?.nextMidnight(time), calendar?.startOfWeek(time)]
    const expected = [time === dayFrom(0), dayFrom(1), dayFrom(-((at.getDay() + 6) % 7))]
    if (`${found}` !== `${expected}`) expect([at.toISOString(), ...found]).toEqual(['', ...expected])
  }
})

test('a place that nobody knows has no calendar', () => {
  for (const place of ['Mars/Olympus', 'x'.repeat(64), '\0'])
    expect(Calendar.of(place, { from: 0, before: DAY })).toBeUndefined()
})

describe.each(engines.map(engine => [engine.name, engine] as const))('statistics on %s', (_name, engine) => {
  const open: Store[] = []
  afterAll(async () => {
    for (const store of open) await store.close()
    await dropAll()
  })

  test('the day on which clocks are put back has 25 hours, and all others their own 24', async () => {
    const store = await openSampleStore(await engine.freshUrl())
    open.push(store)
    const [from, to] = [seconds('2026-10-26T04:00Z'), seconds('2026-11-09T04:59:59Z')]
    const row = {
      ...{ user_id: 1, token_id: 0, channel_id: 3, model_name: 'm', group: 'default', errors: 0, quota: 1 },
      ...{ requests: 1, prompt_tokens: 0, completion_tokens: 0 },
    }
    const hours = Array.from({ length: 20 * 24 }, (_, at) => ({ ...row, hour: from - 2 * DAY + at * HOUR }))
    await store.db.insertInto('usage_hourly').values(hours).execute()
    const kept = keptUsage(store.db)
    const ask = async (more: Partial<StatisticsQuery>, owner?: { id: number; acting: undefined }) => {
      const query = { by: 'none', unit: 'day', from, to, offset: -300, zone: '', ...more } as const
      const { rows } = await countUsage(store.db, to + DAY, query, owner, kept)
      return rows.map(({ time, requests }) => [new Date(time * 1000).toISOString().slice(5, 16), requests])
    }
    const days = [
      ...['10-26', '10-27', '10-28', '10-29', '10-30', '10-31'].map(day => [`${day}T04:00`, 24]),
      ['11-01T04:00', 25],
      ...['11-02', '11-03', '11-04', '11-05', '11-06', '11-07', '11-08'].map(day => [`${day}T05:00`, 24]),
    ]
    const place = { zone: 'America/New_York' }
    for (let again = 0; again < 2; again++) expect(await ask(place)).toEqual(days)
    expect(await ask(place, { id: 1, acting: undefined })).toEqual(days)
    const weeks = [
      ['10-26T04:00', 7 * 24 + 1],
      ['11-02T05:00', 7 * 24],
    ]
    expect(await ask({ ...place, unit: 'week' })).toEqual(weeks)
    // Of who does not say where they are, or says what nobody knows, the distance from UTC is taken.
    const plain = await ask({})
    expect(plain[1]).toEqual(['10-26T05:00', 24])
    expect(await ask({ zone: 'Mars/Olympus' })).toEqual(plain)
  })
})
