import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { type Kysely, sql } from 'kysely'
import { openSampleStore } from '../../test/sample-store.ts'
import { dropAll, engines, redisUrl } from '../../test/services/databases.ts'
import { AppError } from '../errors.ts'
import { newUser } from '../services/setup.ts'
import { integer } from './batch/bulk.ts'
import { Bus } from './bus/bus.ts'
import type { Store, StoreOptions } from './index.ts'
import { ensureLogPartitions } from './log-partitions.ts'
import type { Schema } from './schema.ts'
import { UniqueViolation } from './store-error.ts'
import { WrongSecretKey } from './system-facts.ts'
import { putRow } from './upsert.ts'

const open: Store[] = []

async function openOn(url: string, more: Partial<StoreOptions> = {}): Promise<Store> {
  const store = await openSampleStore(url, more)
  open.push(store)
  return store
}

/** `expect().rejects` waits inside a nested event loop, where our threads cannot answer. */
function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    error => error,
  )
}

afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})
afterAll(dropAll)

describe.each(engines.map(engine => [engine.name, engine] as const))('the store on %s', (name, engine) => {
  const fresh = async (): Promise<Store> => openOn(await engine.freshUrl())

  test('of two that start at once on an empty database, one migrates', async () => {
    const url = await engine.emptyUrl()
    const stores = await Promise.all([openOn(url), openOn(url), openOn(url)])
    const ran = stores.flatMap(store => store.migrated)
    expect(ran[0]).toBe('0001-house')
    expect(ran).toEqual([...new Set(ran)].sort())
    expect(new Set(stores.map(store => store.instanceId)).size).toBe(1)
    expect((await openOn(url)).migrated).toEqual([])
  })

  test('numbers of 64 bits come back as they went in, and larger than safe ones are refused', async () => {
    const { db } = await fresh()
    const row = { ...newUser('big', 'x', 1), quota: Number.MAX_SAFE_INTEGER }
    await db.insertInto('users').values(row).execute()
    const read = await db
      .selectFrom('users')
      .select(['quota', 'created_at', 'email'])
      .executeTakeFirstOrThrow()
    expect(read).toEqual({ quota: Number.MAX_SAFE_INTEGER, created_at: 1, email: null })
    const { total } = await db
      .selectFrom('users')
      .select(count => count.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    expect(Number(total)).toBe(1)
    await sql`update users set used_quota = 9007199254740993`.execute(db)
    const tooLarge = await rejection(db.selectFrom('users').select('used_quota').execute())
    expect(String(tooLarge)).toContain('column used_quota holds a number that is too large')
  })

  test('text keeps every character, and strings differ by case', async () => {
    const { db } = await fresh()
    const value = '\'; drop table users; -- 中文 😀 \\ " %_ '
    await db
      .insertInto('system')
      .values([
        { key: 'Key', value },
        { key: 'key', value: '' },
      ])
      .execute()
    const read = await db
      .selectFrom('system')
      .select('value')
      .where('key', '=', 'Key')
      .executeTakeFirstOrThrow()
    expect(read.value).toBe(value)
  })

  test('a second row with a unique value is told apart from other errors', async () => {
    const { db } = await fresh()
    await db
      .insertInto('users')
      .values(newUser('twin', 'x', 1))
      .execute()
    const twin = await rejection(
      db
        .insertInto('users')
        .values(newUser('twin', 'x', 1))
        .execute(),
    )
    expect(twin).toBeInstanceOf(UniqueViolation)
    // Absent addresses are not equal addresses.
    await db
      .insertInto('users')
      .values(newUser('other', 'x', 1))
      .execute()
    const broken = await rejection(sql`select no_such_column from users`.execute(db))
    expect(broken).toBeInstanceOf(Error)
    expect(broken).not.toBeInstanceOf(UniqueViolation)
    expect(broken).not.toBeInstanceOf(AppError)
  })

  test('a transaction happens whole or not at all, and hides what it has not committed', async () => {
    const store = await fresh()
    const { db } = store
    let insideSeenOutside = -1
    const failed = db.transaction().execute(async transaction => {
      await transaction
        .insertInto('users')
        .values(newUser('ghost', 'x', 1))
        .execute()
      insideSeenOutside = (await db.selectFrom('users').selectAll().execute()).length
      throw new Error('no')
    })
    expect(String(await rejection(failed))).toBe('Error: no')
    expect(insideSeenOutside).toBe(0)
    expect(await db.selectFrom('users').selectAll().execute()).toEqual([])
  })

  test('a hundred concurrent transactions lose no update', async () => {
    const { db, engine: kind } = await fresh()
    await db.insertInto('system').values({ key: 'sum', value: '0' }).execute()
    await Promise.all(
      Array.from({ length: 100 }, () =>
        db.transaction().execute(async transaction => {
          let read = transaction.selectFrom('system').select('value').where('key', '=', 'sum')
          if (kind !== 'sqlite') read = read.forUpdate()
          const { value } = await read.executeTakeFirstOrThrow()
          const next = String(Number(value) + 1)
          await transaction.updateTable('system').set({ value: next }).where('key', '=', 'sum').execute()
        }),
      ),
    )
    expect(
      (await db.selectFrom('system').select('value').where('key', '=', 'sum').executeTakeFirst())?.value,
    ).toBe('100')
  })

  test('of changes that wait for each other both happen, each once', async () => {
    const { db, engine: kind, change } = await fresh()
    for (const topic of ['a', 'b']) await db.insertInto('revisions').values({ topic, version: 0 }).execute()
    const met = Promise.withResolvers<void>()
    let begun = 0
    const add = (first: string, second: string) =>
      change('options', async transaction => {
        const addTo = (topic: string) =>
          transaction
            .updateTable('revisions')
            .set(row => ({ version: row('version', '+', 1) }))
            .where('topic', '=', topic)
            .execute()
        await addTo(first)
        // Each has what the other wants. SQLite lets one in after the other, so nobody is met there.
        if (++begun === 2 || kind === 'sqlite') met.resolve()
        await met.promise
        await addTo(second)
      })
    await Promise.all([add('a', 'b'), add('b', 'a')])
    const rows = await db.selectFrom('revisions').select('version').where('topic', 'in', ['a', 'b']).execute()
    expect(rows.map(({ version }) => version)).toEqual([2, 2])
  })

  test('a batch that waits for a transaction which waits for it happens all the same', async () => {
    const store = await fresh()
    const { db, batch, engine: kind } = store
    for (const name of ['ann', 'bob'])
      await db
        .insertInto('users')
        .values(newUser(name, 'x', 1))
        .execute()
    const ids = (await db.selectFrom('users').select('id').orderBy('id').execute()).map(({ id }) => id)
    const locked = Promise.withResolvers<void>()
    const spend = (transaction: typeof db, id: number | undefined) =>
      transaction
        .updateTable('users')
        .set(user => ({ quota: user('quota', '+', 1) }))
        .where('id', '=', id ?? 0)
        .execute()
    const changed = store.transaction(async transaction => {
      await spend(transaction, ids[1])
      locked.resolve()
      // By then the batch has the first and waits for the second. On SQLite one comes after the other.
      if (kind !== 'sqlite') await Bun.sleep(300)
      await spend(transaction, ids[0])
    })
    await locked.promise
    const users = { table: 'users', key: integer('id'), columns: ['id'], values: ids, lock: true } as const
    const columns = ['id', 'quota'].map(integer)
    const decision = {
      thread: new URL('./sqlite/sqlite-thread.ts', import.meta.url),
      reads: () => [users],
      decide: () => ({
        writes: [{ kind: 'add', table: 'users', keys: 1, columns, rows: ids.map(id => [id, 10]) } as const],
        result: 'done',
      }),
    }
    const run = kind === 'sqlite' ? Promise.resolve('done') : batch(decision, () => ({}))
    expect(await Promise.all([run, changed])).toEqual(['done', undefined])
    const quotas = await db.selectFrom('users').select('quota').orderBy('id').execute()
    expect(quotas.map(({ quota }) => quota)).toEqual(kind === 'sqlite' ? [1, 1] : [11, 11])
  })

  test('a change that was made is not called failed because a snapshot could not be read again', async () => {
    const store = await fresh()
    store.bus.on('users', () => Promise.reject(new Error('away')))
    const made = store.change('users', async () => 'made')
    expect(await made).toBe('made')
  })

  test('what changes while the first snapshot is being read is told afterwards', async () => {
    const store = await fresh()
    const bus = new Bus(store.db, store.engine)
    await bus.noteRevisions()
    await store.change('options', async () => {})
    const told = new Promise<void>(resolve => bus.on('options', resolve))
    bus.startPolling()
    await told
    await bus.close()
  })

  test('putRow writes a row whether or not it is there', async () => {
    const { db, engine: kind } = await fresh()
    for (const value of ['one', 'two'])
      await putRow(db, kind, 'options', { key: 'k' }, { value, updated_at: 1 })
    expect(await db.selectFrom('options').selectAll().execute()).toEqual([
      { key: 'k', value: 'two', updated_at: 1 },
    ])
  })

  test('a change of settings reaches the other processes, and a lost message only delays it', async () => {
    const url = await engine.freshUrl()
    const redis = name === 'mariadb' ? { redisUrl: await redisUrl() } : {}
    const [here, there] = [await openOn(url, redis), await openOn(url, redis)]
    const told = new Promise<void>(resolve => there.settings.onChange(() => resolve()))
    await here.change('options', transaction =>
      putRow(
        transaction,
        here.engine,
        'options',
        { key: 'SystemName' },
        { value: 'Elsewhere', updated_at: 1 },
      ),
    )
    expect(here.settings.get('SystemName')).toBe('Elsewhere')
    await told
    expect(there.settings.get('SystemName')).toBe('Elsewhere')
  })

  test('a failed change announces nothing and changes nothing', async () => {
    const store = await fresh()
    const failed = store.change('options', async transaction => {
      await putRow(
        transaction,
        store.engine,
        'options',
        { key: 'SystemName' },
        { value: 'Half', updated_at: 1 },
      )
      throw new Error('no')
    })
    expect(String(await rejection(failed))).toBe('Error: no')
    await store.settings.refresh()
    expect(store.settings.get('SystemName')).toBe('Tollgate')
    expect(await store.db.selectFrom('revisions').selectAll().execute()).toEqual([])
  })

  test('another SECRET_KEY is told, and nothing is overwritten', async () => {
    const url = await engine.freshUrl()
    const first = await openOn(url)
    const before = await first.db.selectFrom('system').selectAll().orderBy('key').execute()
    const other = openOn(url, { secretKey: 'another-key-that-is-long-and-varied-987654321' })
    expect(await rejection(other)).toBeInstanceOf(WrongSecretKey)
    expect(await first.db.selectFrom('system').selectAll().orderBy('key').execute()).toEqual(before)
    expect((await openOn(url)).instanceId).toBe(first.instanceId)
  })

  test('a stored setting that cannot be read falls back to its default', async () => {
    const store = await fresh()
    await putRow(store.db, store.engine, 'options', { key: 'SMTPPort' }, { value: 'ninety', updated_at: 1 })
    await putRow(
      store.db,
      store.engine,
      'options',
      { key: 'SMTPToken' },
      { value: 'v1.forged', updated_at: 1 },
    )
    await store.settings.refresh()
    expect(store.settings.get('SMTPPort')).toBe(587)
    expect(store.settings.get('SMTPToken')).toBe('')
  })
})

test('a long read on SQLite neither stalls the event loop nor the short reads behind it', async () => {
  const sqlite = engines.find(engine => engine.name === 'sqlite')
  const { db } = await openOn((await sqlite?.freshUrl()) ?? '')
  const inOrder = async (rows: number): Promise<string[]> => {
    const order: string[] = []
    const long = sql`
      select count(*) as n from (with recursive c(x) as (select 1 union all select x + 1 from c where x < ${rows})
        select x from c)`
      .execute(db)
      .then(() => order.push('long'))
    await Bun.sleep(1)
    order.push('event loop')
    for (let at = 0; at < 5; at++) await db.selectFrom('users').selectAll().execute()
    await db
      .insertInto('system')
      .values({ key: `written ${rows}`, value: 'meanwhile' })
      .execute()
    order.push('short reads and a write')
    await long
    return order
  }
  // On a busy machine the short ones may take as long as a long one; if they waited for it, no length would do.
  let order: string[] = []
  for (let rows = 3_000_000; order.at(-1) !== 'long' && rows < 100_000_000; rows *= 4)
    order = await inOrder(rows)
  expect(order).toEqual(['event loop', 'short reads and a write', 'long'])
})

describe('the log on PostgreSQL', () => {
  const freshUrl = async (): Promise<string> =>
    (await engines.find(engine => engine.name === 'postgres')?.freshUrl()) ?? ''

  async function write(db: Kysely<Schema>, at: Date): Promise<void> {
    const who = { type: 2, user_id: 1, username: '', token_id: 0, token_name: '', model_name: '' }
    const what = {
      channel_id: 0,
      group: '',
      is_stream: 0,
      use_time: 0,
      prompt_tokens: 0,
      completion_tokens: 0,
    }
    const rest = { quota: 0, request_id: '', content: '', other: '' }
    await db
      .insertInto('logs')
      .values({ ...who, ...what, ...rest, created_at: at.getTime() / 1000 })
      .execute()
  }

  async function idsIn(db: Kysely<Schema>, table: string): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)} order by id`.execute(db)
    return rows.map(({ id }) => id)
  }

  test('is partitioned by month, and making the partitions twice at once is harmless', async () => {
    const { db } = await openOn(await freshUrl())
    const now = new Date(Date.UTC(2031, 10, 15))
    await Promise.all([ensureLogPartitions(db, now), ensureLogPartitions(db, now)])
    await write(db, new Date(Date.UTC(2032, 0, 3)))
    expect(await idsIn(db, 'logs_2032_01')).toHaveLength(1)
  })

  test('gets the partition of a month of which a clock that was ahead has left rows, with these in it', async () => {
    const { db } = await openOn(await freshUrl())
    const months = [Date.UTC(2031, 9, 31, 23), Date.UTC(2031, 10, 1), Date.UTC(2031, 11, 31, 23)]
    for (const at of [...months, Date.UTC(2033, 0, 1)]) await write(db, new Date(at))
    const all = await idsIn(db, 'logs')
    const now = new Date(Date.UTC(2031, 10, 15))
    await Promise.all([ensureLogPartitions(db, now), ensureLogPartitions(db, now)])
    await write(db, now)
    const [before, november, december, after, later] = await idsIn(db, 'logs')
    expect([before, november, december, after]).toEqual(all)
    expect(await idsIn(db, 'logs_2031_11')).toEqual([november ?? 0, later ?? 0])
    expect(await idsIn(db, 'logs_2031_12')).toEqual([december ?? 0])
    expect(await idsIn(db, 'logs_other')).toEqual([before ?? 0, after ?? 0])
  })

  test('keeps nobody from starting who cannot have such a partition just now', async () => {
    const url = await freshUrl()
    const { db } = await openOn(url)
    const today = new Date()
    // The next one is still among those that are made when this one ends meanwhile.
    const next = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1))
    const month = `logs_${next.toISOString().slice(0, 7).replace('-', '_')}`
    await sql`drop table ${sql.table(month)}`.execute(db)
    await write(db, next)
    await db.transaction().execute(async reader => {
      expect(await idsIn(reader, 'logs_other')).toHaveLength(1)
      await openOn(url)
    })
    await openOn(url)
    expect(await idsIn(db, month)).toHaveLength(1)
  })
})
