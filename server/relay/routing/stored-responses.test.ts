import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { handClock } from '../../../test/relay/sample-channels.ts'
import { openSampleStore } from '../../../test/sample-store.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import { configureLog } from '../../log.ts'
import type { Store } from '../../store/index.ts'
import { sweepStored } from '../../store/stored-responses.ts'
import { StoredResponses } from './stored-responses.ts'

const DAY = 86_400
const stores: Store[] = []
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
})
afterAll(dropAll)

async function open(url: string): Promise<Store> {
  const store = await openSampleStore(url)
  stores.push(store)
  return store
}

const one = { userId: 7, channelId: 2, tokenId: 5, keyMark: 'a1b2' }

describe.each(engines.map(engine => [engine.name, engine] as const))(
  'what an upstream stores, on %s',
  (_name, engine) => {
    test('is found by another process, for 30 days', async () => {
      const url = await engine.freshUrl()
      let now = 1_800_000_000
      const [here, there] = [
        new StoredResponses(await open(url), () => now),
        new StoredResponses(await open(url), () => now),
      ]
      await here.note(['response 7 a', 'item b'], one)
      expect(here.find(['response 7 a', 'item b'])).toEqual(
        new Map([
          ['response 7 a', one],
          ['item b', one],
        ]),
      )
      expect(await there.find(['item b', 'response 8 a', 'response 7 a'])).toEqual(
        new Map([
          ['item b', one],
          ['response 7 a', one],
        ]),
      )
      // Known there by now.
      expect(there.find(['item b'])).toEqual(new Map([['item b', one]]))
      const third = new StoredResponses(await open(url), () => now)
      now += 30 * DAY
      expect(await third.find(['item b'])).toEqual(new Map())
    })

    test('may be many and come twice, at once and from two processes', async () => {
      const url = await engine.freshUrl()
      const [first, second] = [await open(url), await open(url)]
      const now = () => 1_800_000_000
      const both = [new StoredResponses(first, now), new StoredResponses(second, now)]
      const names = Array.from({ length: 450 }, (_, at) => `item ${at}`)
      await Promise.all(
        both.flatMap(stored => [
          stored.note(names, one),
          stored.note(names.toReversed(), { ...one, userId: 8, channelId: 3 }),
          ...names.slice(0, 20).map(name => stored.note([name], one)),
        ]),
      )
      const found = await new StoredResponses(await open(url), now).find(names)
      expect(found.size).toBe(450)
    })

    test('is swept when it is old, and the oldest when there is too much', async () => {
      const store = await open(await engine.freshUrl())
      let now = 1_800_000_000
      const stored = new StoredResponses(store, () => now)
      for (const name of ['a', 'b', 'c', 'd']) {
        await stored.note([name], one)
        now += DAY
      }
      const many = async () => (await store.db.selectFrom('kept_answers').selectAll().execute()).length
      await sweepStored(store, now, 4)
      expect(await many()).toBe(4)
      await sweepStored(store, now, 3)
      expect(await many()).toBe(3)
      await sweepStored(store, now + 28 * DAY)
      expect(await many()).toBe(1)
    })
  },
)

/** What was not known without the database. */
function asked(finding: ReturnType<StoredResponses['find']>) {
  expect(finding).toBeInstanceOf(Promise)
  return finding
}

test('in this process the newest are known without asking, for an hour', async () => {
  const store = await open((await engines[0]?.freshUrl()) ?? '')
  const clock = handClock()
  const stored = new StoredResponses(store, () => 1_800_000_000, clock, 3)
  for (const name of ['a', 'b', 'c', 'd']) await stored.note([name], one)
  expect(await asked(stored.find(['a']))).toEqual(new Map([['a', one]]))
  expect(stored.find(['d'])).toEqual(new Map([['d', one]]))
  clock.passes(3_600_000)
  expect(await asked(stored.find(['d']))).toEqual(new Map([['d', one]]))
})

test('without a database this process knows it all the same', async () => {
  const store = await open((await engines[0]?.freshUrl()) ?? '')
  const stored = new StoredResponses(store, () => 1_800_000_000)
  await store.db.schema.dropTable('kept_answers').execute()
  configureLog({ level: 'error', write: () => {} })
  await stored.note(['a'], one)
  configureLog({ level: 'info', write: line => process.stdout.write(line) })
  expect(stored.find(['a'])).toEqual(new Map([['a', one]]))
})
