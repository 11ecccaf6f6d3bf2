import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Transaction } from 'kysely'
import { logTypes } from '../../../contract/log-types.ts'
import type { SettingKey } from '../../../contract/settings/index.ts'
import { NoticeReceiver, readNotice } from '../../../test/notice-receiver.ts'
import { until } from '../../../test/program.ts'
import { S3Bucket, s3Options } from '../../../test/s3-bucket.ts'
import { openSampleStore } from '../../../test/sample-store.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import { addLogs, sampleLog } from '../../../test/services/log-rows.ts'
import { createOutbound } from '../../outbound/client.ts'
import type { Store } from '../../store/index.ts'
import type { Schema } from '../../store/schema.ts'
import { BackgroundWork } from '../background-work.ts'
import { clearLogs } from '../logs/clear-logs.ts'
import { storedValue } from '../options.ts'
import { LogDelivery } from './delivery.ts'
import { Settled } from './settled.ts'
import { type Parts, type Sink, sinks } from './sink.ts'
import { readState } from './state.ts'
import { deliveredUpTo } from './undelivered.ts'

const receiver = new NoticeReceiver()
const news = new NoticeReceiver()
const stores: Store[] = []
let bucket: S3Bucket
/** The clock of all, in seconds; it stands still until a test moves it. */
const clock = { now: 1_800_000_000 }
beforeEach(() => {
  bucket = new S3Bucket()
  bucket.now = () => clock.now * 1000
  receiver.reset()
  news.reset()
})
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
  await bucket.close()
})
afterAll(async () => {
  await receiver.close()
  await news.close()
  await dropAll()
})

async function openApp(engine: string, options: Partial<Record<SettingKey, string>>): Promise<Parts> {
  const url = (await engines.find(({ name }) => name === engine)?.freshUrl()) ?? ''
  const store = await openSampleStore(url)
  stores.push(store)
  await store.change('options', async transaction => {
    for (const [key, text] of Object.entries(options)) {
      const value = storedValue(store, key as SettingKey, text)
      await transaction.insertInto('options').values({ key, value, updated_at: 1 }).execute()
    }
  })
  const outbound = createOutbound({ lookup: async () => ['127.0.0.1'] })
  return { store, settings: store.settings, outbound, now: () => clock.now }
}

const byHook = () => ({
  LogWebhookEnabled: 'true',
  LogWebhookUrl: `${receiver.url}/logs?key=t0p`,
  LogWebhookSecret: 'shared',
})
const byBucket = () => ({ LogS3Enabled: 'true', LogS3Endpoint: bucket.url, ...s3Options })

/** So that nothing waits for others. */
const oneByOne = (sink: Sink): Sink => ({ ...sink, mostRows: 1 })
const atOnce = (sink: Sink): Sink => ({ ...sink, secondsToWait: () => 0 })

async function turnAll(delivery: LogDelivery): Promise<void> {
  while (await delivery.turn());
}

const named = (rows: readonly { request_id: string }[]): string[] => rows.map(row => row.request_id)
const hooked = () => receiver.received.flatMap(({ json }) => named(json.rows))

describe.each(engines.map(({ name }) => name))('on %s', engine => {
  test('what is wanted goes out in its order, as administrators see it', async () => {
    const app = await openApp(engine, { ...byBucket(), ...byHook(), LogS3Prefix: 'raw/env=test' })
    await addLogs(app.store.db, 'a')
    await app.store.db
      .insertInto('logs')
      .values(sampleLog({ type: logTypes.topUp, request_id: 'no call' }))
      .execute()
    const other = JSON.stringify({ admin_info: { use_channel: ['7'] } })
    await app.store.db
      .insertInto('logs')
      .values(sampleLog({ type: logTypes.error, request_id: 'b', cost: 3, other }))
      .execute()
    await turnAll(new LogDelivery(app, atOnce(sinks.s3)))
    await turnAll(new LogDelivery(app, atOnce(sinks.webhook)))
    const name = 'raw/env=test/2027/01/15/000000000001-000000000003.jsonl.gz'
    expect([...bucket.objects.keys()]).toEqual([name])
    expect(bucket.objects.get(name)?.type).toBe('application/gzip')
    expect(bucket.complaints).toEqual([])
    const [first, second] = bucket.read(name)
    expect(first).toMatchObject({ id: 1, request_id: 'a', username: 'ann', quota: 5, is_stream: false })
    expect(JSON.parse(second.other)).toEqual({ admin_info: { use_channel: ['7'], cost: 3 } })
    const [taken] = receiver.received
    const id = `${app.store.instanceId}-1-3`
    expect(taken?.json).toEqual({ id, type: 'logs', from: 1, to: 3, rows: [first, second] })
    expect(taken?.headers.get('x-webhook-id')).toBe(id)
    const signature = new Bun.CryptoHasher('sha256', 'shared').update(taken?.text ?? '').digest('hex')
    expect(taken?.headers.get('x-webhook-signature')).toBe(signature)
    expect(await readState(app, 's3')).toMatchObject({ delivered_to: 3, sending_to: 0, problem: '' })
  })

  test('whoever goes on after a crash sends the very same again, and then the rest', async () => {
    const app = await openApp(engine, byHook())
    await addLogs(app.store.db, 'a', 'b')
    const died = new LogDelivery(app, atOnce(sinks.webhook))
    receiver.answer = async () => {
      receiver.answer = () => new Response('ok')
      // It has arrived, and before that is noted the process is gone and more has come.
      await app.store.db.updateTable('log_sinks').set({ owner: 'nobody', seen_at: 0 }).execute()
      await addLogs(app.store.db, 'c')
      return new Response('ok')
    }
    await turnAll(died)
    expect(await readState(app, 'webhook')).toMatchObject({ delivered_to: 0, sending_to: 2 })
    await turnAll(new LogDelivery(app, atOnce(sinks.webhook)))
    const texts = receiver.received.map(({ text }) => text)
    expect(texts).toHaveLength(3)
    expect(texts[1]).toBe(texts[0] ?? '')
    expect(receiver.received[2]?.json).toMatchObject({ from: 3, to: 3, rows: [{ request_id: 'c' }] })
  })

  test('one of two delivers, and the other once that one is silent or has given up', async () => {
    const app = await openApp(engine, byHook())
    const [one, two] = [0, 1].map(() => new LogDelivery(app, atOnce(sinks.webhook))) as [
      LogDelivery,
      LogDelivery,
    ]
    await addLogs(app.store.db, 'a')
    await Promise.all([turnAll(one), turnAll(two)])
    expect(hooked()).toEqual(['a'])
    const { owner } = await readState(app, 'webhook')
    await addLogs(app.store.db, 'b')
    // Both may ask; who has it keeps it.
    await turnAll(two)
    await turnAll(one)
    expect(hooked()).toEqual(['a', 'b'])
    expect((await readState(app, 'webhook')).owner).toBe(owner)
    await Promise.all([one.giveUp(), two.giveUp()])
    await addLogs(app.store.db, 'c')
    const third = new LogDelivery(app, atOnce(sinks.webhook))
    await turnAll(third)
    expect((await readState(app, 'webhook')).owner).not.toBe(owner)
    clock.now += 60
    await addLogs(app.store.db, 'd')
    await turnAll(new LogDelivery(app, atOnce(sinks.webhook)))
    expect(hooked()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('what has not arrived is not cleared', async () => {
    const app = await openApp(engine, { ...byHook(), ...byBucket() })
    const { db } = app.store
    const created_at = Date.UTC(2020, 4, 5) / 1000
    const month = Date.UTC(2020, 5, 1) / 1000
    if (engine === 'postgres') {
      const { createLogMonth } = await import('../../store/log-partitions.ts')
      await app.store.transaction(transaction => createLogMonth(transaction, new Date(created_at * 1000)))
    }
    for (const request_id of ['a', 'b', 'c'])
      await db.insertInto('logs').values(sampleLog({ request_id, created_at })).execute()
    const work = new BackgroundWork(app)
    const clear = async () =>
      (await clearLogs(app.store, work, { before: month, upTo: await deliveredUpTo(app) })).rows
    expect(await clear()).toBe(0)
    await new LogDelivery(app, oneByOne(sinks.webhook)).turn()
    expect(await clear()).toBe(0)
    await new LogDelivery(app, oneByOne(sinks.s3)).turn()
    expect(await clear()).toBe(1)
    expect(await db.selectFrom('logs').select('request_id').orderBy('id').execute()).toEqual([
      { request_id: 'b' },
      { request_id: 'c' },
    ])
    for (const sink of [sinks.webhook, sinks.s3]) {
      clock.now += 60
      await turnAll(new LogDelivery(app, oneByOne(sink)))
    }
    expect(await clear()).toBe(2)
    expect(hooked()).toEqual(['a', 'b', 'c'])
    expect(named(bucket.rows())).toEqual(['a', 'b', 'c'])
  })
})

test.each(['postgres', 'mariadb'])(
  'whoever is writing to rows that stay is not waited for when others are cleared, on %s',
  async engine => {
    const app = await openApp(engine, byHook())
    const { store } = app
    for (const [at, request_id] of ['a', 'b', 'c'].entries())
      await store.db
        .insertInto('logs')
        .values(sampleLog({ request_id, created_at: 1000 + at }))
        .execute()
    await new LogDelivery(app, oneByOne(sinks.webhook)).turn()
    const upTo = await deliveredUpTo(app)
    const cleared = await store.transaction(async transaction => {
      await transaction.updateTable('logs').set({ cost: 1 }).where('id', '=', 3).execute()
      return clearLogs(store, new BackgroundWork(app), { before: 2000, upTo })
    })
    expect(cleared).toEqual({ rows: 1, hasEnded: true })
  },
)

/** A row that has its number, until it is known whether it is to stay. */
async function beginRow({ store }: Parts, request_id: string) {
  const end = Promise.withResolvers<'commit' | 'rollback'>()
  const inserted = Promise.withResolvers<void>()
  const done = store.db
    .transaction()
    .execute(async (transaction: Transaction<Schema>) => {
      await transaction.insertInto('logs').values(sampleLog({ request_id })).execute()
      inserted.resolve()
      if ((await end.promise) === 'rollback') throw new Error('rolled back')
    })
    .catch(() => {})
  await inserted.promise
  return async (how: 'commit' | 'rollback') => {
    end.resolve(how)
    await done
  }
}

describe.each(['postgres', 'mariadb'])(
  'a row that is committed after one with a higher number, on %s',
  engine => {
    const open = async () => {
      const app = await openApp(engine, byHook())
      return { app, delivery: new LogDelivery(app, oneByOne(sinks.webhook), new Settled(app.store, 0)) }
    }

    test('is waited for', async () => {
      const { app, delivery } = await open()
      await addLogs(app.store.db, 'a')
      const end = await beginRow(app, 'late')
      await addLogs(app.store.db, 'b', 'c')
      for (let looks = 0; looks < 5; looks++) await turnAll(delivery)
      expect(hooked()).toEqual(['a'])
      expect((await readState(app, 'webhook')).delivered_to).toBe(1)
      await end('commit')
      await turnAll(delivery)
      expect(hooked()).toEqual(['a', 'late', 'b', 'c'])
    })

    test('is waited for also by a process that begins meanwhile, and while others write on', async () => {
      const { app } = await open()
      const end = await beginRow(app, 'late')
      await addLogs(app.store.db, 'b')
      const delivery = new LogDelivery(app, oneByOne(sinks.webhook), new Settled(app.store, 0))
      for (const name of ['c', 'd', 'e']) {
        await turnAll(delivery)
        await addLogs(app.store.db, name)
      }
      expect(hooked()).toEqual([])
      await end('commit')
      await turnAll(delivery)
      expect(hooked()).toEqual(['late', 'b', 'c', 'd', 'e'])
    })

    test('is given up once it was taken back', async () => {
      const { app, delivery } = await open()
      const end = await beginRow(app, 'never')
      await addLogs(app.store.db, 'b')
      await turnAll(delivery)
      expect(hooked()).toEqual([])
      await end('rollback')
      await turnAll(delivery)
      expect(hooked()).toEqual(['b'])
    })
  },
)

test('on MySQL a number without a row is not passed over while an insert may still be under way', async () => {
  const app = await openApp('mariadb', byHook())
  const end = await beginRow(app, 'never')
  await addLogs(app.store.db, 'b')
  await end('rollback')
  const delivery = new LogDelivery(app, oneByOne(sinks.webhook), new Settled(app.store, 3_600_000))
  for (let looks = 0; looks < 3; looks++) await turnAll(delivery)
  expect(hooked()).toEqual([])
})

describe('on SQLite', () => {
  test('a receiver that is away is left alone for longer and longer, told of once, and has everything in the end', async () => {
    const app = await openApp('sqlite', { ...byBucket(), OpsWebhookUrl: news.url })
    await addLogs(app.store.db, 'a')
    const delivery = new LogDelivery(app, atOnce(sinks.s3))
    bucket.answer = () => new Response('key AKIATESTTESTTEST', { status: 503 })
    const pauses: number[] = []
    for (let round = 0; round < 12; round++) {
      await turnAll(delivery)
      const { retry_at, failures } = await readState(app, 's3')
      expect(failures).toBe(round + 1)
      pauses.push(retry_at - clock.now)
      // Nobody is asked before it is time.
      clock.now = retry_at - 1
      await turnAll(delivery)
      expect((await readState(app, 's3')).failures).toBe(round + 1)
      clock.now = retry_at
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
    const told = readNotice(await news.next())
    expect(told).toMatchObject({
      type: 'log_sink',
      values: ['s3', 'failing', 'The log was not taken: HTTP 503'],
    })
    expect(JSON.stringify(told)).not.toContain('AKIA')
    bucket.answer = () => undefined
    await addLogs(app.store.db, 'b')
    await turnAll(delivery)
    expect(named(bucket.rows())).toEqual(['a', 'b'])
    expect(await readState(app, 's3')).toMatchObject({ failures: 0, failed_at: 0, told_at: 0, problem: '' })
    expect(readNotice(await news.next())).toMatchObject({ values: ['s3', 'working'] })
    expect(news.received).toEqual([])
  })

  test('batches have bounds in rows and in bytes, and follow each other without a gap', async () => {
    const app = await openApp('sqlite', byHook())
    const long = 'x'.repeat(300)
    await addLogs(app.store.db, ...Array.from({ length: 250 }, (_, at) => `row ${at}`))
    for (let row = 0; row < 5; row++)
      await app.store.db
        .insertInto('logs')
        .values(sampleLog({ content: long, request_id: 'long' }))
        .execute()
    const small = { ...atOnce(sinks.webhook), mostRows: 100, mostBytes: 60_000 }
    await turnAll(new LogDelivery(app, small))
    const ranges = receiver.received.map(({ json }) => [json.from, json.to, json.rows.length])
    expect(ranges).toEqual([
      [1, 100, 100],
      [101, 200, 100],
      [201, 255, 55],
    ])
    clock.now += 60
    await app.store.db.updateTable('log_sinks').set({ delivered_to: 250 }).execute()
    receiver.reset()
    await turnAll(new LogDelivery(app, { ...small, mostBytes: 1 }))
    expect(receiver.received.map(({ json }) => [json.from, json.to])).toEqual(
      [251, 252, 253, 254, 255].map(id => [id, id]),
    )
  })

  test('the bucket stands in the host name, or in the path', async () => {
    const app = await openApp('sqlite', {
      ...byBucket(),
      LogS3Endpoint: `http://s3.test:${bucket.port}`,
      LogS3PathStyle: 'false',
      LogS3Prefix: '',
    })
    await sinks.s3.test(app)
    expect([...bucket.objects.keys()]).toEqual(['test.json'])
    expect(bucket.complaints).toEqual([])
  })

  test('an answer that names nothing stored has stored nothing', async () => {
    const app = await openApp('sqlite', byBucket())
    await addLogs(app.store.db, 'a')
    bucket.answer = () => new Response('<html>hello</html>')
    await turnAll(new LogDelivery(app, atOnce(sinks.s3)))
    expect(await readState(app, 's3')).toMatchObject({ delivered_to: 0, failures: 1 })
  })

  test('rows wait for others that go with them, unless there are enough', async () => {
    const app = await openApp('sqlite', { ...byBucket(), LogS3Seconds: '3600' })
    await addLogs(app.store.db, 'a')
    const delivery = new LogDelivery(app, { ...sinks.s3, mostRows: 2 })
    for (let looks = 0; looks < 3; looks++) await turnAll(delivery)
    expect(bucket.objects.size).toBe(0)
    await addLogs(app.store.db, 'b', 'c')
    await turnAll(delivery)
    expect(named(bucket.rows())).toEqual(['a', 'b'])
  })

  test('what is being sent is broken off when the process ends, and not taken for a failure', async () => {
    const app = await openApp('sqlite', byHook())
    await addLogs(app.store.db, 'a')
    const delivery = new LogDelivery(app, atOnce(sinks.webhook))
    receiver.answer = () => new Promise(() => {})
    const turn = delivery.turn()
    await until(() => receiver.received.length === 1)
    delivery.breakOff()
    expect(await turn).toBe(false)
    expect(await readState(app, 'webhook')).toMatchObject({ delivered_to: 0, sending_to: 1, failures: 0 })
  })
})
