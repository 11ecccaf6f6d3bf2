import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { ChannelRestView } from '../../../contract/channel-rests.ts'
import type { ChannelView } from '../../../contract/channel-view.ts'
import { type Program, startProgram, until } from '../../program.ts'
import { openRig, type Rig, SECRET_KEY } from '../../relay/rig.ts'
import { ask, chat } from '../../relay/ways.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { type FakeUpstream, startOpenai } from '../../upstreams/index.ts'
import { TokenClient } from '../rig-client.ts'

afterAll(dropAll)

const now = () => Math.floor(Date.now() / 1000)
const moreKeys = ['sk-second-0123456789abcdef', 'sk-third-0123456789abcdef']

/** Two workers of one program, and a second program beside them: what one sees, all of them tell. */
describe.each(engines.map(engine => [engine.name, engine] as const))('resting on %s', (_name, engine) => {
  let rig: Rig
  let second: Program
  let fake: FakeUpstream
  let admin: TokenClient
  let elsewhere: TokenClient
  let key = ''
  let DATABASE_URL = ''

  beforeAll(async () => {
    fake = await startOpenai({ moreKeys })
    DATABASE_URL = await engine.freshUrl()
    const options = { GlobalApiRateLimit: '0', RetryTimes: '0', DefaultModelRatio: '1' }
    rig = await openRig(
      async books => {
        for (const [name, value] of Object.entries(options)) await books.setOption(name, value)
        key = (await books.addToken({ userId: await books.addUser() })).key
      },
      { DATABASE_URL, WORKERS: '2' },
    )
    second = await startProgram({ SECRET_KEY, DATABASE_URL })
    admin = await TokenClient.of(rig, await rig.addUser({ role: 10 }))
    elsewhere = await TokenClient.of({ ...rig, url: second.url }, await rig.addUser({ role: 10 }))
  })
  afterAll(async () => {
    await second.stop()
    await rig.close()
    await fake.stop()
  })

  let made = 0
  const add = (models: readonly string[], key = fake.key) =>
    rig.addChannel({ type: 1, name: `c${++made}`, baseUrl: fake.url, key, models })
  const call = async (model: string, url = rig.url): Promise<number> => {
    const response = await ask(url, chat, { key, model })
    await response.text()
    return response.status
  }
  /** Until whoever is asked knows the channel. */
  const firstCall = async (model: string): Promise<number> =>
    until(async () => {
      const status = await call(model)
      return status === 503 || status === 404 ? undefined : status
    })
  const one = async (client: TokenClient, id: number): Promise<ChannelView> =>
    (await client.get(`/api/channel/${id}`)).json.data
  const listed = async (client: TokenClient, id: number): Promise<ChannelView | undefined> =>
    (await client.get('/api/channel/?p=0&page_size=100')).json.data.find((row: ChannelView) => row.id === id)
  const restingOf = (id: number): Promise<ChannelRestView[]> =>
    until(async () => (await one(admin, id)).resting)

  test('after a 429 the model rests for all to see, until it is let off', async () => {
    const id = await add(['m-busy', 'm-free'])
    const before = await one(admin, id)
    expect(before).not.toHaveProperty('resting')
    fake.always({ ...fake.failWith('rate-limit'), headers: { 'Retry-After': '300' } })
    const asked = now()
    expect(await firstCall('m-busy')).toBe(429)
    const [rest, ...more] = await restingOf(id)
    expect(more).toEqual([])
    expect(rest).toMatchObject({ model: 'm-busy', reason: 'rate', status: 429 })
    expect(rest?.until ?? 0).toBeWithin(asked + 300, now() + 302)
    // Connections are spread over the workers, and the second program shares nothing with them but the database.
    const seen = await Promise.all(Array.from({ length: 12 }, () => listed(admin, id)))
    for (const row of [...seen, await listed(elsewhere, id)]) {
      expect(row?.resting).toEqual([rest as ChannelRestView])
      const { resting: _, ...others } = row as ChannelView
      expect(others).toEqual(before)
    }

    fake.always({})
    const woken = await elsewhere.post(`/api/channel/${id}/wake`, undefined)
    expect(woken.json).toEqual({ success: true, message: '', data: null })
    for (const client of [admin, elsewhere]) expect(await listed(client, id)).not.toHaveProperty('resting')
    await until(async () =>
      (await Promise.all([1, 2, 3, 4].map(() => call('m-busy')))).every(is => is === 200),
    )
  })

  test('of several keys it is told how many rest; the channel does with the last', async () => {
    const id = await add(['m-keys'], [fake.key, ...moreKeys].join('\n'))
    const limited = { ...fake.failWith('rate-limit'), headers: { 'Retry-After': '300' } }
    fake.always(({ headers }) => (headers.authorization === `Bearer ${fake.key}` ? limited : {}))
    const asked = now()
    const some = await until(async () => {
      await call('m-keys')
      return (await one(admin, id)).resting_keys
    })
    expect(some).toMatchObject([
      { model: 'm-keys', reason: 'rate', status: 429, keys: { resting: 1, all: 3 } },
    ])
    expect(some[0]?.until ?? 0).toBeWithin(asked + 300, now() + 302)
    for (const client of [admin, elsewhere]) {
      const row = await listed(client, id)
      expect(row?.resting_keys).toMatchObject([{ model: 'm-keys', keys: { resting: 1, all: 3 } }])
      expect(row).not.toHaveProperty('resting')
    }
    const written = await rig.store.db.selectFrom('system').selectAll().execute()
    expect(JSON.stringify(written)).not.toContain(fake.key)

    fake.always(limited)
    const [rest] = await until(async () => {
      await call('m-keys')
      return (await one(admin, id)).resting
    })
    expect(rest).toMatchObject({ model: 'm-keys', reason: 'rate', status: 429 })
    expect(await listed(elsewhere, id)).not.toHaveProperty('resting_keys')
    fake.always({})
    expect((await elsewhere.post(`/api/channel/${id}/wake`, undefined)).json.success).toBe(true)
    for (const client of [admin, elsewhere]) {
      const row = await listed(client, id)
      expect([row?.resting, row?.resting_keys]).toEqual([undefined, undefined])
    }
    await until(async () =>
      (await Promise.all([1, 2, 3, 4].map(() => call('m-keys')))).every(is => is === 200),
    )
  })

  test('what keeps failing rests with what it failed of, and a change of the channel ends it', async () => {
    const id = await add(['m-broken'])
    fake.always(fake.failWith('server-error'))
    await firstCall('m-broken')
    // Each process counts for itself: two workers need up to twice as many.
    const resting = await until(async () => {
      await call('m-broken')
      return (await one(admin, id)).resting
    })
    const rest = { model: 'm-broken', reason: 'server', status: 500 }
    expect(resting).toMatchObject([rest])
    await admin.put('/api/channel/', { id, tag: 'night' })
    // The other worker's may be told by now, which is of a later call.
    const still = (await one(admin, id)).resting
    expect(still).toMatchObject([rest])
    expect(still?.[0]?.until).toBeGreaterThanOrEqual(resting?.[0]?.until ?? Number.POSITIVE_INFINITY)
    await admin.put('/api/channel/', { id, priority: 5 })
    expect(await one(admin, id)).not.toHaveProperty('resting')
  })

  test('a refused key takes the whole channel along; out of service it does not rest', async () => {
    const id = await add(['m-key', 'm-key-2'])
    fake.always(fake.failWith('bad-key'))
    await firstCall('m-key')
    const [rest, ...more] = await restingOf(id)
    expect(more).toEqual([])
    expect(rest).toMatchObject({ reason: 'auth', status: 401 })
    expect(rest).not.toHaveProperty('model')
    await admin.put('/api/channel/', { id, status: 2 })
    expect(await one(admin, id)).not.toHaveProperty('resting')
  })

  test('a good test ends it, and there is none to end where there is no channel', async () => {
    const id = await add(['m-tested'])
    fake.always({ ...fake.failWith('rate-limit'), headers: { 'Retry-After': '300' } })
    await firstCall('m-tested')
    await restingOf(id)
    fake.always({})
    expect((await admin.get(`/api/channel/test/${id}`)).json.success).toBe(true)
    expect(await one(admin, id)).not.toHaveProperty('resting')
    expect((await admin.post('/api/channel/987654/wake', undefined)).json.success).toBe(false)
  })

  test('a worker that is killed takes its own along', async () => {
    const id = await add(['m-killed'])
    fake.always({ ...fake.failWith('rate-limit'), headers: { 'Retry-After': '300' } })
    await firstCall('m-killed')
    await restingOf(id)
    const workers = rig.program.workerPids()
    for (const pid of workers) process.kill(pid, 'SIGKILL')
    await until(async () => {
      const found = await one(elsewhere, id)
      return found && !found.resting
    })
    // Those that take their place are asked by the tests that follow.
    await until(() =>
      fetch(`${rig.url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
  })

  test('a program that ends takes its own back', async () => {
    const id = await add(['m-elsewhere'])
    fake.always({ ...fake.failWith('rate-limit'), headers: { 'Retry-After': '300' } })
    await until(async () => (await call('m-elsewhere', second.url)) === 429)
    await restingOf(id)
    await second.stop()
    expect(await one(admin, id)).not.toHaveProperty('resting')
  })

  test('so does one that is killed whole, once it is known to be dead', async () => {
    const third = await startProgram({ SECRET_KEY, DATABASE_URL })
    const id = await add(['m-gone'])
    fake.always({ ...fake.failWith('rate-limit'), headers: { 'Retry-After': '300' } })
    await until(async () => (await call('m-gone', third.url)) === 429)
    await restingOf(id)
    const workers = third.workerPids()
    third.kill('SIGKILL')
    for (const pid of workers) killIfThere(pid)
    await until(async () => !(await one(admin, id)).resting)
  })
})

/** A worker whose supervisor is gone ends by itself, on a busy machine before the next line is reached. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
