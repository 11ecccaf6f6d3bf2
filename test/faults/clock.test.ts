import { afterAll, expect, test } from 'bun:test'
import { Client, rootClient } from '../client.ts'
import { ROOT_PASSWORD, until } from '../program.ts'
import { openRig } from '../relay/rig.ts'
import { ask, chat } from '../relay/ways.ts'
import { dropAll, engines } from '../services/databases.ts'
import { openTaskHouse } from '../tasks/house.ts'
import { startOpenai } from '../upstreams/index.ts'
import { startSuno } from '../upstreams/suno/start-suno.ts'
import { openHouse } from './house.ts'
import { makeCall } from './load.ts'
import { settableClock } from './settable-clock.ts'

afterAll(dropAll)

const HOUR = 3600

test.concurrent.each(engines.map(engine => [engine.name, engine] as const))(
  'on %s a clock that jumps while calls are made costs nobody anything',
  async (_name, engine) => {
    const clock = settableClock()
    const house = await openHouse(await engine.freshUrl())
    try {
      const gateway = await house.start(clock.environment)
      const root = await rootClient(gateway.url)
      const load = house.load(gateway)
      load.start(20)
      for (const seconds of [HOUR, -HOUR, 0]) {
        const before = load.sights.length
        await clock.set(seconds)
        await until(() => load.sights.slice(before).filter(({ done }) => done).length > 10)
        expect((await root.get('/api/user/self')).json.data.username).toBe('root')
        expect((await root.get('/readyz')).status).toBe(200)
      }
      await load.stop()
      // Nobody was taken for dead, and every hold was closed by the one that had taken it.
      expect(await house.faults(load.sights, { unharmed: true })).toEqual([])
      expect(gateway.output()).not.toContain('holds of a process that died')
      const after = await makeCall(gateway, { id: 'after', payer: house.payers[0], tokens: 9, most: 9 })
      expect(after.done).toBe(true)
    } finally {
      await house.close()
    }
  },
)

test('what was counted by a clock that went ahead locks nobody out when it is set right', async () => {
  const clock = settableClock()
  const fake = await startOpenai()
  let key = ''
  const rig = await openRig(async books => {
    for (const name of ['CriticalRateLimit', 'GlobalApiRateLimit']) await books.setOption(name, '0')
    key = (await books.addToken({ userId: await books.addUser(), limits: { rpm: 2 } })).key
    await books.addChannel({ type: 1, baseUrl: fake.url, key: fake.key, models: [chat.model] })
  }, clock.environment)
  try {
    const call = async () => (await ask(rig.url, chat, { key })).status
    expect([await call(), await call(), await call()]).toEqual([200, 200, 429])
    await clock.set(HOUR)
    // A minute is a minute, whatever the clock says.
    expect(await call()).toBe(429)
    const guess = () => new Client(rig.url).login('root', 'not-the-password')
    const locked = await until(async () => {
      const { headers } = await guess()
      return headers.get('retry-after')
    })
    expect(Number(locked)).toBeLessThanOrEqual(900)
    await clock.set(0)
    expect((await new Client(rig.url).login('root', ROOT_PASSWORD)).json.success).toBe(true)
  } finally {
    await rig.close()
    await fake.stop()
  }
})

test('a job is neither given up for a clock that goes ahead nor forgotten when it is set back', async () => {
  const clock = settableClock()
  const upstream = startSuno()
  const house = await openTaskHouse(async books => {
    await books.addChannel({ type: 36, baseUrl: upstream.url, key: upstream.key, models: ['suno_music'] })
  }, clock.environment)
  const submit = async (): Promise<{ id: string; at: string }> => {
    const { json } = await house.call('POST', '/suno/submit/music', { prompt: 'la la' })
    const run = house.store.db.selectFrom('task_runs').selectAll().where('id', '=', json.data)
    return { id: json.data, at: (await run.executeTakeFirstOrThrow()).upstream_id }
  }
  const statusOf = async (id: string): Promise<string> =>
    (await house.call('GET', `/suno/fetch/${id}`)).json.data.status
  try {
    const first = await submit()
    upstream.change(first.at, { status: 'IN_PROGRESS' })
    await clock.set(2 * HOUR)
    // Longer than a job may take has passed, if one asks the clock.
    expect(await until(async () => (await statusOf(first.id)) === 'IN_PROGRESS')).toBe(true)
    expect(await house.refunds(first.id)).toEqual([])
    const second = await submit()
    await clock.set(0)
    for (const { at } of [first, second]) upstream.change(at, { status: 'SUCCESS', data: [] })
    for (const { id } of [first, second]) await until(async () => (await statusOf(id)) === 'SUCCESS')
    expect(await house.differences()).toEqual([])
  } finally {
    await house.close()
    await upstream.stop()
  }
})
