import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '../../../test/program.ts'
import { startRedis } from '../../../test/services/databases.ts'
import { type Claim, type Counters, isRefusal, type Limits, MINUTE_MS, type Refusal } from './counters.ts'
import { MemoryCounters } from './memory-counters.ts'
import { RedisCounters } from './redis-counters.ts'
import { RedisLine } from './redis-line.ts'

/** Long enough that a machine whose cores others use too does not stand still for as long. */
const LEASE_MS = 9000
const SHORT_MINUTE_MS = 9000
const ANSWER_MS = 60_000

let server: Awaited<ReturnType<typeof startRedis>>
const open: RedisCounters[] = []
beforeAll(async () => {
  server = await startRedis()
})
afterAll(async () => {
  for (const counters of open) await counters.close()
  await server.close()
})

let made = 0
async function redisCounters(prefix = `test-${++made}:`): Promise<RedisCounters> {
  const times = { minuteMs: SHORT_MINUTE_MS, leaseMs: LEASE_MS }
  const line = await RedisLine.open(server.url, undefined, ANSWER_MS)
  await until(() => line.isUp)
  const counters = new RedisCounters(line, prefix, times)
  open.push(counters)
  return counters
}

function handClock(): { (): number; passes(ms: number): void } {
  let now = 5
  return Object.assign(() => now, {
    passes(ms: number) {
      now += ms
    },
  })
}

/** Counters, and a way to let their minute go by. */
const kinds: Record<string, () => Promise<{ counters: Counters; minute(): Promise<void> }>> = {
  async memory() {
    const clock = handClock()
    return { counters: new MemoryCounters(clock), minute: async () => clock.passes(MINUTE_MS) }
  },
  redis: async () => ({
    counters: await redisCounters(),
    minute: () => Bun.sleep(SHORT_MINUTE_MS + 20),
  }),
}

const none: Limits = { rpm: 0, tpm: 0, concurrency: 0 }
const limited = (name: string, limits: Partial<Limits>) => ({ name, limits: { ...none, ...limits } })

function granted(taken: Claim | Refusal): Claim {
  if (isRefusal(taken)) throw new Error(`refused: ${JSON.stringify(taken)}`)
  return taken
}
function refused(taken: Claim | Refusal): string {
  if (!isRefusal(taken)) throw new Error('granted')
  expect(taken.waitMs).toBeGreaterThan(0)
  expect(taken.waitMs).toBeLessThanOrEqual(MINUTE_MS)
  return `${taken.index} ${taken.kind}`
}

for (const [kind, make] of Object.entries(kinds))
  describe(`counted in ${kind}`, () => {
    test.concurrent('so many requests a minute and no more, until the next', async () => {
      const { counters, minute } = await make()
      const of = [limited('a', { rpm: 3 })]
      const left: (number | undefined)[] = []
      for (let call = 0; call < 3; call++)
        left.push(granted(await counters.take(of, 0)).figures.requests?.left)
      expect(left).toEqual([2, 1, 0])
      expect(refused(await counters.take(of, 0))).toBe('0 requests')
      granted(await counters.take([limited('b', { rpm: 1 })], 0))
      await minute()
      granted(await counters.take(of, 0))
    })

    test.concurrent('all or none: who is refused by one counts for nobody', async () => {
      const { counters } = await make()
      const both = [limited('user', { rpm: 5 }), limited('token', { rpm: 1 })]
      const first = granted(await counters.take(both, 0))
      expect(first.figures.requests).toMatchObject({ limit: 1, left: 0 })
      for (let call = 0; call < 10; call++) expect(refused(await counters.take(both, 0))).toBe('1 requests')
      for (let call = 0; call < 4; call++) granted(await counters.take([limited('user', { rpm: 5 })], 0))
      expect(refused(await counters.take([limited('user', { rpm: 5 })], 0))).toBe('0 requests')
    })

    test.concurrent('at once, and given back exactly once', async () => {
      const { counters } = await make()
      const of = [limited('a', { concurrency: 2 })]
      const [one, two] = [granted(await counters.take(of, 0)), granted(await counters.take(of, 0))]
      expect(refused(await counters.take(of, 0))).toBe('0 concurrency')
      await one.end(0)
      await one.end(0)
      const three = granted(await counters.take(of, 0))
      expect(refused(await counters.take(of, 0))).toBe('0 concurrency')
      await Promise.all([two.end(0), three.end(0)])
      granted(await counters.take(of, 0))
    })

    test.concurrent('tokens: as estimated at first, as used in the end', async () => {
      const { counters, minute } = await make()
      const of = [limited('a', { tpm: 100 })]
      const first = granted(await counters.take(of, 40))
      expect(first.figures.tokens).toMatchObject({ limit: 100, left: 60 })
      expect(refused(await counters.take(of, 61))).toBe('0 tokens')
      await first.end(10)
      const second = granted(await counters.take(of, 90))
      expect(refused(await counters.take(of, 1))).toBe('0 tokens')
      expect(refused(await counters.take(of, 0))).toBe('0 tokens')
      await second.charge(20)
      const third = granted(await counters.take(of, 70))
      await third.end(0)
      await second.end(500)
      expect(refused(await counters.take(of, 0))).toBe('0 tokens')
      await minute()
      granted(await counters.take(of, 100))
    })

    test.concurrent('more than a minute’s tokens pass when nobody has had any', async () => {
      const { counters } = await make()
      const of = [limited('a', { tpm: 100 })]
      const large = granted(await counters.take(of, 5000))
      expect(refused(await counters.take(of, 1))).toBe('0 tokens')
      await large.end(0)
      granted(await counters.take(of, 5000))
    })

    test.concurrent('what a long call used too much counts in the minute it ends; what too little, nowhere', async () => {
      const { counters, minute } = await make()
      const of = [limited('a', { tpm: 100 })]
      const [long, dear] = [granted(await counters.take(of, 10)), granted(await counters.take(of, 10))]
      await minute()
      const next = granted(await counters.take(of, 50))
      await long.end(0)
      expect(refused(await counters.take(of, 51))).toBe('0 tokens')
      await dear.end(60)
      expect(refused(await counters.take(of, 0))).toBe('0 tokens')
      await next.end(0)
    })

    test.concurrent('hits in a window that begins with the first', async () => {
      const { counters } = await make()
      expect([await counters.hit('k', 60_000), await counters.hit('k', 60_000)]).toEqual([1, 2])
      expect(await counters.hitEnds('k')).toBeWithin(1, 60_001)
      expect(await counters.hitEnds('nobody')).toBe(0)
      expect(await counters.hit('other', 60_000)).toBe(1)
    })
  })

test('memory: a window ends, and many addresses push out the oldest and not all', () => {
  const clock = handClock()
  const counters = new MemoryCounters(clock)
  counters.hit('a', 1000)
  clock.passes(1000)
  expect(counters.hit('a', 1000)).toBe(1)
  for (let at = 0; at < 60_000; at++) counters.hit(`x${at}`, 60_000)
  expect(counters.hit('x59999', 60_000)).toBe(2)
  expect(counters.hit('x0', 60_000)).toBe(1)
})

describe('Redis', () => {
  test.concurrent('nodes share the count, under 200 calls at once', async () => {
    const [here, there] = [await redisCounters('shared:'), await redisCounters('shared:')]
    const of = [limited('a', { concurrency: 7 })]
    const taken = await Promise.all(
      Array.from({ length: 200 }, (_, at) => (at % 2 ? here : there).take(of, 0)),
    )
    expect(taken.filter(one => !isRefusal(one))).toHaveLength(7)
  })

  test.concurrent('a call that goes on keeps its place; one whose node was killed loses it', async () => {
    const [here, there] = [await redisCounters('lease:'), await redisCounters('lease:')]
    const of = [limited('a', { concurrency: 2 })]
    granted(await here.take(of, 0))
    granted(await there.take(of, 0))
    // As if it had been killed: it says nothing more.
    there.line.close()
    let again: Claim | Refusal = { index: 0, kind: 'concurrency', waitMs: 1 }
    while (isRefusal(again)) {
      await Bun.sleep(20)
      again = await here.take(of, 0)
    }
    await Bun.sleep(LEASE_MS + 1000)
    expect(refused(await here.take(of, 0))).toBe('0 concurrency')
  })

  test.concurrent('a node that ends gives its places back', async () => {
    const [here, there] = [await redisCounters('close:'), await redisCounters('close:')]
    const of = [limited('a', { concurrency: 1 })]
    granted(await there.take(of, 0))
    expect(refused(await here.take(of, 0))).toBe('0 concurrency')
    await there.close()
    granted(await here.take(of, 0))
  })
})
