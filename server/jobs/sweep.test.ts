import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { NoticeReceiver, readNotice } from '../../test/notice-receiver.ts'
import { openSampleStore } from '../../test/sample-store.ts'
import { dropAll, engines } from '../../test/services/databases.ts'
import { configureLog } from '../log.ts'
import { createOutbound } from '../outbound/client.ts'
import { storedValue } from '../services/options.ts'
import { newUser } from '../services/setup.ts'
import type { Store } from '../store/index.ts'
import { keepHouse, tellOfNewer } from './sweep.ts'

const stores: Store[] = []
let lines: string[] = []

beforeEach(() => {
  lines = []
  configureLog({ level: 'info', write: line => lines.push(line) })
})
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
})
afterAll(async () => {
  configureLog({ level: 'info', write: line => process.stdout.write(line) })
  await dropAll()
})

async function openOn(name: string): Promise<Store> {
  const url = (await engines.find(engine => engine.name === name)?.freshUrl()) ?? ''
  const store = await openSampleStore(url)
  stores.push(store)
  return store
}

const outbound = createOutbound()
const receiver = new NoticeReceiver()
afterAll(() => receiver.close())

async function hearOfNews(store: Store): Promise<void> {
  const key = 'OpsWebhookUrl'
  const value = storedValue(store, key, receiver.url)
  await store.change('options', async transaction => {
    await transaction.insertInto('options').values({ key, value, updated_at: 1 }).execute()
  })
}

const told = (message: string) => lines.filter(line => line.includes(message)).length

describe('housekeeping', () => {
  test('that fails has made the partitions of the log all the same', async () => {
    const store = await openOn('postgres')
    await sql`drop table ledger_entries`.execute(store.db)
    const now = () => Date.UTC(2031, 4, 1) / 1000
    await store.db.insertInto('throttles').values({ key: 'old', window_start: 1, count: 1 }).execute()
    await keepHouse({ store, settings: store.settings, outbound, now, steadyNow: now })
    expect(told('housekeeping failed')).toBe(1)
    const { rows } = await sql<{ n: number }>`select count(*) as n from logs_2031_06`.execute(store.db)
    expect(rows[0]?.n).toBe(0)
    const keys = await store.db.selectFrom('throttles').select('key').execute()
    expect(keys).toEqual([{ key: 'job:audit' }])
  })

  test('tells that a newer program has changed the database under this one', async () => {
    const store = await openOn('sqlite')
    expect([await tellOfNewer({ store }), told('a newer Tollgate')]).toEqual([false, 0])
    await sql`insert into kysely_migration (name, timestamp) values ('9999-to-come', 'then')`.execute(
      store.db,
    )
    expect([await tellOfNewer({ store }), told('9999-to-come')]).toEqual([true, 1])
  })

  test('proves the books once an hour, however many processes keep house', async () => {
    const store = await openOn('sqlite')
    const row = { ...newUser('ann', 'x', 1), quota: 5 }
    await store.db.insertInto('users').values(row).execute()
    let at = 1_800_000_000
    const now = () => at
    const node = { store, settings: store.settings, outbound, now, steadyNow: now }
    await keepHouse(node)
    await keepHouse(node)
    expect(told('the books do not agree')).toBe(1)
    await hearOfNews(store)
    at += 3600
    await keepHouse(node)
    expect(told('the books do not agree')).toBe(2)
    expect(readNotice(await receiver.next())).toMatchObject({ type: 'ledger_audit', timestamp: at })
  })
})
