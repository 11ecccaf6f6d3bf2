import { afterAll, expect, test } from 'bun:test'
import { until } from '../../../test/program.ts'
import { openSampleStore } from '../../../test/sample-store.ts'
import { dropAll, engines, startRedis } from '../../../test/services/databases.ts'
import type { Store } from '../index.ts'
import { putRow } from '../upsert.ts'

afterAll(dropAll)

/** Sooner than who trusts in Redis would look by itself, and than a client of Redis gives up by itself. */
const SOON_MS = { change: 4500, start: 9000 }

/** How long a change made here takes to be in force there. */
async function carried(here: Store, there: Store, name: string): Promise<number> {
  await here.change('options', transaction =>
    putRow(transaction, here.engine, 'options', { key: 'SystemName' }, { value: name, updated_at: 1 }),
  )
  const began = performance.now()
  await until(() => there.settings.get('SystemName') === name)
  return performance.now() - began
}

test('a Redis that is away delays neither a start nor a change by much, and is taken again when it is back', async () => {
  const redis = await startRedis()
  const url = (await engines[0]?.freshUrl()) ?? ''
  await redis.stop('crash')
  const began = performance.now()
  const options = { redisUrl: redis.url }
  const [here, there] = [await openSampleStore(url, options), await openSampleStore(url, options)]
  try {
    expect(performance.now() - began).toBeLessThan(SOON_MS.start)
    expect(await carried(here, there, 'without')).toBeLessThan(SOON_MS.change)
    for (const round of ['first', 'second']) {
      await redis.start()
      // The poll comes every 700 ms at best: a tenth of that is Redis.
      await until(async () => (await carried(here, there, `${round} ${performance.now()}`)) < 70)
      await redis.stop('crash')
      for (const at of [1, 2, 3])
        expect(await carried(here, there, `${round}, gone ${at}`)).toBeLessThan(SOON_MS.change)
    }
  } finally {
    await here.close()
    await there.close()
    await redis.close()
  }
}, 180_000)
