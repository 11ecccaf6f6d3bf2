import { afterAll, afterEach, expect, test } from 'bun:test'
import { startTcpProxy } from '../../../test/faults/tcp-proxy.ts'
import { until } from '../../../test/program.ts'
import { openSampleStore } from '../../../test/sample-store.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import { BunSqlDialect } from '../bun-sql/bun-sql-dialect.ts'
import { Bus } from './bus.ts'
import { postgresTransport } from './postgres-transport.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
afterAll(dropAll)

/** A store whose changes another bus hears of, which never looks by itself and may hear by another way. */
async function openListener() {
  const url = (await engines.find(({ name }) => name === 'postgres')?.freshUrl()) ?? ''
  const store = await openSampleStore(url)
  closing.push(() => store.close())
  const through = new URL(url)
  const proxy = await startTcpProxy(Number(through.port))
  closing.push(() => proxy.close())
  through.port = String(proxy.port)
  const { pool } = new BunSqlDialect('postgres', url)
  closing.push(() => pool.sql.close({ timeout: 0 }))
  const { newListener } = new BunSqlDialect('postgres', through.href)
  const bus = new Bus(store.db, store.engine)
  await bus.noteRevisions()
  const transport = await postgresTransport(bus, { pool, newListener }, 'there')
  bus.attach(transport)
  closing.push(() => bus.close())
  let heard = 0
  bus.on('options', () => void heard++)
  const change = () => store.change('options', async () => {})
  /** Changes until one is heard of. */
  const carry = async (): Promise<void> => {
    const before = heard
    await until(async () => {
      await change()
      return heard > before
    })
  }
  return { proxy, transport, carry, change, heard: () => heard }
}

test('what a line that has fallen silent kept back is heard when another has taken its place', async () => {
  const { proxy, transport, carry, change, heard } = await openListener()
  await carry()
  proxy.silence()
  const missed = heard()
  await change()
  // Who knows that nobody brings word looks by itself, and more often.
  await until(() => !transport.reachesNodes)
  await until(() => transport.reachesNodes && heard() > missed)
  await carry()
})

test('a line that is cut is made again, and what was changed meanwhile is heard', async () => {
  const { proxy, carry, change, heard } = await openListener()
  await carry()
  await proxy.cut()
  const missed = heard()
  await change()
  await proxy.mend()
  await until(() => heard() > missed)
  await carry()
  expect(heard()).toBeGreaterThan(missed)
})
