import { afterAll, expect, test } from 'bun:test'
import { rootClient } from '../client.ts'
import { until } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { makeCall, type Sight } from './load.ts'
import { withProxiedHouse } from './proxied-house.ts'

afterAll(dropAll)

test.concurrent.each(
  engines.filter(({ name }) => name !== 'sqlite').map(engine => [engine.name, engine] as const),
)(
  'connections that fall silent for good, and are never cut, are given up and made anew (%s)',
  async (_name, engine) => {
    await withProxiedHouse(engine, async ({ house, proxy, proxied }) => {
      const gateway = await house.start({ DATABASE_URL: proxied })
      const root = await rootClient(gateway.url)
      await root.liftLimits()
      // As many as there may be.
      await Promise.all(Array.from({ length: 20 }, () => root.get('/api/log/?p=0')))
      proxy.silence()
      const sights: Sight[] = []
      await until(async () => {
        const call = { id: `call-${sights.length}`, payer: house.payers[0], tokens: 3, most: 5 }
        const sight = await makeCall(gateway, call)
        sights.push(sight)
        return sight.done
      })
      await until(async () => (await fetch(`${gateway.url}/readyz`)).status === 200)
      const answers = await Promise.all(Array.from({ length: 20 }, () => root.get('/api/user/self')))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      expect(await house.faults(sights, { unharmed: true })).toEqual([])
    })
  },
)
