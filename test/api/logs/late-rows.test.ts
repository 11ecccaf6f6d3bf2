import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { DaysOfCalls } from '../../../server/services/logs/days-of-calls.ts'
import { listLogs } from '../../../server/services/logs/list-logs.ts'
import { readFilter } from '../../../server/services/logs/log-filter.ts'
import { countUsage, keptUsage } from '../../../server/services/statistics/count-usage.ts'
import { LateRows } from '../../../server/services/statistics/late-rows.ts'
import type { Store } from '../../../server/store/index.ts'
import { ensureLogPartitions } from '../../../server/store/log-partitions.ts'
import { until } from '../../program.ts'
import { openSampleStore } from '../../sample-store.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { anything, by, DAY, fill, HOUR, page } from './filled-log.ts'

const open: Store[] = []

afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})
afterAll(dropAll)

/** Long enough after the rows for their days to be believed as long as any. */
const NOW = HOUR + 40 * DAY
const LOOK = 601

describe.each(engines.map(engine => [engine.name, engine] as const))('late rows on %s', (name, engine) => {
  const fresh = async (): Promise<Store> => {
    const store = await openSampleStore(await engine.freshUrl())
    open.push(store)
    if (name === 'postgres')
      for (const time of [HOUR, NOW]) await ensureLogPartitions(store.db, new Date(time * 1000))
    await fill(store)
    return store
  }
  const addRow = async ({ db }: Store, created_at: number, number?: number): Promise<void> => {
    const { id: _, ...row } = await db.selectFrom('logs').selectAll().limit(1).executeTakeFirstOrThrow()
    await db
      .insertInto('logs')
      .values({ ...row, created_at, ...(number !== undefined && { id: number }) })
      .execute()
  }
  const lookAgain = async (late: LateRows, now: number): Promise<void> => {
    const before = late.look
    await late.keepLooking(now)
    await until(async () => late.look > before)
  }

  test('are told from those that come in time, and by when they were', async () => {
    const store = await fresh()
    const late = new LateRows(store.db)
    await late.keepLooking(NOW)
    await addRow(store, NOW)
    await lookAgain(late, NOW + LOOK)
    const inTime = late.look
    expect(late.hasChanged(HOUR + DAY, 0)).toBe(false)
    await addRow(store, HOUR + 5)
    // It is not looked again so soon.
    await late.keepLooking(NOW + LOOK + 10)
    expect([late.look, late.hasChanged(HOUR + DAY, inTime)]).toEqual([inTime, false])
    await lookAgain(late, NOW + 2 * LOOK)
    expect([HOUR + DAY, HOUR + 6, HOUR + 5].map(before => late.hasChanged(before, inTime))).toEqual([
      true,
      true,
      false,
    ])
    expect(late.hasChanged(HOUR + DAY, late.look)).toBe(false)
  })

  test('are found also where somebody with higher numbers was committed before them', async () => {
    const store = await fresh()
    const { db } = store
    const late = new LateRows(db)
    const { id = 0 } =
      (await db
        .selectFrom('logs')
        .select(row => row.fn.max('id').as('id'))
        .executeTakeFirst()) ?? {}
    await db
      .updateTable('logs')
      .set({ id: id + 100 })
      .where('id', '=', id)
      .execute()
    await late.keepLooking(NOW)
    // Before the first look it had its number, and after it was committed; and once more between two others.
    await addRow(store, HOUR + 5, id + 50)
    await lookAgain(late, NOW + LOOK)
    const first = late.look
    expect(late.hasChanged(HOUR + 6, 0)).toBe(true)
    await addRow(store, NOW, id + 200)
    await lookAgain(late, NOW + 2 * LOOK)
    expect(late.hasChanged(HOUR + DAY, first)).toBe(false)
    const second = late.look
    await addRow(store, HOUR + 5, id + 150)
    await lookAgain(late, NOW + 3 * LOOK)
    expect(late.hasChanged(HOUR + 6, second)).toBe(true)
    const third = late.look
    await lookAgain(late, NOW + 4 * LOOK)
    expect(late.hasChanged(NOW, third)).toBe(false)
  })

  test('are counted once they have been found, and until then nothing is read again', async () => {
    const store = await fresh()
    const { db } = store
    const late = new LateRows(db)
    const kept = keptUsage(db, late)
    const requests = async (now: number): Promise<number> => {
      const { rows } = await countUsage(db, now, by({}), undefined, kept)
      return rows.reduce((sum, row) => sum + row.requests, 0)
    }
    const all = await requests(NOW)
    expect(all).toBe(60)
    await db.updateTable('usage_hourly').set({ requests: 100 }).where('hour', '=', HOUR).execute()
    // Hours later, and after a look: no row has come, so the day is what it was.
    await lookAgain(late, NOW + LOOK)
    expect(await requests(NOW + 6 * 3600)).toBe(all)
    await addRow(store, HOUR + 5)
    await lookAgain(late, NOW + 7 * 3600)
    expect(await requests(NOW + 7 * 3600)).toBeGreaterThan(all)
  })

  test('or none: what was given back for a day that is just over is seen within the hour', async () => {
    const { db } = await fresh()
    const kept = keptUsage(db, new LateRows(db))
    const requests = async (now: number): Promise<number> => {
      const { rows } = await countUsage(db, now, by({}), undefined, kept)
      return rows.reduce((sum, row) => sum + row.requests, 0)
    }
    const soon = HOUR + 2.5 * DAY
    const all = await requests(soon)
    await db.updateTable('usage_hourly').set({ requests: 100 }).where('hour', '=', HOUR).execute()
    expect(await requests(soon + 1800)).toBe(all)
    expect(await requests(soon + 3660)).toBeGreaterThan(all)
  })

  test('or none: what days had is known before a model, a channel or a group is asked for', async () => {
    const store = await fresh()
    const { db, engine: kind } = store
    const source = { db, engine: kind, days: new DaysOfCalls(db, kind, () => NOW, new LateRows(db)) }
    await source.days.prepare()
    await db.deleteFrom('usage_hourly').execute()
    // Asked once more, it does not begin anew.
    await source.days.prepare()
    for (const asked of [{ model_name: 'even_m' }, { channel: 4 }, { group: 'default' }]) {
      const filter = await readFilter(source, { ...anything, ...asked })
      const { total } = await listLogs(source, filter, page({ p: 100 }), 'admin')
      expect(total).toBe('model_name' in asked ? 30 : 60)
    }
  })
})
