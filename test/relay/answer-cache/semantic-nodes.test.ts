import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { rootClient } from '../../client.ts'
import { morePatience } from '../../more-patience.ts'
import { type Program, startProgram, until } from '../../program.ts'
import { startRedis } from '../../services/databases.ts'
import { type FakeUpstream, startOpenai } from '../../upstreams/index.ts'
import { tellMeanings } from '../../upstreams/tell-meanings.ts'
import { openRig, type Rig, SECRET_KEY } from '../rig.ts'
import { ask, chat } from '../ways.ts'
import { CACHE } from './cache-house.ts'
import { EMBEDDER } from './semantic-house.ts'

// Two nodes on one database and one Redis.

/** What Redis is late with is asked for anew, on a busy machine too. */
const patience = morePatience({ 250: 3000 })
let redis: Awaited<ReturnType<typeof startRedis>>
let client: Bun.RedisClient
let fake: FakeUpstream
let embedder: FakeUpstream
let rig: Rig
let second: Program
let key = ''
let stranger = ''

beforeAll(async () => {
  redis = await startRedis()
  client = new Bun.RedisClient(redis.url)
  fake = await startOpenai()
  embedder = await startOpenai({ key: 'sk-embeds' })
  embedder.always(tellMeanings)
  rig = await openRig(
    async books => {
      key = (await books.addToken({ userId: await books.addUser() })).key
      stranger = (await books.addToken({ userId: await books.addUser() })).key
      await books.setOption('AnswerCacheSeconds', '3600')
      await books.setOption('AnswerCacheRatio', '0.5')
      await books.setOption('SemanticCacheModel', EMBEDDER)
      await books.addChannel({ type: 1, baseUrl: fake.url, key: fake.key, models: [chat.model] })
      await books.addChannel({ type: 1, baseUrl: embedder.url, key: embedder.key, models: [EMBEDDER] })
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
  expect([...fake.complaints, ...embedder.complaints]).toEqual([])
  client.close()
  await second.stop()
  await rig.close()
  await redis.close()
  await fake.stop()
  await embedder.stop()
})

async function say(url: string, text: string, { as = key, cache = 'semantic', stream = false } = {}) {
  const response = await ask(url, chat, { key: as, text, stream, headers: { [CACHE]: cache } })
  return {
    cache: response.headers.get(CACHE),
    similarity: response.headers.get('x-tollgate-cache-similarity'),
    body: await response.text(),
  }
}

const streams = async () => (await client.send('KEYS', ['*:answers:like:*'])) as string[]
const lengths = async () =>
  Promise.all((await streams()).map(async name => Number(await client.send('XLEN', [name]))))
const answers = async () => ((await client.send('KEYS', ['*:answer:*'])) as string[]).length

/** Nobody waits for Redis to have it. */
async function keepOne(url: string, text: string, stream = false, as = key) {
  const [many, sum] = [await answers(), (await lengths()).reduce((all, one) => all + one, 0)]
  const first = await say(url, text, { as, stream })
  expect(first.cache).toBe('miss')
  await until(async () => (await answers()) > many)
  await until(async () => (await lengths()).reduce((all, one) => all + one, 0) > sum)
  return first
}

test.each([false, true])('what one node was asked is compared with on another, streamed %p', async stream => {
  const first = await keepOne(rig.url, 'how do I change my address?', stream)
  const asked = fake.requests.length
  const again = await say(second.url, 'my address: how can I change?', { stream })
  expect(again).toEqual({ ...first, cache: 'hit', similarity: '1' })
  // What comes later too, and the other way round.
  const later = await keepOne(second.url, 'how do I change my name?', stream)
  expect(await say(rig.url, 'my name: how can I change?', { stream })).toEqual({
    ...later,
    cache: 'hit',
    similarity: '1',
  })
  expect(fake.requests.length).toBe(asked + 1)
  await keepOne(second.url, 'change my address, how do I?', stream, stranger)
})

test('in Redis nobody can read it, it ends by itself, and both count for how much there may be', async () => {
  const sizes = ((await client.send('KEYS', ['*:answers:sizes'])) as string[])[0] ?? ''
  const sum = ((await client.send('KEYS', ['*:answers:sum'])) as string[])[0] ?? ''
  const names = await streams()
  expect(names.length).toBeGreaterThan(1)
  let all = 0
  for (const name of names) {
    const [entry] = (await client.send('XRANGE', [name, '-', '+'])) as [string, string[]][]
    const value = entry?.[1][1] ?? ''
    expect(value).toStartWith('v1.')
    for (const word of ['address', 'endsAt', 'name']) expect(value + name).not.toContain(word)
    expect(Number(await client.send('TTL', [name]))).toBeWithin(1, 3601)
    const size = Number(await client.send('HGET', [sizes, name]))
    expect(size).toBe(Number(await client.send('XLEN', [name])) * value.length)
    all += size
  }
  expect(Number(await client.send('GET', [sum]))).toBeGreaterThan(all)
})

test('of one bucket Redis and memory hold the newest five hundred', async () => {
  for (const name of await streams()) {
    const [entry] = (await client.send('XRANGE', [name, '-', '+'])) as [string, string[]][]
    // What nobody can open is passed over.
    await client.send('XADD', [name, '*', 'q', 'v1.nonsense'])
    for (let at = 0; at < 550; at++) await client.send('XADD', [name, '*', 'q', entry?.[1][1] ?? ''])
  }
  for (const text of ['how do I change my colour?', 'how do I change my street?'])
    for (const stream of [false, true]) await say(rig.url, text, { stream })
  // Those of the stranger, who asked nothing since, are as they were.
  await until(async () => (await lengths()).filter(many => many === 500).length === 2)
  for (const stream of [false, true])
    expect((await say(second.url, 'my street: how can I change?', { stream })).similarity).toBe('1')
})

test('an answer that is gone is asked for anew', async () => {
  await client.send('FLUSHALL', [])
  await keepOne(rig.url, 'where do the ducks go?')
  await client.send('FLUSHALL', [])
  const root = await rootClient(rig.url)
  const asked = fake.requests.length
  expect((await say(second.url, 'ducks: where do the go?')).cache).toBe('miss')
  expect(fake.requests.length).toBe(asked + 1)
  // Where the answer itself is forgotten, the question is too.
  await root.saveOption('AnswerCacheMegabytes', '1')
  for (const text of ['a', 'b', 'c', 'd']) {
    fake.next({ reply: { text: text.repeat(300 * 1024) } })
    await say(rig.url, `${text} long answer is wanted`, { cache: 'on' })
  }
  expect((await say(rig.url, 'the ducks go where, do?')).cache).toBe('miss')
})

test('without Redis each goes on with what it has', async () => {
  const mine = await say(rig.url, 'who has mine alone then?')
  await redis.stop('crash')
  expect(await say(rig.url, 'then who alone has mine?')).toEqual({ ...mine, cache: 'hit', similarity: '1' })
  expect((await say(second.url, 'mine alone: who has then?')).cache).toBe('miss')
  expect((await say(second.url, 'alone who then has mine?')).similarity).toBe('1')
  await redis.start()
})
