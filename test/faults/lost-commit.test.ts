import { afterAll, expect, test } from 'bun:test'
import { until } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { withProxiedHouse } from './proxied-house.ts'

afterAll(dropAll)

const TIMES = 12

test.concurrent.each(
  engines.filter(({ name }) => name !== 'sqlite').map(engine => [engine.name, engine] as const),
)(
  'a commit that was carried out and never acknowledged is neither lost nor done twice (%s)',
  async (_name, engine) => {
    await withProxiedHouse(engine, async ({ house, proxy, proxied }) => {
      const gateway = await house.start({ DATABASE_URL: proxied })
      const load = house.load(gateway)
      load.start(40)
      for (let time = 1; time <= TIMES; time++) {
        const before = load.sights.length
        proxy.loseNextReply()
        await until(() => proxy.lost === time)
        // Some calls go through in between.
        await until(() => load.sights.length > before + 20)
      }
      await load.stop()
      expect(await house.faults(load.sights, { unharmed: true })).toEqual([])
      expect(load.sights.some(({ done }) => done)).toBe(true)
    })
  },
  600_000,
)
