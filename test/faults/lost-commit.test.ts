import { afterAll, expect, test } from 'bun:test'
import { until } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { withProxiedHouse } from './proxied-house.ts'

afterAll(dropAll)

const TIMES = 12

test.each(engines.filter(({ name }) => name !== 'sqlite').map(engine => [engine.name, engine] as const))(
  'a commit that was carried out and never acknowledged is neither lost nor done twice (%s)',
  async (_name, engine) => {
    await withProxiedHouse(engine, async ({ house, proxy, proxied }) => {
      const spender = await house.spend(proxied)
      const load = house.load(() => spender)
      load.start(40)
      for (let time = 1; time <= TIMES; time++) {
        const before = load.sights.length
        proxy.loseNextReply()
        await until(() => proxy.lost === time)
        // Some calls go through in between.
        await until(() => load.sights.length > before + 20)
      }
      await load.stop()
      expect(await house.faults(load.sights)).toEqual([])
      expect(load.sights.some(({ charge }) => charge !== undefined)).toBe(true)
    })
  },
  60_000,
)
