import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { until } from '../../test/program.ts'
import { openSampleStore } from '../../test/sample-store.ts'
import { dropAll, engines } from '../../test/services/databases.ts'
import type { Store } from '../store/index.ts'
import { BackgroundWork, type Progress, workThrough } from './background-work.ts'

const stores: Store[] = []

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
})
afterAll(dropAll)

describe.each(engines.map(engine => [engine.name, engine] as const))(
  'background work on %s',
  (_name, engine) => {
    /** Two processes of one house, and their clock. */
    async function twoNodes() {
      const store = await openSampleStore(await engine.freshUrl())
      stores.push(store)
      const clock = { at: 1000 }
      const node = () => new BackgroundWork({ store, now: () => clock.at })
      return { here: node(), there: node(), clock, store }
    }

    test('of a name one runs at a time, wherever, and its progress is seen everywhere', async () => {
      const { here, there, clock } = await twoNodes()
      const { promise: held, resolve: release } = Promise.withResolvers<void>()
      const work = async (progress: Progress) => {
        await workThrough(progress, [1, 2, 3], 2, async item => {
          await held
          if (item === 2) throw new Error('no')
          return true
        })
      }
      const started = await Promise.all([here, there, here].map(node => node.start('count', work)))
      expect(started.filter(Boolean)).toEqual([true])
      expect(await there.start('other', async () => {})).toBe(true)
      const [row] = await there.list()
      expect([row?.name, row && there.isRunning(row)]).toEqual(['count', true])
      release()
      await Promise.all([here.stop(), there.stop()])
      const [ended] = await there.list()
      expect(ended).toMatchObject({ name: 'count', total: 3, started_at: 1000, ended_at: 1000, cancelled: 0 })
      expect(ended && here.isRunning(ended)).toBe(false)
      clock.at = 1100
      expect(await there.start('count', async () => {}, 999)).toBe(false)
      expect(await there.start('count', async () => {}, 1000)).toBe(true)
      await there.stop()
    })

    test('what another process runs can be stopped from here', async () => {
      const { here, there } = await twoNodes()
      expect(await here.cancel('endless')).toBe(false)
      await there.start(
        'endless',
        ({ signal }) => new Promise(resolve => signal.addEventListener('abort', () => resolve())),
      )
      expect(await here.cancel('endless')).toBe(true)
      const ended = await until(async () => (await here.list()).find(row => !here.isRunning(row)))
      expect(ended.cancelled).toBe(1)
      expect(await here.cancel('endless')).toBe(false)
    })

    test('what died with its process can be started anew', async () => {
      const { here, there, clock, store } = await twoNodes()
      await here.start('fragile', async () => {})
      await here.stop()
      await store.db.updateTable('background_work').set({ ended_at: 0, seen_at: 1000 }).execute()
      clock.at = 1059
      expect(await there.start('fragile', async () => {})).toBe(false)
      clock.at = 1060
      expect(await there.start('fragile', async () => {})).toBe(true)
      await there.stop()
    })

    test('what a clock that went ahead has left is not waited for when it is set right', async () => {
      const { here, there, clock, store } = await twoNodes()
      clock.at = 5000
      await here.start('regular', async () => {})
      await here.stop()
      clock.at = 1400
      expect(await there.start('regular', async () => {}, 1300)).toBe(true)
      await there.stop()
      // The same where its process died.
      await store.db
        .updateTable('background_work')
        .set({ ended_at: 0, started_at: 5000, seen_at: 5000 })
        .execute()
      const [row] = await there.list()
      expect(row && there.isRunning(row)).toBe(false)
      expect(await there.start('regular', async () => {}, 1300)).toBe(true)
      await there.stop()
    })
  },
)
