import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Limits } from '../../../server/store/counters/counters.ts'
import { rootClient } from '../../client.ts'
import { morePatience } from '../../more-patience.ts'
import { until } from '../../program.ts'
import { redisUrl } from '../../services/databases.ts'
import { type FakeUpstream, startOpenai } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { type Asking, ask, chat, problemIn, readStream, requestIdOf, ways } from '../ways.ts'

const MODEL = 'gpt-4o'

/** One model at one upstream, for callers with every kind of limit. */
async function openHouse(environment: Record<string, string>) {
  const fake = await startOpenai()
  const rig = await openRig(async books => {
    await books.setOption('GroupRatio', '{"default":1,"tight":1}')
    await books.setOption('GroupLimits', '{"tight":{"rpm":4},"other":{"rpm":0}}')
    const models = [MODEL, 'text-embedding-3-small', 'gpt-realtime', 'claude-sonnet-4-6', 'gemini-2.5-flash']
    const channel = { type: 1, baseUrl: fake.url, key: fake.key, groups: ['default', 'tight'] }
    await books.addChannel({ ...channel, models })
  }, environment)
  return {
    rig,
    fake,
    async token(limits: Partial<Limits>, of: { user?: Partial<Limits>; group?: string } = {}) {
      const { user, group = 'default' } = of
      const userId = await rig.addUser({ group, ...(user && { limits: user }) })
      return { userId, ...(await rig.addToken({ userId, limits })) }
    },
    call: (key: string, more: Partial<Asking> = {}) => ask(rig.url, chat, { key, model: MODEL, ...more }),
    async close() {
      expect(await rig.differences()).toEqual([])
      expect(fake.complaints).toEqual([])
      await rig.close()
      await fake.stop()
    },
  }
}
type House = Awaited<ReturnType<typeof openHouse>>

const counts = (statuses: readonly number[], status: number) => statuses.filter(one => one === status).length
const many = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make))
async function statusOf(response: Promise<Response>): Promise<number> {
  const answer = await response
  await answer.text()
  return answer.status
}

function isAway({ rig }: House): boolean {
  const output = rig.program.output()
  return output.lastIndexOf('Redis is out of reach') > output.lastIndexOf('Redis is back')
}

/** Lets the upstream answer nobody until it is opened; how many wait there. */
function gate(fake: FakeUpstream) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const seen = { now: 0, most: 0 }
  fake.always(async () => {
    seen.most = Math.max(seen.most, ++seen.now)
    await promise
    seen.now--
    return {}
  })
  const open = (): void => {
    fake.always({})
    resolve()
  }
  return { seen, open }
}

for (const kind of ['memory', 'redis'] as const)
  describe(`counted in ${kind}`, () => {
    let house: House
    beforeAll(async () => {
      // What a busy machine keeps Redis from counting in time would be counted apart.
      const counted = async () => ({ REDIS_URL: await redisUrl(), ...morePatience({ 250: 20_000 }) })
      house = await openHouse(kind === 'redis' ? await counted() : {})
    })
    afterAll(() => house.close())
    // A Redis that a crowd has held up is counted without for a moment, and what was counted then is not in it.
    beforeEach(() => until(() => !isAway(house)))

    test('of 200 calls at once exactly 5 are at the upstream, and the places come back', async () => {
      const { key } = await house.token({ concurrency: 5 })
      const { seen, open } = gate(house.fake)
      const statuses: number[] = []
      const calls = many(200, async () => statuses.push(await statusOf(house.call(key))))
      await until(() => statuses.length === 195)
      await until(() => seen.now === 5)
      open()
      await calls
      expect([counts(statuses, 200), counts(statuses, 429), seen.most]).toEqual([5, 195, 5])
      expect(await many(5, () => statusOf(house.call(key)))).toEqual([200, 200, 200, 200, 200])
    })

    test('10 a minute are exactly 10 of 50', async () => {
      const { key } = await house.token({ rpm: 10 })
      const statuses = await many(50, () => statusOf(house.call(key)))
      expect([counts(statuses, 200), counts(statuses, 429)]).toEqual([10, 40])
    })

    test('a user’s limit holds for all tokens together, a group’s for all users', async () => {
      const first = await house.token({}, { user: { rpm: 3 } })
      const second = await house.rig.addToken({ userId: first.userId })
      const keys = [first.key, second.key]
      const statuses = await Promise.all(keys.flatMap(key => [1, 2, 3].map(() => statusOf(house.call(key)))))
      expect(counts(statuses, 200)).toBe(3)
      const [one, other] = [
        await house.token({}, { group: 'tight' }),
        await house.token({}, { group: 'tight' }),
      ]
      const shared = await Promise.all(
        [one, other].flatMap(({ key }) => [1, 2, 3].map(() => statusOf(house.call(key)))),
      )
      expect(counts(shared, 200)).toBe(4)
      const refused = await house.call(one.key, { headers: { 'accept-language': 'en' } })
      expect(await refused.text()).toContain('Group tight may make 4 requests a minute')
    })

    test('a stream keeps its place to its end, and a client who leaves gives it back', async () => {
      const { key } = await house.token({ concurrency: 1 })
      const { promise, resolve } = Promise.withResolvers<void>()
      house.fake.next({ hold: { afterFrames: 2, until: promise } })
      const streaming = await house.call(key, { stream: true })
      expect(await statusOf(house.call(key))).toBe(429)
      resolve()
      expect((await readStream(streaming)).text).toContain('[DONE]')
      expect(await statusOf(house.call(key))).toBe(200)

      house.fake.next({ stallAfterFrames: 2 })
      const leaving = new AbortController()
      await house.call(key, { stream: true, signal: leaving.signal })
      expect(await statusOf(house.call(key))).toBe(429)
      leaving.abort()
      await until(async () => (await statusOf(house.call(key))) === 200)

      house.fake.next({ silent: true })
      const hasty = new AbortController()
      const asked = house.fake.requests.length
      const waiting = house.call(key, { signal: hasty.signal }).catch(() => undefined)
      // Another call that overtook it would get the silence meant for it.
      await until(() => house.fake.requests.length > asked)
      expect(await statusOf(house.call(key))).toBe(429)
      hasty.abort()
      await waiting
      await until(async () => (await statusOf(house.call(key))) === 200)
    })

    test('a stream that is cut gives its place back', async () => {
      const { key } = await house.token({ concurrency: 1 })
      for (let call = 0; call < 3; call++) {
        house.fake.next({ cutAfterFrames: 3 })
        const { text } = await readStream(await house.call(key, { stream: true }))
        expect(text).not.toContain('[DONE]')
        house.fake.next(house.fake.failWith('server-error'))
        expect(await statusOf(house.call(key))).toBe(500)
        // Too many failures in a row, and the channel would be left alone.
        expect(await statusOf(house.call(key))).toBe(200)
      }
    })

    test('tokens are counted as the upstream counts them', async () => {
      const { key } = await house.token({ tpm: 100_000 })
      const left = (response: Response) => Number(response.headers.get('x-ratelimit-remaining-tokens'))
      const first = await house.call(key)
      const { usage } = (await first.json()) as { usage: { total_tokens: number } }
      const second = await house.call(key)
      await second.text()
      expect(left(first) - left(second)).toBe(usage.total_tokens)
      expect(first.headers.get('x-ratelimit-limit-tokens')).toBe('100000')
      expect(first.headers.get('x-ratelimit-limit-requests')).toBeNull()

      const small = await house.token({ tpm: 10 })
      expect(await statusOf(house.call(small.key))).toBe(200)
      const refused = await house.call(small.key)
      expect([refused.status, await refused.text()]).toEqual([
        429,
        expect.stringContaining('该令牌每分钟最多使用 10 个 Token'),
      ])
      house.fake.next(house.fake.failWith('bad-request'))
      const failed = await house.token({ tpm: 10 })
      expect(await statusOf(house.call(failed.key))).toBe(400)
      expect(await statusOf(house.call(failed.key))).toBe(200)
    })

    test('every kind of call counts', async () => {
      const { key, userId } = await house.token({ rpm: 2 })
      const embed = () =>
        ask(
          house.rig.url,
          { ...chat, path: () => '/v1/embeddings' },
          {
            key,
            rawBody: JSON.stringify({ model: 'text-embedding-3-small', input: 'hi' }),
          },
        )
      const embedded = await embed()
      expect([embedded.status, embedded.headers.get('x-ratelimit-remaining-requests')]).toEqual([200, '1'])
      const counting = () =>
        fetch(`${house.rig.url}/v1/messages/count_tokens`, {
          method: 'POST',
          headers: { 'x-api-key': key, 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'claude-sonnet-4-6', messages: [{ role: 'user', content: 'hi' }] }),
        })
      expect(await statusOf(counting())).toBe(200)
      expect(await statusOf(embed())).toBe(429)
      expect(await statusOf(counting())).toBe(429)
      const models = fetch(`${house.rig.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
      expect(await statusOf(models)).toBe(200)
      expect(await house.rig.balance(userId)).toBeGreaterThan(0)
    })

    test('the playground counts for its user', async () => {
      const root = await rootClient(house.rig.url)
      const { id } = (await root.get('/api/user/self')).json.data
      expect((await root.put('/api/user/', { id, username: 'root', rpm: 1 })).json.success).toBe(true)
      const { quota } = (await root.get(`/api/user/${id}`)).json.data
      await root.put('/api/user/', { id, username: 'root', quota: quota + 10_000_000 })
      const play = () =>
        root.post('/pg/chat/completions', { model: MODEL, messages: [{ role: 'user', content: 'hi' }] })
      expect([(await play()).status, (await play()).status]).toEqual([200, 429])
      await root.put('/api/user/', { id, username: 'root', rpm: 0 })
      expect((await play()).status).toBe(200)
    })

    test('a session keeps its place until it is over', async () => {
      const { key } = await house.token({ concurrency: 1 })
      const socketUrl = `${house.rig.url.replace('http', 'ws')}/v1/realtime?model=gpt-realtime`
      const socket = new WebSocket(socketUrl, ['realtime', `openai-insecure-api-key.${key}`])
      await new Promise((resolve, reject) => {
        socket.onmessage = resolve
        socket.onerror = reject
      })
      expect(await statusOf(house.call(key))).toBe(429)
      socket.close()
      await until(async () => (await statusOf(house.call(key))) === 200)
    })
  })

describe('a refusal', () => {
  let house: House
  beforeAll(async () => {
    house = await openHouse({})
  })
  afterAll(() => house.close())

  test.each(ways.map(way => [way.name, way] as const))('speaks %s', async (_, way) => {
    const { key, userId } = await house.token({ rpm: 1 })
    await statusOf(ask(house.rig.url, chat, { key, model: MODEL }))
    const before = await house.rig.balance(userId)
    const refused = await ask(house.rig.url, way, {
      key,
      model: MODEL,
      stream: true,
      headers: { 'accept-language': 'en' },
    })
    const text = await refused.text()
    expect(refused.status).toBe(429)
    const retryAfter = Number(refused.headers.get('retry-after'))
    expect(retryAfter).toBeGreaterThanOrEqual(1)
    expect(retryAfter).toBeLessThanOrEqual(60)
    expect(problemIn(way, text)?.message).toContain(
      `This token may make 1 request a minute: try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}`,
    )
    expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    expect(refused.headers.get('x-ratelimit-limit-requests')).toBe('1')
    const row = await house.rig.logOf(requestIdOf(refused))
    expect([row.type, row.quota, row.details.status_code]).toEqual([5, 0, 429])
    expect(await house.rig.chargeOf(requestIdOf(refused))).toBeUndefined()
    expect(await house.rig.balance(userId)).toBe(before)
  })

  test('nothing is said of limits where there are none', async () => {
    const { key } = await house.token({})
    const response = await house.call(key)
    await response.text()
    expect([...response.headers.keys()].filter(name => name.startsWith('x-ratelimit'))).toEqual([])
  })

  test('a limit is in force at the next call after it is set, and lifted', async () => {
    const { key, id } = await house.token({})
    const { store } = house.rig
    expect(await statusOf(house.call(key))).toBe(200)
    const set = (rpm: number) =>
      store.change('tokens', async change => {
        await change.updateTable('tokens').set({ rpm }).where('id', '=', id).execute()
      })
    await set(1)
    await until(async () => (await statusOf(house.call(key))) === 429)
    await set(0)
    await until(async () => (await statusOf(house.call(key))) === 200)
  })
})

describe('a channel', () => {
  let rig: Rig
  let key = ''
  const fakes: FakeUpstream[] = []
  const asked = () => fakes.map(fake => fake.requests.length)

  beforeAll(async () => {
    for (let at = 0; at < 3; at++) fakes.push(await startOpenai({ key: `sk-${at}-0123456789abcdef0123` }))
    rig = await openRig(async books => {
      key = (await books.addToken({ userId: await books.addUser() })).key
      await books.setOption('DefaultModelRatio', '1')
      const at = (index: number) => ({
        type: 1,
        baseUrl: fakes[index]?.url ?? '',
        key: fakes[index]?.key ?? '',
      })
      await books.addChannel({ ...at(0), models: ['m-busy'], priority: 9, limits: { concurrency: 1 } })
      await books.addChannel({ ...at(1), models: ['m-busy'], priority: 5, limits: { concurrency: 2 } })
      await books.addChannel({ ...at(0), models: ['m-rpm'], priority: 9, limits: { rpm: 2 } })
      await books.addChannel({ ...at(1), models: ['m-rpm'], priority: 5, limits: { rpm: 1 } })
      await books.addChannel({ ...at(2), models: ['m-tpm'], limits: { tpm: 5 } })
    })
  })
  afterAll(async () => {
    expect(await rig.differences()).toEqual([])
    await rig.close()
    for (const fake of fakes) await fake.stop()
  })
  const call = (model: string, more: Partial<Asking> = {}) => ask(rig.url, chat, { key, model, ...more })

  test('that is busy is passed over, and when all are the caller is told when to come back', async () => {
    const gates = fakes.map(gate)
    const calls: Promise<number>[] = []
    for (const expected of [
      [1, 0, 0],
      [1, 1, 0],
      [1, 2, 0],
    ]) {
      calls.push(statusOf(call('m-busy', { stream: calls.length > 0 })))
      await until(() => String(asked()) === String(expected))
    }
    const refused = await call('m-busy', { headers: { 'accept-language': 'en' } })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    expect(await refused.text()).toContain('All channels of model m-busy are at their limits')
    for (const { open } of gates) open()
    expect(await Promise.all(calls)).toEqual([200, 200, 200])
    expect(await statusOf(call('m-busy'))).toBe(200)
    expect(asked()).toEqual([2, 2, 0])
  })

  test('has its requests a minute', async () => {
    const before = asked()
    const statuses = await many(10, () => statusOf(call('m-rpm')))
    expect([counts(statuses, 200), counts(statuses, 429)]).toEqual([3, 7])
    expect(asked().map((count, at) => count - (before[at] ?? 0))).toEqual([2, 1, 0])
  })

  test('has its tokens a minute', async () => {
    expect([await statusOf(call('m-tpm')), await statusOf(call('m-tpm'))]).toEqual([200, 429])
  })
})
