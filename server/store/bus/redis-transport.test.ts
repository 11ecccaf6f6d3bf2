import { afterAll, afterEach, expect, test } from 'bun:test'
import { until } from '../../../test/program.ts'
import { openSampleStore } from '../../../test/sample-store.ts'
import { dropAll, engines, startRedis } from '../../../test/services/databases.ts'
import type { Store } from '../index.ts'
import { putRow } from '../upsert.ts'
import { Bus, type Transport } from './bus.ts'
import { redisTransport } from './redis-transport.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
afterAll(dropAll)

async function openStores(redisUrl: string | undefined, count = 2): Promise<Store[]> {
  const url = (await engines[0]?.freshUrl()) ?? ''
  const stores = []
  for (let at = 0; at < count; at++) stores.push(await openSampleStore(url, { redisUrl }))
  closing.push(...stores.map(store => () => store.close()))
  return stores
}

/** Until a change made here is in force there. */
async function carry(here: Store, there: Store, name: string): Promise<void> {
  await here.change('options', transaction =>
    putRow(transaction, here.engine, 'options', { key: 'SystemName' }, { value: name, updated_at: 1 }),
  )
  await until(() => there.settings.get('SystemName') === name)
}

/** Knows its last look, which is begun when Redis is there, and may be slower than what is changed after that. */
class WatchedBus extends Bus {
  look = Promise.resolve()

  override catchUp(): Promise<void> {
    this.look = super.catchUp()
    return this.look
  }
}

/** Who never looks by itself: whatever it hears comes through Redis, or because Redis is back. */
async function listen(store: Store, redisUrl: string, self: string) {
  const bus = new WatchedBus(store.db, store.engine)
  await bus.noteRevisions()
  const transport: Transport = await redisTransport(bus, redisUrl, self)
  bus.attach(transport)
  closing.push(() => bus.close())
  const node = { bus, transport, heard: 0 }
  bus.on('options', () => void node.heard++)
  return node
}

test('a Redis that is lost is taken again when it is back, and what was missed meanwhile is told', async () => {
  const redis = await startRedis()
  closing.push(() => redis.close())
  const [store] = await openStores(undefined, 1)
  if (!store) throw new Error('no store')
  const [here, there] = [await listen(store, redis.url, 'here'), await listen(store, redis.url, 'there')]
  const isUp = () => here.transport.reachesNodes && there.transport.reachesNodes
  const change = async () => {
    await store.transaction(transaction => here.bus.mark(transaction, 'options'))
    await here.bus.announce('options')
  }
  await until(isUp)
  for (let round = 0; round < 2; round++) {
    // What is changed before a look has ended would be told twice, the second time at any later moment.
    await Promise.all([here.bus.look, there.bus.look])
    const before = there.heard
    await change()
    await until(() => there.heard > before)

    await redis.stop('crash')
    // Who knows that nobody brings word looks more often.
    await until(() => !here.transport.reachesNodes && !there.transport.reachesNodes)
    const [own, missed] = [here.heard, there.heard]
    for (let at = 0; at < 3; at++) await change()
    expect(here.heard).toBeGreaterThanOrEqual(own + 3)
    expect(there.heard).toBe(missed)

    await redis.start()
    await until(() => isUp() && there.heard > missed)
  }
})

test('a start and a change do without a Redis that is not there', async () => {
  const redis = await startRedis()
  closing.push(() => redis.close())
  await redis.stop('crash')
  const [here, there] = await openStores(redis.url)
  if (!here || !there) throw new Error('no store')
  for (const name of ['without', 'still without']) await carry(here, there, name)
  await redis.start()
  await carry(here, there, 'with')
})

test('and without one that takes connections and never says a word', async () => {
  const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } })
  closing.push(() => silent.stop(true))
  const [here, there] = await openStores(`redis://127.0.0.1:${silent.port}`)
  if (!here || !there) throw new Error('no store')
  await carry(here, there, 'alone')
})
