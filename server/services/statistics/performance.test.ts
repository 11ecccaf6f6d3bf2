import { expect, test } from 'bun:test'
import { sampleApps } from '../../../test/sample-apps.ts'
import { engines } from '../../../test/services/databases.ts'
import type { App } from '../app.ts'
import { countedHours, modelPerformance } from './performance.ts'

const { clock, openApp } = sampleApps()
const HOUR = 3600
const thisHour = clock.now - (clock.now % HOUR)

async function use(app: App, model_name: string, user_id: number, requests: number, more: object = {}) {
  await app.store.db
    .insertInto('usage_hourly')
    .values({
      ...{ hour: thisHour - HOUR, user_id, token_id: 0, channel_id: 1, model_name, group: 'default' },
      ...{ requests, errors: 0, quota: 0, prompt_tokens: 0, completion_tokens: 0 },
      ...more,
    })
    .execute()
}

test.each(engines)('tells how the calls of a day went, where many made them ($name)', async engine => {
  const app = await openApp(await engine.freshUrl())
  const { db } = app.store
  await use(app, 'busy', 1, 20, { errors: 1 })
  await use(app, 'busy', 2, 20, { hour: thisHour - 24 * HOUR, errors: 1 })
  await use(app, 'busy', 3, 23)
  // What is older, and what is not over yet.
  await use(app, 'busy', 1, 90, { hour: thisHour - 25 * HOUR, errors: 90 })
  await use(app, 'busy', 1, 90, { hour: thisHour, errors: 90 })
  for (const user of [1, 2, 3]) await use(app, 'rare', user, 16)
  for (const user of [1, 2]) await use(app, 'of-two', user, 500)
  await use(app, 'of-two', 2, 500, { hour: thisHour - 2 * HOUR })
  for (const user of [1, 2, 3]) await use(app, 'unstreamed', user, 20)
  const counts = {
    hour: thisHour - HOUR,
    model_name: 'busy',
    user_id: 1,
    token_id: 0,
    channel_id: 1,
    group: '',
  }
  await db
    .insertInto('usage_latency_hourly')
    .values({ ...counts, took_5: 60, first_3: 60 } as never)
    .execute()
  await db
    .insertInto('usage_latency_hourly')
    .values({ ...counts, model_name: 'unstreamed', first_3: 49 } as never)
    .execute()

  const read = modelPerformance(db, app.now)
  const [first, second] = await Promise.all([read(24), read(24)])
  const untold = { first_token_p50: null, first_token_p95: null, latency_p50: null, latency_p95: null }
  // 61 of 63 were answered; the middle of the bucket from 400 to 800, in two digits.
  expect(Object.fromEntries(first.models)).toEqual({
    busy: {
      ...{ success: 0.97, calls: 63 },
      ...{ first_token_p50: 570, first_token_p95: 770, latency_p50: 2300, latency_p95: 3100 },
    },
    unstreamed: { ...untold, success: 1, calls: 60 },
  })
  // All together: also those of which nothing can be told for themselves.
  expect(first.all).toMatchObject({ calls: 63 + 48 + 1500 + 60, success: 1, latency_p50: 2300 })
  expect(second).toBe(first)
  await use(app, 'rare', 4, 500)
  expect(await read(24)).toBe(first)
  expect([...(await modelPerformance(db, app.now)(24)).models.keys()].sort()).toEqual([
    ...['busy', 'rare', 'unstreamed'],
  ])
  // In an hour there were fewer of some, in a week more.
  expect((await read(1)).models.get('busy')).toBeUndefined()
  expect((await read(168)).models.get('busy')).toMatchObject({ calls: 153, success: 0.4 })
})

test('is asked for in the hours that are counted', () => {
  const asked = [undefined, 0, 1, 2, 24, 25, 9999]
  expect<number[]>(asked.map(hours => countedHours(hours))).toEqual([24, 1, 1, 6, 24, 168, 720])
})

test('fails while it cannot count, and counts when it can again', async () => {
  const [sqlite] = engines
  const app = await openApp(await (sqlite?.freshUrl() ?? ''))
  const { db } = app.store
  for (const user of [1, 2, 3]) await use(app, 'busy', user, 20)
  await db.schema.alterTable('usage_hourly').renameTo('out_of_reach').execute()
  const read = modelPerformance(db, app.now)
  await expect(read(24)).rejects.toThrow()
  await db.schema.alterTable('out_of_reach').renameTo('usage_hourly').execute()
  expect((await read(24)).models.size).toBe(1)
})
