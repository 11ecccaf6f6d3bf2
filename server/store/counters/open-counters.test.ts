import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '../../../test/program.ts'
import { startRedis } from '../../../test/services/databases.ts'
import { redisPid } from '../../../test/services/redis.ts'
import { isRefusal } from './counters.ts'
import { openCounters, type SharedCounters } from './open-counters.ts'

let server: Awaited<ReturnType<typeof startRedis>>
const open: SharedCounters[] = []
beforeAll(async () => {
  server = await startRedis()
})
afterAll(async () => {
  for (const counters of open) await counters.close()
  await server.close()
})

/** Who has patience does not take a Redis for gone that a busy machine keeps from answering. */
const PATIENT_MS = 60_000

async function counters(url: string | undefined, answerMs?: number): Promise<SharedCounters> {
  const opened = await openCounters(url, 'house', answerMs)
  open.push(opened)
  if (url !== undefined) await until(async () => (await opened.hitShared('there', 60_000)) !== undefined)
  return opened
}

const one = [{ name: 'a', limits: { rpm: 0, tpm: 0, concurrency: 1 } }]

test('without Redis nobody is waited for', async () => {
  const own = await counters(undefined)
  const taken = own.take(one, 0)
  expect(taken).not.toBeInstanceOf(Promise)
  expect(own.hit('k', 1000)).toBe(1)
  expect(own.hitShared('k', 1000)).toBeUndefined()
})

test('with Redis the count is everybody’s; while it is away everybody’s own', async () => {
  const [here, there] = [await counters(server.url, PATIENT_MS), await counters(server.url, PATIENT_MS)]
  const held = await here.take(one, 0)
  expect(isRefusal(held)).toBe(false)
  expect(isRefusal(await there.take(one, 0))).toBe(true)
  expect([await here.hit('k', 60_000), await there.hitShared('k', 60_000)]).toEqual([1, 2])

  await server.stop('crash')
  // What Redis let in goes on: here the one place is taken, and there nobody knows of it.
  expect(isRefusal(await here.take(one, 0))).toBe(true)
  const theirs = await there.take(one, 0)
  expect(isRefusal(theirs)).toBe(false)
  expect(isRefusal(await there.take(one, 0))).toBe(true)
  expect(await there.hitShared('k', 60_000)).toBeUndefined()
  expect(await here.hit('k', 60_000)).toBe(1)
  // What Redis had granted is given back here alone, and that is no failure.
  if (!isRefusal(held)) await held.end(0)
  const mine = await here.take(one, 0)
  expect(isRefusal(mine)).toBe(false)
  if (!isRefusal(mine)) await mine.end(0)
  if (!isRefusal(theirs)) await theirs.end(0)

  await server.start()
  await until(async () => (await here.hitShared('back', 60_000)) !== undefined)
  await until(async () => (await there.hitShared('back', 60_000)) !== undefined)
  expect(isRefusal(await here.take(one, 0))).toBe(false)
  expect(isRefusal(await there.take(one, 0))).toBe(true)
})

test('a minute that was begun with Redis goes on without it', async () => {
  const own = await counters(server.url)
  const pid = await redisPid(server.url)
  const limited = [{ name: 'minute', limits: { rpm: 5, tpm: 100, concurrency: 0 } }]
  const take = async (tokens: number) => {
    const taken = await own.take(limited, tokens)
    if (!isRefusal(taken)) await taken.end(tokens)
    return isRefusal(taken) ? taken.kind : 'let in'
  }
  expect([await take(10), await take(20), await take(30)]).toEqual(['let in', 'let in', 'let in'])
  process.kill(pid, 'SIGSTOP')
  expect([await take(60), await take(20), await take(20)]).toEqual(['tokens', 'let in', 'let in'])
  expect(await take(0)).toBe('requests')
  process.kill(pid, 'SIGCONT')
  await until(async () => (await own.hitShared('back', 60_000)) !== undefined)
})

test('one that hangs is waited for once and not for long; a late grant is given back', async () => {
  const own = await counters(server.url)
  const pid = await redisPid(server.url)
  process.kill(pid, 'SIGSTOP')
  // Were each of them to wait, the test's own time would not suffice.
  for (let call = 0; call < 1000; call++) {
    const taken = await own.take([{ name: 'late', limits: { rpm: 0, tpm: 0, concurrency: 1 } }], 0)
    if (!isRefusal(taken)) await taken.end(0)
  }
  process.kill(pid, 'SIGCONT')
  await until(async () => (await own.hitShared('back', 60_000)) !== undefined)
  await until(async () => {
    const taken = await own.take([{ name: 'late', limits: { rpm: 0, tpm: 0, concurrency: 1 } }], 0)
    return !isRefusal(taken)
  })
})

test('one that is full is away until it takes something again, however well it answers', async () => {
  const own = await counters(server.url)
  const redis = new Bun.RedisClient(server.url)
  const told = async (section: string, figure: RegExp) =>
    Number(figure.exec(String(await redis.send('INFO', [section])))?.[1])
  const connections = () => told('stats', /total_connections_received:(\d+)/)
  await redis.send('CONFIG', ['SET', 'maxmemory', '1'])
  const before = await connections()
  expect(await own.hitShared('full', 60_000)).toBeUndefined()
  // While it is looked after nobody is sent there.
  await until(async () => {
    expect(own.hitShared('full', 60_000)).toBeUndefined()
    return (await told('errorstats', /OOM:count=(\d+)/)) >= 4
  })
  // Each time anew: the address may lead to another by then.
  expect(await connections()).toBeGreaterThan(before)
  await redis.send('CONFIG', ['SET', 'maxmemory', '0'])
  await until(() => own.hitShared('full', 60_000))
  redis.close()
})
