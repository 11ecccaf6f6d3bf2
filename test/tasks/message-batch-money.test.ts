import { afterAll, expect, test } from 'bun:test'
import { dropAll, engines } from '../services/databases.ts'
import { startAnthropicBatches } from '../upstreams/anthropic-batches/start-anthropic-batches.ts'
import { openTaskHouse } from './house.ts'
import { killTwice, times } from './kill-twice.ts'
import { MODEL, request } from './message-batch-house.ts'

/** 80 tokens, 20 from a cache and 8 into it, 4 for an hour at eight fifths, and 30 of output at three times the price. */
const EACH = 80 + 20 + 8 + (4 * 8) / 5 + 30 * 3
/** Twice as dear. */
const DEARER = 'claude-dearer'
/** What one of each costs in a batch, which is rounded once for each model. */
const PAID = Math.round(EACH / 2) + Math.round((2 * EACH) / 2)
const all = [request(0), request(1, { model: DEARER }), request(2)]

afterAll(dropAll)

test.each(engines)('on $name: killed while batches begin, and again while they end', async engine => {
  const DATABASE_URL = await engine.freshUrl()
  const upstream = startAnthropicBatches()
  const house = await openTaskHouse(
    async rig => {
      await rig.addChannel({ type: 14, baseUrl: upstream.url, key: upstream.key, models: [MODEL, DEARER] })
      const both = (one: number, other = one) => JSON.stringify({ [MODEL]: one, [DEARER]: other })
      await rig.setOption('ModelRatio', both(1, 2))
      await rig.setOption('CompletionRatio', both(3))
      await rig.setOption('CacheRatio', both(1))
      await rig.setOption('CreateCacheRatio', both(1))
    },
    { DATABASE_URL },
    times,
  )
  const path = '/v1/messages/batches'
  // Not every engine has a NUL in its texts.
  for (const query of ['after_id=%00', 'before_id=%00'])
    expect((await house.call('GET', `${path}?${query}`)).status).toBe(400)
  await killTwice({
    ...{ house, DATABASE_URL, paid: PAID, isKnownBefore: false },
    theirs: () => [...upstream.batches.keys()],
    async begin() {
      const { status, json } = await house.call('POST', path, { requests: all })
      return status === 200 ? json.id : undefined
    },
    endAll() {
      for (const batch of upstream.batches.values()) upstream.end(batch, { succeeded: 2, errored: 1 })
    },
    look: (url, id) => fetch(`${url}${path}/${id}`, { headers: { 'x-api-key': house.payer.key } }),
  })
  expect(upstream.complaints).toEqual([])
  await house.close()
  await upstream.stop()
})
