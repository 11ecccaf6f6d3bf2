import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client } from '../client.ts'
import { ROOT_PASSWORD } from '../program.ts'
import { startImpatient } from '../upstreams/start-impatient.ts'
import { type FakeSuno, startSuno } from '../upstreams/suno/start-suno.ts'
import { openTaskHouse, type TaskHouse } from './house.ts'

let upstream: FakeSuno
let impatient: Awaited<ReturnType<typeof startImpatient>>
let house: TaskHouse

beforeAll(async () => {
  upstream = startSuno()
  impatient = await startImpatient(upstream.url)
  house = await openTaskHouse(async rig => {
    const models = ['suno_music', 'suno_lyrics']
    // Every song here is asked for over a connection of its own.
    await rig.addChannel({ type: 36, baseUrl: impatient.url, key: upstream.key, models })
  })
})
afterAll(async () => {
  expect(upstream.complaints).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
  expect(impatient.refused).toBe(0)
  await impatient.stop()
  await upstream.stop()
})

async function make(body: object = { prompt: 'la la' }): Promise<{ id: string; at: string }> {
  const { json } = await house.call('POST', '/suno/submit/music', body)
  const run = house.store.db.selectFrom('task_runs').selectAll().where('id', '=', json.data)
  return { id: json.data, at: (await run.executeTakeFirstOrThrow()).upstream_id }
}

test('a song from its prompt to its sound', async () => {
  await house.spent()
  const body = { prompt: 'la la', title: 'La', tags: 'pop', mv: 'chirp-v4', notify_hook: 'http://x.example' }
  const submitted = await house.call('POST', '/suno/submit/MUSIC', body)
  expect([submitted.status, submitted.json]).toEqual([
    200,
    { code: 'success', message: '', data: expect.any(String) },
  ])
  expect(await house.spent()).toBe(50_000)
  const id: string = submitted.json.data
  const run = house.store.db.selectFrom('task_runs').selectAll().where('id', '=', id)
  const at = (await run.executeTakeFirstOrThrow()).upstream_id
  for (const status of ['QUEUED', 'IN_PROGRESS', 'odd']) {
    upstream.change(at, { status })
    await house.poll()
    const { json } = await house.call('GET', `/suno/fetch/${id}`)
    expect(json.data.status).toBe(status === 'odd' ? 'UNKNOWN' : status)
  }
  const data = [{ id: 'clip-1', audio_url: 'https://cdn.example/1.mp3', title: 'La', status: 'complete' }]
  upstream.change(at, { status: 'SUCCESS', start_time: 1_700_000_005, finish_time: 1_700_000_065, data })
  await house.poll()
  const fetched = (await house.call('GET', `/suno/fetch/${id}`)).json
  expect(fetched).toEqual({
    code: 'success',
    message: '',
    data: {
      task_id: id,
      notify_hook: '',
      action: 'MUSIC',
      status: 'SUCCESS',
      fail_reason: '',
      submit_time: expect.any(Number),
      start_time: 1_700_000_005,
      finish_time: 1_700_000_065,
      progress: '100%',
      data,
    },
  })
  expect(await house.spent()).toBe(0)
})

test('in other letters no words get past who reads them, and no address to the upstream', async () => {
  const asked = upstream.requests.length
  for (const more of [{ Prompt: 'unread' }, { Tags: 'unread' }, { Notify_Hook: 'http://x.example' }]) {
    const { status, json } = await house.call('POST', '/suno/submit/music', { prompt: 'la la', ...more })
    expect([more, status, json.data]).toEqual([more, 400, null])
  }
  expect([await house.spent(), upstream.requests.length]).toEqual([0, asked])
})

test('lyrics, several at once, and what is nobody’s', async () => {
  await house.spent()
  const lyrics = (await house.call('POST', '/suno/submit/lyrics', { prompt: 'of rain' })).json.data
  expect(await house.spent()).toBe(5000)
  const { id } = await make()
  const many = (await house.call('POST', '/suno/fetch', { ids: [lyrics, id, 'x', null] })).json
  expect(many.data.map((song: { task_id: string; action: string }) => [song.task_id, song.action])).toEqual([
    [lyrics, 'LYRICS'],
    [id, 'MUSIC'],
  ])
  const { key } = house.stranger
  expect((await house.call('POST', '/suno/fetch', { ids: [id] }, key)).json.data).toEqual([])
  const foreign = await house.call('GET', `/suno/fetch/${id}`, undefined, key)
  expect([foreign.status, foreign.json]).toEqual([
    404,
    { code: 'task_not_exist', message: 'task_not_exist', data: null },
  ])
  expect((await house.call('GET', '/suno/fetch/none', undefined, key)).json).toEqual(foreign.json)
})

test('a song goes on where it was made', async () => {
  const first = await make()
  const { id } = await make({
    prompt: 'more',
    continue_clip_id: 'clip-1',
    continue_at: 30,
    task_id: first.id,
  })
  expect(upstream.requests.findLast(asked => asked.path === '/suno/submit/music')?.json).toEqual({
    prompt: 'more',
    mv: 'chirp-v3-0',
    continue_clip_id: 'clip-1',
    continue_at: 30,
    task_id: first.at,
  })
  expect(id).not.toBe(first.id)
  const body = { prompt: 'more', continue_clip_id: 'clip-1', task_id: first.id }
  const foreign = await house.call('POST', '/suno/submit/music', body, house.stranger.key)
  expect(foreign.status).toBe(404)
})

test('a failure is refunded once', async () => {
  await house.spent()
  const { id, at } = await make()
  upstream.change(at, { status: 'FAILURE', fail_reason: `the key ${upstream.key} is tired` })
  await house.poll()
  await house.poll()
  const { json } = await house.call('GET', `/suno/fetch/${id}`)
  expect([json.data.status, json.data.fail_reason]).toEqual(['FAILURE', 'the key *** is tired'])
  expect(await house.spent()).toBe(0)
  expect(await house.refunds(id)).toEqual([`异步任务执行失败 ${id}，补偿 ＄0.100000 额度 50000`])
})

test.each([
  ['lyrics', {}, 400, 'invalid_request', 'prompt_empty'],
  ['dance', { prompt: 'x' }, 400, 'invalid_request', 'invalid_action'],
  ['music', { continue_clip_id: 'c' }, 400, 'invalid_request', 'task_id_is_required'],
])('%s %p is refused', async (kind, body, status, code, message) => {
  const refused = await house.call('POST', `/suno/submit/${kind}`, body)
  expect([refused.status, refused.json]).toEqual([status, { code, message, data: null }])
})

test('the upstream’s refusal is told in its words, and costs nothing', async () => {
  await house.spent()
  upstream.next({ body: { code: 'content_policy', message: 'not that', data: null } })
  const refused = await house.call('POST', '/suno/submit/music', { prompt: 'x' })
  expect([refused.status, refused.json.code, refused.json.data]).toEqual([400, 'content_policy', null])
  expect(refused.json.message).toStartWith('not that')
  expect(await house.spent()).toBe(0)
  const userId = await house.addUser({ quota: 10 })
  const poor = await house.addToken({ userId })
  const denied = await house.call('POST', '/suno/submit/music', { prompt: 'x' }, poor.key)
  expect([denied.status, denied.json.code]).toEqual([403, 'quota_not_enough'])
})

test('a song is in the records that the console shows', async () => {
  const root = new Client(house.url)
  await root.login('root', ROOT_PASSWORD)
  const { id } = await make({ gpt_description_prompt: 'a song of rain', title: 'Rain' })
  const [row] = (await root.get(`/api/task/?p=0&task_id=${id}`)).json.data
  expect(row).toMatchObject({
    platform: 'suno',
    action: 'MUSIC',
    status: 'SUBMITTED',
    quota: 50_000,
    user_id: house.payer.userId,
    properties: { input: 'a song of rain\nRain' },
  })
  expect(row.channel_id).toBeGreaterThan(0)
})

test('while tasks are switched off no song is begun', async () => {
  const { id } = await make()
  await house.spent()
  await house.setOption('TaskEnabled', 'false')
  try {
    const { status, json } = await house.call('POST', '/suno/submit/music', { prompt: 'la la' })
    expect([status, json.code, json.data]).toEqual([403, 'invalid_request', null])
    expect(json.message).toStartWith('管理员关闭了异步任务功能')
    expect((await house.call('GET', `/suno/fetch/${id}`)).status).toBe(200)
    expect(await house.spent()).toBe(0)
  } finally {
    await house.setOption('TaskEnabled', 'true')
  }
})
