import { afterAll, beforeAll, expect, test } from 'bun:test'
import { atRest } from '../at-rest.ts'
import { until } from '../program.ts'
import { serveLoopback } from '../serve-loopback.ts'
import { type FakeMidjourney, startMidjourney } from '../upstreams/midjourney/start-midjourney.ts'
import { openTaskHouse, type TaskHouse } from './house.ts'

let upstream: FakeMidjourney
let house: TaskHouse

beforeAll(async () => {
  upstream = startMidjourney()
  house = await openTaskHouse(async rig => {
    await rig.addChannel({ type: 2, baseUrl: upstream.url, key: upstream.key, models: ['mj_imagine'] })
    await rig.setOption('ServerAddress', 'https://gate.example')
    await rig.setOption('MjNotifyEnabled', 'true')
  })
})
afterAll(async () => {
  expect(upstream.complaints).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
  await upstream.stop()
})

/** Submits, and answers our id, the upstream's, and the address it was given to tell of changes. */
async function draw(more: object = {}) {
  const { json } = await house.call('POST', '/mj/submit/imagine', { prompt: 'a cat', ...more })
  const sent = upstream.requests.findLast(asked => asked.path === '/mj/submit/imagine')
  const id: string = json.result
  const run = house.store.db.selectFrom('task_runs').selectAll().where('id', '=', id)
  const { upstream_id } = await run.executeTakeFirstOrThrow()
  return { id, at: upstream_id, hook: String(sent?.json.notifyHook) }
}

const status = async (id: string): Promise<string> => {
  const row = house.store.db.selectFrom('midjourneys').select('status').where('mj_id', '=', id)
  return (await row.executeTakeFirstOrThrow()).status
}

test('an upstream tells at the address made for the task; the money comes back once', async () => {
  await house.spent()
  const { id, at, hook } = await draw()
  expect(hook).toMatch(new RegExp(`^https://gate\\.example/mj/notify/${id}/[0-9a-f]{64}$`))
  const path = new URL(hook).pathname
  const failed = { id: at, status: 'FAILURE', progress: '10%', failReason: 'no' }
  expect((await house.call('POST', path, { ...failed, id: 'another' }, '')).status).toBe(200)
  expect(await status(id)).toBe('SUBMITTED')
  for (let times = 0; times < 3; times++)
    expect((await house.call('POST', path, failed, '')).json).toEqual({ code: 1, description: 'success' })
  expect([await status(id), await house.spent()]).toEqual(['FAILURE', 0])
  expect(await house.refunds(id)).toHaveLength(1)
  await house.call('POST', path, { ...failed, status: 'SUCCESS' }, '')
  expect(await status(id)).toBe('FAILURE')
})

test('a stranger can forge nothing', async () => {
  await house.spent()
  const [mine, other] = [await draw(), await draw()]
  const failed = { id: mine.at, status: 'FAILURE', progress: '100%', failReason: 'forged' }
  const proof = new URL(other.hook).pathname.split('/').at(-1)
  for (const path of [`/mj/notify/${mine.id}/${proof}`, `/mj/notify/${mine.id}/${'0'.repeat(64)}`]) {
    const refused = await house.call('POST', path, failed, '')
    expect([refused.status, refused.json.description]).toEqual([403, '回调地址无效'])
  }
  expect((await house.call('POST', '/mj/notify', failed, '')).status).toBe(200)
  expect([await status(mine.id), await house.spent()]).toEqual(['SUBMITTED', 100_000])
  const huge = await house.call('POST', '/mj/notify', { id: 'x', prompt: 'x'.repeat(300_000) }, '')
  expect(huge.status).toBe(413)
})

test('what is said at the common address makes us ask the upstream', async () => {
  const { id, at } = await draw()
  upstream.succeed(at)
  await house.call('POST', '/mj/notify', { id: at, status: 'FAILURE' }, '')
  expect(await status(id)).toBe('SUCCESS')
})

test('a proxy that counts its tasks is understood everywhere', async () => {
  const counting = startMidjourney('mj-counting-31')
  counting.countTasks()
  const models = ['mj_blend']
  await house.addChannel({ type: 2, baseUrl: counting.url, key: counting.key, models })
  const body = { base64Array: ['a', 'b'] }
  const submit = async () => {
    const { json } = await house.call('POST', '/mj/submit/blend', body)
    const sent = counting.requests.findLast(asked => asked.path === '/mj/submit/blend')
    const run = house.store.db.selectFrom('task_runs').selectAll().where('id', '=', json.result)
    const { upstream_id } = await run.executeTakeFirstOrThrow()
    return { id: json.result, at: upstream_id, path: new URL(String(sent?.json.notifyHook)).pathname }
  }
  await until(async () => (await house.call('POST', '/mj/submit/blend', body)).status === 200)
  const [polled, told, hinted] = [await submit(), await submit(), await submit()]
  for (const { at } of [polled, told, hinted]) counting.succeed(at)
  await house.call('POST', told.path, { id: Number(told.at), status: 'SUCCESS', progress: '100%' }, '')
  expect(await status(told.id)).toBe('SUCCESS')
  await house.call('POST', '/mj/notify', { id: Number(hinted.at), status: 'SUCCESS' }, '')
  expect(await status(hinted.id)).toBe('SUCCESS')
  await house.poll()
  expect(await status(polled.id)).toBe('SUCCESS')
  expect(counting.complaints).toEqual([])
  await counting.stop()
})

test('the owner is told by the guarded client alone, and nothing inside is reached', async () => {
  let reached = 0
  const inner = serveLoopback(() => {
    reached++
    return new Response('inner')
  })
  const notifyHook = `http://127.0.0.1:${inner.port}/hook`
  // The program asks as well, and whoever hears of it first tells it: drawings until that is the test's own node.
  const told = await until(async () => {
    const { id, at } = await draw({ notifyHook, state: 'mine' })
    expect(JSON.stringify(upstream.requests.map(asked => asked.json))).not.toContain(notifyHook)
    await house.poll()
    await house.poll()
    upstream.succeed(at)
    await house.poll()
    await until(async () => (await status(id)) === 'SUCCESS')
    await atRest()
    return house.told.find(one => one.url === notifyHook && one.body.includes(id))
  })
  expect(JSON.parse(told.body)).toMatchObject({ state: 'mine', status: 'SUCCESS', progress: '100%' })
  expect(house.told.filter(one => one.url === notifyHook)).toHaveLength(1)
  expect(reached).toBe(0)
  await inner.stop(true)
})
