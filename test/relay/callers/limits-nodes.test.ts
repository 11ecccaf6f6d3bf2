import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Program, startProgram, until } from '../../program.ts'
import { startRedis } from '../../services/databases.ts'
import { redisPid } from '../../services/redis.ts'
import { type FakeUpstream, startOpenai } from '../../upstreams/index.ts'
import { allHaveRedis, countedTogether, timesAway } from '../money/counted-together.ts'
import { openRig, type Rig, SECRET_KEY } from '../rig.ts'
import { ask, chat } from '../ways.ts'

let redis: Awaited<ReturnType<typeof startRedis>>
let fake: FakeUpstream
let rig: Rig
let second: Program

beforeAll(async () => {
  redis = await startRedis()
  fake = await startOpenai()
  rig = await openRig(
    async books => {
      await books.addChannel({ type: 1, baseUrl: fake.url, key: fake.key, models: [chat.model] })
    },
    { REDIS_URL: redis.url, WORKERS: '2' },
  )
  second = await startSecond()
})
afterAll(async () => {
  await second.stop()
  await rig.close()
  await redis.close()
  await fake.stop()
})

const startSecond = () =>
  startProgram({
    SECRET_KEY,
    REDIS_URL: redis.url,
    DATABASE_URL: `sqlite:${join(rig.program.dataDir, 'tollgate.db')}`,
  })
const programs = (): readonly Program[] => [rig.program, second]

async function statuses(key: string, count: number): Promise<number[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const response = await ask(at % 2 ? rig.url : second.url, chat, { key })
      await response.text()
      return response.status
    }),
  )
}
const passed = (all: readonly number[]) => all.filter(status => status === 200).length

test('workers and nodes that share a Redis share the count', () =>
  countedTogether(programs, async () => {
    const userId = await rig.addUser()
    const { key } = await rig.addToken({ userId, limits: { rpm: 10 } })
    const all = await statuses(key, 60)
    expect([passed(all), all.length - passed(all)]).toEqual([10, 50])
  }))

test('the places that the streams of two nodes hold are everybody’s, and come back when a node ends', () =>
  countedTogether(programs, async () => {
    const userId = await rig.addUser()
    const { key } = await rig.addToken({ userId, limits: { concurrency: 2 } })
    const { promise, resolve } = Promise.withResolvers<void>()
    fake.always({ hold: { afterFrames: 1, until: promise } })
    try {
      const streams = [
        await ask(rig.url, chat, { key, stream: true }),
        await ask(second.url, chat, { key, stream: true }),
      ]
      fake.always({})
      expect(passed(await statuses(key, 10))).toBe(0)
      const ended = second.stop()
      resolve()
      await Promise.all(streams.map(stream => stream.text()))
      expect(await ended).toBe(0)
      second = await startSecond()
    } finally {
      fake.always({})
      resolve()
    }
    expect(passed(await statuses(key, 2))).toBe(2)
  }))

test('calls go on when Redis is stopped, each process counts for itself, and once it is back all together', async () => {
  const userId = await rig.addUser()
  const free = await rig.addToken({ userId })
  const { key } = await rig.addToken({ userId, limits: { concurrency: 50, rpm: 1000 } })
  expect(passed(await statuses(key, 10))).toBe(10)
  await allHaveRedis(programs())
  const before = timesAway([second])
  await redis.stop('crash')
  expect(passed(await statuses(key, 20))).toBe(20)
  expect(passed(await statuses(free.key, 20))).toBe(20)
  await until(() => timesAway([second]) > before)
  const tight = await rig.addToken({ userId, limits: { rpm: 3 } })
  const alone = passed(await statuses(tight.key, 40))
  // Three processes, of which each knows only of its own.
  expect(alone).toBeGreaterThanOrEqual(3)
  expect(alone).toBeLessThanOrEqual(9)
  expect(timesAway([second])).toBe(before + 1)
  await redis.start()
  await countedTogether(programs, async () => {
    const last = await rig.addToken({ userId, limits: { rpm: 5 } })
    expect(passed(await statuses(last.key, 40))).toBe(5)
  })
})

test('a Redis that hangs gives nobody a fresh minute', async () => {
  const { key } = await rig.addToken({ userId: await rig.addUser(), limits: { rpm: 10 } })
  const callSecond = async () => {
    const response = await ask(second.url, chat, { key })
    await response.text()
    return response.status
  }
  const callMany = (count: number) => Promise.all(Array.from({ length: count }, callSecond))
  expect(passed(await callMany(6))).toBe(6)
  const pid = await redisPid(redis.url)
  process.kill(pid, 'SIGSTOP')
  expect(passed(await callMany(20))).toBe(4)
  process.kill(pid, 'SIGCONT')
})
