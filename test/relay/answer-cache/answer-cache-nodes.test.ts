import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { rootClient } from '../../client.ts'
import { morePatience } from '../../more-patience.ts'
import { type Program, startProgram, until } from '../../program.ts'
import { startRedis } from '../../services/databases.ts'
import { redisPid } from '../../services/redis.ts'
import { type FakeUpstream, startOpenai } from '../../upstreams/index.ts'
import { openRig, type Rig, SECRET_KEY } from '../rig.ts'
import { ask, chat } from '../ways.ts'
import { CACHE } from './cache-house.ts'

/** What Redis is late with is asked for anew, on a busy machine too. */
const patience = morePatience({ 250: 3000 })
let redis: Awaited<ReturnType<typeof startRedis>>
let client: Bun.RedisClient
let fake: FakeUpstream
let rig: Rig
let second: Program
let key = ''

beforeAll(async () => {
  redis = await startRedis()
  client = new Bun.RedisClient(redis.url)
  fake = await startOpenai()
  rig = await openRig(
    async books => {
      key = (await books.addToken({ userId: await books.addUser() })).key
      await books.setOption('AnswerCacheSeconds', '3600')
      await books.addChannel({ type: 1, baseUrl: fake.url, key: fake.key, models: [chat.model] })
    },
    { REDIS_URL: redis.url, ...patience },
  )
  second = await startProgram({
    SECRET_KEY,
    ...patience,
    REDIS_URL: redis.url,
    DATABASE_URL: `sqlite:${join(rig.program.dataDir, 'tollgate.db')}`,
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  client.close()
  await second.stop()
  await rig.close()
  await redis.close()
  await fake.stop()
})

async function say(url: string, text: string, asking: { cache?: string; stream?: boolean } = {}) {
  const { cache = 'on', stream = false } = asking
  const response = await ask(url, chat, { key, text, stream, headers: { [CACHE]: cache } })
  return { cache: response.headers.get(CACHE), status: response.status, body: await response.text() }
}

const kept = async () => (await client.send('KEYS', ['*:answer:*'])) as string[]
/** Nobody waits for Redis to have an answer. */
const untilKept = (many: number) => until(async () => (await kept()).length === many)

test.each([false, true])('an answer of one node is given by another, streamed %p', async stream => {
  const before = (await kept()).length
  const asked = fake.requests.length
  const first = await say(rig.url, 'shared 你好', { stream })
  expect(first.cache).toBe('miss')
  await untilKept(before + 1)
  expect(await say(second.url, 'shared 你好', { stream })).toEqual({ ...first, cache: 'hit' })
  expect(fake.requests.length).toBe(asked + 1)
  // What one asks anew the other gives, although it has the former one too.
  const anew = await say(second.url, 'shared 你好', { stream, cache: 'refresh' })
  expect(anew.body).not.toBe(first.body)
  await until(async () => (await say(rig.url, 'shared 你好', { stream })).body === anew.body)
  expect(fake.requests.length).toBe(asked + 2)
})

test('in Redis nobody can read it, and it goes when its time is over', async () => {
  const body = (await say(rig.url, 'a secret between us', { cache: '600' })).body
  const word = String(JSON.parse(body).choices[0].message.content)
  await untilKept(3)
  for (const name of await kept()) {
    const value = String(await client.send('GET', [name]))
    for (const words of [word, 'a secret between us', 'choices']) expect(value + name).not.toContain(words)
    expect(Number(await client.send('TTL', [name]))).toBeWithin(1, 3601)
  }
})

test('a Redis that is full gives what it has', async () => {
  const many = (await kept()).length
  const first = await say(rig.url, 'before it was full')
  await untilKept(many + 1)
  await client.send('CONFIG', ['SET', 'maxmemory-policy', 'noeviction'])
  await client.send('CONFIG', ['SET', 'maxmemory', '1'])
  expect(await say(second.url, 'before it was full')).toEqual({ ...first, cache: 'hit' })
  expect((await say(rig.url, 'too much for it')).cache).toBe('miss')
  expect((await say(rig.url, 'too much for it')).cache).toBe('hit')
  expect((await say(second.url, 'too much for it')).cache).toBe('miss')
  await client.send('CONFIG', ['SET', 'maxmemory', '0'])
  // A machine that is busy may have kept Redis from answering in time; that it is full is no reason to be done with it.
  const complaints = `${rig.program.output()}${second.output()}`
    .split('\n')
    .filter(line => line.includes('out of reach') && !line.includes('no answer within'))
  expect(complaints).toEqual([])
})

test('Redis holds no more than the operator allows', async () => {
  const root = await rootClient(rig.url)
  await root.saveOption('AnswerCacheMegabytes', '1')
  const sizes = async () =>
    Promise.all((await kept()).map(async name => Number(await client.send('STRLEN', [name]))))
  for (const text of ['a', 'b', 'c']) {
    fake.next({ reply: { text: text.repeat(300 * 1024) } })
    const names = await kept()
    await say(rig.url, text)
    await until(async () => (await kept()).some(name => !names.includes(name)))
  }
  const all = await sizes()
  expect(Math.max(...all)).toBeGreaterThan(300 * 1024)
  expect(all.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(1024 * 1024)
  // What is in use stays, here as there.
  expect(await say(second.url, 'c').then(({ cache }) => cache)).toBe('hit')
})

test('where much less is allowed than before, a thousand go at a time', async () => {
  const nameOf = async (part: string) =>
    ((await client.send('KEYS', [`*:answers:${part}`])) as string[])[0] ?? ''
  const [used, sizes, sum] = [await nameOf('used'), await nameOf('sizes'), await nameOf('sum')]
  for (let at = 0; at < 1500; at++) {
    await client.send('ZADD', [used, String(at), `old:${at}`])
    await client.send('HSET', [sizes, `old:${at}`, '1000000'])
  }
  await client.send('INCRBY', [sum, '1500000000'])
  const before = Number(await client.send('ZCARD', [used]))
  const isLess = async (most: number) => Number(await client.send('ZCARD', [used])) <= most
  await say(rig.url, 'one more')
  await until(() => isLess(before - 999))
  expect(await client.send('ZCARD', [used])).toBe(before - 999)
  await say(rig.url, 'and another')
  await until(() => isLess(before - 1498))
  expect(Number(await client.send('GET', [sum]))).toBeLessThanOrEqual(1024 * 1024)
})

test('without Redis each goes on with what it has, and nobody waits', async () => {
  const mine = await say(rig.url, 'mine alone')
  const pid = await redisPid(redis.url)
  process.kill(pid, 'SIGSTOP')
  expect(await say(rig.url, 'mine alone')).toEqual({ ...mine, cache: 'hit' })
  process.kill(pid, 'SIGCONT')
  await redis.stop('crash')
  expect(await say(rig.url, 'mine alone')).toEqual({ ...mine, cache: 'hit' })
  expect([(await say(second.url, 'mine alone')).status, (await say(second.url, 'new')).cache]).toEqual([
    200,
    'miss',
  ])
  expect((await say(second.url, 'new')).cache).toBe('hit')
  await redis.start()
  await until(() => second.output().includes('kept answers are shared again'))
  await until(() => rig.program.output().includes('kept answers are shared again'))
  client.close()
  client = new Bun.RedisClient(redis.url)
  expect(await kept()).toEqual([])
  const back = await say(rig.url, 'together again')
  await untilKept(1)
  expect(await say(second.url, 'together again')).toEqual({ ...back, cache: 'hit' })
})
