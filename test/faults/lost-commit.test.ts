import { afterAll, expect, test } from 'bun:test'
import { until } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { openHouse } from './house.ts'
import { startTcpProxy } from './tcp-proxy.ts'

afterAll(dropAll)

const TIMES = 12

test.each(engines.filter(({ name }) => name !== 'sqlite').map(engine => [engine.name, engine] as const))(
  'a commit that was carried out and never acknowledged is neither lost nor done twice (%s)',
  async (_name, engine) => {
    const direct = await engine.freshUrl()
    const url = new URL(direct)
    const proxy = await startTcpProxy(Number(url.port))
    url.port = String(proxy.port)
    const house = await openHouse(direct)
    try {
      const spender = await house.spend(url.href)
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
    } finally {
      await house.close()
      await proxy.close()
    }
  },
  60_000,
)
