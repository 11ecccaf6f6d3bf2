import { afterAll, expect, test } from 'bun:test'
import { rootClient } from '../client.ts'
import { spawnProgram, until } from '../program.ts'
import { dropAll, engines } from '../services/databases.ts'
import { startPgbouncer } from '../services/pgbouncer.ts'
import { openHouse } from './house.ts'
import { killRounds } from './kill-rounds.ts'

afterAll(dropAll)

async function withPooler(work: (url: string) => Promise<void>): Promise<void> {
  const postgres = engines.find(({ name }) => name === 'postgres')
  const pooler = await startPgbouncer((await postgres?.freshUrl()) ?? '')
  try {
    await work(pooler.url)
  } finally {
    await pooler.close()
  }
}

test(
  'behind a pooler that shares sessions, kill -9 under load loses nothing either, and workers hear of changes',
  () =>
    withPooler(async url => {
      const house = await openHouse(`${url}?pgbouncer=true`)
      try {
        const { faults, done, broken } = await killRounds(house, { rounds: 3, clients: 25, auditEvery: 3 })
        expect(faults).toEqual([])
        expect(done).toBeGreaterThan(0)
        expect(broken).toBeGreaterThan(0)
        const [one, other] = [await house.start(), await house.start()]
        await (await rootClient(one.url)).saveOption('SystemName', 'Renamed')
        await until(async () => (await (await fetch(`${other.url}/api/status`)).text()).includes('Renamed'))
      } finally {
        await house.close()
      }
    }),
  600_000,
)

test(
  'without the word for it the start says what to write',
  () =>
    withPooler(async url => {
      const program = spawnProgram({ DATABASE_URL: url })
      expect(await program.exited).toBe(78)
      expect(program.output()).toContain('add ?pgbouncer=true to DATABASE_URL')
      expect(program.output()).not.toMatch(/^\s+at /m)
    }),
  600_000,
)
