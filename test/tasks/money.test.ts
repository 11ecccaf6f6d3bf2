import { afterAll, expect, test } from 'bun:test'
import { startProgram, until } from '../program.ts'
import { SECRET_KEY } from '../relay/rig.ts'
import { dropAll, engines } from '../services/databases.ts'
import { startMidjourney } from '../upstreams/midjourney/start-midjourney.ts'
import { openTaskHouse, type TaskHouse } from './house.ts'

const PRICE = 50_000
const imagine = { prompt: 'a cat' }

afterAll(dropAll)

const runsOf = (house: TaskHouse) => house.store.db.selectFrom('task_runs').selectAll().execute()

const isAnythingHeld = async ({ store }: TaskHouse) =>
  (await store.db.selectFrom('holds').select('id').where('state', '=', 'open').limit(1).execute()).length > 0

/** What must be gone from the wallet: the price of every task that runs or is done, and nothing else. */
async function owed(house: TaskHouse): Promise<number> {
  const states = (await runsOf(house)).map(run => run.state)
  return states.filter(state => state === 'running' || state === 'done').length * PRICE
}

test.each(engines)('on $name: charged, refunded and timed out to the unit, whoever polls', async engine => {
  const DATABASE_URL = await engine.freshUrl()
  const upstream = startMidjourney()
  const house = await openTaskHouse(
    async rig => {
      const reach = { type: 2, baseUrl: upstream.url, key: upstream.key, models: ['mj_imagine'] }
      await rig.addChannel({ ...reach, setting: { cost_ratio: 0.4 } })
    },
    { DATABASE_URL },
  )
  await house.store.change('tokens', transaction =>
    transaction.updateTable('tokens').set({ labels: 'ads,art' }).execute(),
  )
  await house.spent()
  const submitted = await Promise.all(
    Array.from({ length: 12 }, () => house.call('POST', '/mj/submit/imagine', imagine)),
  )
  expect(submitted.map(({ json }) => json.code)).toEqual(Array(12).fill(1))
  expect(await house.spent()).toBe(12 * PRICE)
  const runs = await runsOf(house)
  for (const [at, run] of runs.entries()) {
    if (at < 5) upstream.fail(run.upstream_id, at === 0 ? 'n\0o\ud800' : 'no')
    else if (at < 8) upstream.succeed(run.upstream_id)
    // What no engine could write down as it is keeps nobody else's from being looked after.
    if (at === 1 || at === 5) upstream.change(run.upstream_id, { description: 'a\0b', promptEn: '\ud800' })
  }
  await house.poll(0, 3)
  const told = await house.store.db
    .selectFrom('midjourneys')
    .select(['fail_reason', 'description'])
    .where('status', 'in', ['FAILURE', 'SUCCESS'])
    .execute()
  expect(told.filter(row => row.description === 'ab')).toHaveLength(2)
  expect(told.filter(row => row.fail_reason === 'no\ufffd')).toHaveLength(1)
  expect(await house.spent()).toBe(-5 * PRICE)
  await house.poll(3700, 3)
  await house.poll(3700)
  expect(await house.spent()).toBe(-4 * PRICE)
  const states = (await runsOf(house)).map(run => run.state).sort()
  expect(states).toEqual([...Array(3).fill('done'), ...Array(9).fill('failed')])
  for (const run of await runsOf(house))
    expect(await house.refunds(run.id)).toHaveLength(run.state === 'failed' ? 1 : 0)
  const user = await house.store.db
    .selectFrom('users')
    .select(['used_quota', 'request_count'])
    .where('id', '=', house.payer.userId)
    .executeTakeFirstOrThrow()
  expect(user).toEqual({ used_quota: 3 * PRICE, request_count: 12 })
  const channels = await house.store.db.selectFrom('channels').select('used_quota').execute()
  expect(channels).toEqual([{ used_quota: 3 * PRICE }])
  const sums = await house.store.db
    .selectFrom('usage_hourly')
    .select(hour => [
      hour.fn.sum<number>('cost').as('cost'),
      hour.fn.sum<number>('costed_quota').as('costed'),
    ])
    .executeTakeFirstOrThrow()
  expect([Number(sums.cost), Number(sums.costed)]).toEqual([3 * PRICE * 0.4, 3 * PRICE])
  const labelled = await house.store.db
    .selectFrom('usage_labels_hourly')
    .select(hour => [
      hour.fn.sum<number>('requests').as('requests'),
      hour.fn.sum<number>('cost').as('cost'),
      hour.fn.sum<number>('costed_quota').as('costed'),
    ])
    .where('labels', '=', 'ads,art')
    .executeTakeFirstOrThrow()
  expect(Object.values(labelled).map(Number)).toEqual([12, 3 * PRICE * 0.4, 3 * PRICE])
  expect(await house.differences()).toEqual([])
  await house.close()
  await upstream.stop()
})

test('two programs on one database refund each failure once', async () => {
  const DATABASE_URL = (await engines.find(engine => engine.name === 'postgres')?.freshUrl()) ?? ''
  const upstream = startMidjourney()
  const house = await openTaskHouse(
    async rig => {
      await rig.addChannel({ type: 2, baseUrl: upstream.url, key: upstream.key, models: ['mj_imagine'] })
    },
    { DATABASE_URL },
  )
  const second = await startProgram({ DATABASE_URL, SECRET_KEY })
  await house.spent()
  for (let at = 0; at < 20; at++) {
    const url = at % 2 ? house.url : second.url
    const answer = await fetch(`${url}/mj/submit/imagine`, {
      method: 'POST',
      headers: { authorization: `Bearer ${house.payer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(imagine),
    })
    expect(answer.status).toBe(200)
  }
  expect(await house.spent()).toBe(20 * PRICE)
  const ids = (await runsOf(house)).map(run => run.id)
  for (const run of await runsOf(house)) upstream.fail(run.upstream_id, 'no')
  // Clients of both ask at once, while both ask by themselves.
  await until(async () => {
    await Promise.all(
      ids.flatMap(id =>
        [house.url, second.url].map(url =>
          fetch(`${url}/mj/task/${id}/fetch`, { headers: { authorization: `Bearer ${house.payer.key}` } }),
        ),
      ),
    )
    return (await runsOf(house)).every(run => run.state === 'failed')
  })
  expect(await house.spent()).toBe(-20 * PRICE)
  for (const id of ids) expect(await house.refunds(id)).toHaveLength(1)
  expect(await house.differences()).toEqual([])
  await second.stop()
  await house.close()
  await upstream.stop()
})

test('both programs look by themselves', async () => {
  const DATABASE_URL = (await engines.find(engine => engine.name === 'postgres')?.freshUrl()) ?? ''
  const upstream = startMidjourney()
  const house = await openTaskHouse(
    async rig => {
      await rig.addChannel({ type: 2, baseUrl: upstream.url, key: upstream.key, models: ['mj_imagine'] })
    },
    { DATABASE_URL },
  )
  const second = await startProgram({ DATABASE_URL, SECRET_KEY })
  await house.spent()
  for (let at = 0; at < 5; at++) await house.call('POST', '/mj/submit/imagine', imagine)
  for (const run of await runsOf(house)) upstream.fail(run.upstream_id, 'no')
  await until(async () => (await runsOf(house)).every(run => run.state === 'failed'))
  expect(await house.spent()).toBe(0)
  expect(await house.differences()).toEqual([])
  await second.stop()
  await house.close()
  await upstream.stop()
})

test.each(['', 'auto'])(
  'killed at any moment: what is gone is the price of what runs (group %p)',
  async group => {
    const upstream = startMidjourney()
    upstream.pace(600)
    const times = { beatMs: 500, reapMs: 300, deadAfterMs: 6000, refillMs: 500 }
    let program = undefined as Awaited<ReturnType<typeof startProgram>> | undefined
    const house = await openTaskHouse(
      async rig => {
        const channel = { type: 2, baseUrl: upstream.url, key: upstream.key, models: ['mj_imagine'] }
        await rig.addChannel(channel)
        // Held for, and never asked.
        await rig.addChannel({ ...channel, groups: ['vip'] })
        await rig.setOption('GroupRatio', '{"default":1,"vip":3}')
        await rig.setOption('AutoGroups', '["default","vip"]')
      },
      {},
      times,
    )
    const { key } = await house.addToken({ userId: house.payer.userId, group })
    let known = await house.balance(house.payer.userId)
    for (let round = 0; round < 4; round++) {
      const url = program?.url ?? house.url
      const running = program ?? house.program
      upstream.next({ silent: true })
      upstream.next({ silent: true })
      const heard: string[] = []
      const calls = Array.from({ length: 60 }, async () => {
        const answer = await fetch(`${url}/mj/submit/imagine`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify(imagine),
        })
        heard.push(((await answer.json()) as { result: string }).result)
      })
      const ended = Promise.allSettled(calls)
      const enough = Math.floor(Math.random() * 55)
      await until(() => heard.length >= enough)
      for (const pid of running.workerPids()) process.kill(pid, 'SIGKILL')
      running.kill('SIGKILL')
      await ended
      await house.poll()
      // Until then nothing becomes of what was being submitted, however often anybody looks.
      await until(async () => !(await isAnythingHeld(house)))
      await until(async () => {
        await house.poll()
        return (await runsOf(house)).every(run => run.state !== 'submitting')
      })
      expect(await house.differences()).toEqual([])
      const now = await house.balance(house.payer.userId)
      expect(50_000_000 - now).toBe(await owed(house))
      const alive = new Set((await runsOf(house)).filter(run => run.state === 'running').map(run => run.id))
      expect(heard.filter(id => !alive.has(id))).toEqual([])
      expect(known - now).toBeLessThanOrEqual(60 * PRICE)
      known = now
      program = await startProgram({ SECRET_KEY, DATA_DIR: house.program.dataDir })
    }
    for (const run of await runsOf(house)) if (run.state === 'running') upstream.fail(run.upstream_id, 'no')
    await house.poll()
    expect(await house.balance(house.payer.userId)).toBe(50_000_000)
    expect(await house.differences()).toEqual([])
    await program?.stop()
    await house.close()
    await upstream.stop()
  },
  600_000,
)
