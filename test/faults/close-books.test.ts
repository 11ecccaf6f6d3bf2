import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { readMonth } from '../../server/ledger/closing/closed-months.ts'
import { dropAll, engines } from '../services/databases.ts'
import { openOldBooks } from '../services/old-books.ts'
import { newSeed, seeded } from './random.ts'

const CALLS = 1500
const KILLS = 6
const AT_ONCE = 50

afterAll(dropAll)

describe.each(engines.map(engine => [engine.name, engine] as const))('on %s', (_name, engine) => {
  test('books whose closing is killed again and again are right, and closed in the end', async () => {
    const seed = newSeed()
    const random = seeded(seed)
    const url = await engine.freshUrl()
    const books = await openOldBooks(url)
    for (let made = 0; made < CALLS; made += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, () => books.call(random(0, 9))))
    const before = await books.balances()
    books.setDay('2026-05-20')
    for (let kill = 0; kill < KILLS; kill++) {
      const script = join(import.meta.dir, '..', 'services', 'close-old-books.ts')
      const child = Bun.spawn([process.execPath, script, url, books.dataDir, String(books.clock.now)], {
        ...{ stdout: 'pipe', stderr: 'inherit' },
      })
      const reader = child.stdout.getReader()
      await reader.read()
      await Bun.sleep(random(0, 150))
      child.kill('SIGKILL')
      await child.exited
      expect([seed, await books.faults()]).toEqual([seed, []])
      expect([seed, await books.balances()]).toEqual([seed, before])
    }
    await books.close()
    expect(await readMonth(books.store, '2026-01')).toMatchObject({ state: 'closed', calls: CALLS })
    expect([seed, await books.faults()]).toEqual([seed, []])
    expect([seed, await books.balances()]).toEqual([seed, before])
    await books.end()
  })
})
