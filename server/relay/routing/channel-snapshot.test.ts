import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { handClock, insertChannel, sampleInsert } from '../../../test/relay/sample-channels.ts'
import { openSampleStore } from '../../../test/sample-store.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import type { Store } from '../../store/index.ts'
import { channelKeyPlace } from '../../store/sealed-places.ts'
import { ChannelHealth } from './channel-health.ts'
import type { Candidates } from './channel-index.ts'
import { ChannelSnapshot } from './channel-snapshot.ts'

const [sqlite] = engines
const open: Store[] = []

async function openOn(url: string): Promise<Store> {
  const store = await openSampleStore(url)
  open.push(store)
  return store
}

const freshUrl = async (): Promise<string> => (await sqlite?.freshUrl()) ?? ''
const fresh = async (): Promise<Store> => openOn(await freshUrl())
const idsOf = (candidates: Candidates): number[][] => candidates.map(tier => tier.map(({ id }) => id))

async function update(store: Store, id: number, set: Record<string, string | number | null>): Promise<void> {
  await store.change('channels', async transaction => {
    await transaction.updateTable('channels').set(set).where('id', '=', id).execute()
  })
}

afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})
afterAll(dropAll)

describe('the channels in memory', () => {
  test('are found by group and model, in tiers by priority; disabled ones only by id', async () => {
    const store = await fresh()
    await insertChannel(store, { id: 1, models: 'a,b', priority: 5 })
    await insertChannel(store, { id: 2, models: 'b', group: 'default,vip', priority: 9 })
    await insertChannel(store, { id: 3, models: 'b,c', priority: 5 })
    await insertChannel(store, { id: 4, models: 'b,z', priority: -1, status: 2 })
    await insertChannel(store, { id: 5, models: 'b', priority: -1 })
    const snapshot = await ChannelSnapshot.load(store)
    const table: [string, string, number[][]][] = [
      ['default', 'b', [[2], [1, 3], [5]]],
      ['default', 'a', [[1]]],
      ['vip', 'b', [[2]]],
      ['vip', 'a', []],
      ['default', 'z', []],
      ['default', '__proto__', []],
      ['nobody', 'b', []],
    ]
    for (const [group, model, expected] of table)
      expect(idsOf(snapshot.candidates(group, model))).toEqual(expected)
    expect(snapshot.candidates('default', 'b')).toBe(snapshot.candidates('default', 'b'))
    expect([snapshot.modelsOf('default'), snapshot.modelsOf('vip'), snapshot.modelsOf('x')]).toEqual([
      ['a', 'b', 'c'],
      ['b'],
      [],
    ])
    expect([snapshot.byId(4)?.status, snapshot.byId(99)]).toEqual([2, undefined])
    expect(snapshot.all().map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
  })

  test('follow every change, and keep the health of those that did not change', async () => {
    const store = await fresh()
    await insertChannel(store, { id: 1, models: 'a,b', key: 'sk-one' })
    await insertChannel(store, { id: 2, models: 'a', key: 'sk-two' })
    const clock = handClock()
    const health = new ChannelHealth(clock)
    const snapshot = await ChannelSnapshot.load(store, clock)
    const [one, two] = [snapshot.byId(1), snapshot.byId(2)]
    if (!one || !two) throw new Error('both are there')
    expect([one.nextKey(), two.nextKey()]).toEqual(['sk-one', 'sk-two'])
    for (const channel of [one, two]) health.failed(channel, 'a', { kind: 'rate' })

    const key_sealed = store.cipher.seal(channelKeyPlace(2), 'sk-new')
    await update(store, 2, { key_sealed, models: 'c', group: 'vip' })
    await update(store, 1, { response_time: 5, used_quota: 7, balance: 9, other_info: '{}', test_time: 3 })
    expect(snapshot.byId(1)).toBe(one)
    expect(health.isUsable(one, 'a')).toBe(false)
    const renewed = snapshot.byId(2)
    if (!renewed) throw new Error('it is there')
    expect(renewed).not.toBe(two)
    expect([renewed.nextKey(), health.isUsable(renewed, 'a')]).toEqual(['sk-new', true])
    expect(idsOf(snapshot.candidates('default', 'a'))).toEqual([[1]])
    expect(idsOf(snapshot.candidates('vip', 'c'))).toEqual([[2]])

    await update(store, 1, { status: 3 })
    expect(snapshot.candidates('default', 'a')).toEqual([])
    expect(snapshot.modelsOf('default')).toEqual([])
    await update(store, 1, { status: 1, priority: 4 })
    expect(idsOf(snapshot.candidates('default', 'b'))).toEqual([[1]])
    await store.change('channels', async transaction => {
      await transaction.deleteFrom('channels').where('id', '=', 1).execute()
    })
    await insertChannel(store, { id: 3, models: 'b' })
    expect([snapshot.byId(1), idsOf(snapshot.candidates('default', 'b'))]).toEqual([undefined, [[3]]])
  })

  test('are never older than the change that was awaited, however many come at once', async () => {
    const store = await fresh()
    await insertChannel(store, { id: 1 })
    const snapshot = await ChannelSnapshot.load(store)
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await insertChannel(store, { id: 10 + index })
        expect(snapshot.byId(10 + index)?.id).toBe(10 + index)
      }),
    )
    expect(snapshot.all().length).toBe(21)
  })

  test('hear of what another process has changed', async () => {
    const url = await freshUrl()
    const [here, there] = [await openOn(url), await openOn(url)]
    const snapshot = await ChannelSnapshot.load(here)
    await insertChannel(there, { id: 1 })
    await here.bus.catchUp()
    expect(snapshot.byId(1)?.key).toBe('sk-sample-key')
  })

  test('stay as they were when the database cannot be read, and are read again after that', async () => {
    const store = await fresh()
    await insertChannel(store, { id: 1 })
    const snapshot = await ChannelSnapshot.load(store)
    await sql`alter table channels rename to lost_channels`.execute(store.db)
    const results = await Promise.allSettled([snapshot.refresh(), snapshot.refresh()])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(idsOf(snapshot.candidates('default', 'm'))).toEqual([[1]])
    await sql`alter table lost_channels rename to channels`.execute(store.db)
    await insertChannel(store, { id: 2 })
    expect(idsOf(snapshot.candidates('default', 'm'))).toEqual([[1, 2]])
  })

  test('may be ten thousand, of which a change makes one anew', async () => {
    const store = await fresh()
    const models = Array.from({ length: 50 }, (_, index) => `model-${index}`).join(',')
    const rows = Array.from({ length: 10_000 }, (_, index) =>
      sampleInsert({ id: index + 1, models, priority: index % 3, key_sealed: '' }),
    )
    await store.change('channels', async transaction => {
      for (let from = 0; from < rows.length; from += 500)
        await transaction
          .insertInto('channels')
          .values(rows.slice(from, from + 500))
          .execute()
    })
    const snapshot = await ChannelSnapshot.load(store)
    const before = snapshot.all()
    expect(snapshot.candidates('default', 'model-7').map(tier => tier.length)).toEqual([3333, 3333, 3334])
    await update(store, 500, { weight: 3 })
    const renewed = snapshot.all().filter((channel, index) => channel !== before[index])
    expect(renewed.map(({ id, weight }) => [id, weight])).toEqual([[500, 3]])
    const served = snapshot.candidates('default', 'model-7').flat()
    expect(served.find(({ id }) => id === 500)?.weight).toBe(3)
    await store.change('channels', async transaction => {
      await transaction.deleteFrom('channels').where('id', '>', 2000).execute()
    })
    expect(snapshot.all().length).toBe(2000)
    expect(snapshot.candidates('default', 'model-7').flat().length).toBe(2000)
  })
})
