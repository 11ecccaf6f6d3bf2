import { afterAll, expect, test } from 'bun:test'
import { dropAll, engines } from '../services/databases.ts'
import { openHouse } from './house.ts'
import { killRounds } from './kill-rounds.ts'

afterAll(dropAll)

const plans = {
  sqlite: { rounds: 20, clients: 25, auditEvery: 20 },
  postgres: { rounds: 5, clients: 25, auditEvery: 20 },
  mariadb: { rounds: 5, clients: 25, auditEvery: 20 },
}

test.concurrent.each(engines.map(engine => [engine.name, engine] as const))(
  'kill -9 again and again under load loses nothing and charges nothing twice (%s)',
  async (name, engine) => {
    const house = await openHouse(await engine.freshUrl())
    try {
      const { faults, done, broken, checkpoints } = await killRounds(house, plans[name])
      expect(faults).toEqual([])
      // All kinds must have happened, or nothing was tried.
      expect(done).toBeGreaterThan(0)
      expect(broken).toBeGreaterThan(0)
      expect(checkpoints).toBeGreaterThan(0)
    } finally {
      await house.close()
    }
  },
  600_000,
)
