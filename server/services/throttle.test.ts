import { afterAll, describe, expect, test } from 'bun:test'
import { openSampleStore } from '../../test/sample-store.ts'
import { dropAll, engines } from '../../test/services/databases.ts'
import { countAttempt } from './throttle.ts'

afterAll(dropAll)

describe.each(engines.map(engine => [engine.name, engine] as const))('attempts on %s', (_name, engine) => {
  test('each of many at once, on two nodes, is told its own number; another window begins anew', async () => {
    const url = await engine.freshUrl()
    const stores = [await openSampleStore(url), await openSampleStore(url)]
    let at = 1_700_000_000
    const attempt = (node: number) => {
      const store = stores[node % 2]
      if (!store) throw new Error('no store')
      return countAttempt({ store, now: () => at }, 'k', 60)
    }
    try {
      const counted = await Promise.all(Array.from({ length: 20 }, (_, node) => attempt(node)))
      expect(counted.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
      at += 60
      expect([await attempt(0), await attempt(1)]).toEqual([1, 2])
    } finally {
      for (const store of stores) await store.close()
    }
  })
})
