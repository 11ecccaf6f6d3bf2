import { afterAll, beforeAll, expect, test } from 'bun:test'
import OpenAI, { toFile } from 'openai'
import { rootClient } from '../client.ts'
import { until } from '../program.ts'
import {
  type FakeVideos,
  startOpenaiVideos,
  THUMBNAIL,
  VIDEO,
} from '../upstreams/openai-videos/start-openai-videos.ts'
import { looksWhenTold, openTaskHouse, type TaskHouse } from './house.ts'

let upstream: FakeVideos
let house: TaskHouse
let client: OpenAI
let stranger: OpenAI
const SECOND = 50_000

beforeAll(async () => {
  upstream = startOpenaiVideos()
  house = await openTaskHouse(async rig => {
    const models = ['sora-2', 'sora-2-pro', 'my-sora', 'fine-sora']
    const channel = { type: 1, baseUrl: upstream.url, key: upstream.key, models }
    await rig.addChannel({ ...channel, mapping: { 'my-sora': 'sora-2', 'fine-sora': 'sora-2' } })
    const versioned = { ...channel, baseUrl: `${upstream.url}/v1`, models: ['v1-sora'] }
    await rig.addChannel({ ...versioned, mapping: { 'v1-sora': 'sora-2' } })
    const kinds = ['1080p', 'pro', 'sound'].map(kind => [`fine-sora:${kind}`, 0.6])
    const fine = { 'fine-sora': 0.2, ...Object.fromEntries(kinds) }
    await rig.setOption('ModelPrice', JSON.stringify({ 'my-sora': 0.2, 'v1-sora': 0.1, ...fine }))
  }, looksWhenTold)
  const options = { baseURL: `${house.url}/v1`, maxRetries: 0 }
  client = new OpenAI({ ...options, apiKey: house.payer.key })
  stranger = new OpenAI({ ...options, apiKey: house.stranger.key })
})
afterAll(async () => {
  expect(upstream.complaints.filter(text => !/Invalid value|Video not found/.test(text))).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
  await upstream.stop()
})

async function upstreamId(id: string): Promise<string> {
  const run = house.store.db.selectFrom('task_runs').selectAll().where('id', '=', id)
  return (await run.executeTakeFirstOrThrow()).upstream_id
}

async function complete(id: string): Promise<void> {
  const completed_at = 1_760_000_100
  upstream.change(await upstreamId(id), { status: 'completed', progress: 100, completed_at })
  await house.poll()
}

async function failureOf(asked: Promise<unknown>): Promise<{ status: number; message: string }> {
  try {
    await asked
  } catch (error) {
    const { status, message } = error as InstanceType<typeof OpenAI.APIError>
    return { status: status ?? 0, message }
  }
  throw new Error('it did not fail')
}

test('a time that is none is not written down', async () => {
  const times = [1e300, 1.5e15, -1, Number.MAX_SAFE_INTEGER]
  for (const completed_at of times) {
    const { id } = await client.videos.create({ model: 'sora-2', prompt: 'a cat', seconds: '4' })
    upstream.change(await upstreamId(id), { status: 'completed', progress: 100, completed_at })
    await house.poll()
    const run = await house.store.db.selectFrom('task_runs').selectAll().where('id', '=', id).execute()
    expect([completed_at, run[0]?.state]).toEqual([completed_at, 'done'])
  }
  const root = await rootClient(house.url)
  const { status, json } = await root.get('/api/task/?p=1&page_size=10')
  expect([status, json.data?.items?.length]).toEqual([200, times.length])
  for (const row of json.data.items) expect(row.finish_time).toBeWithin(1e9, 1e10)
})

test('a video from its prompt to its bytes, paid by the second', async () => {
  await house.spent()
  const video = await client.videos.create({
    model: 'sora-2',
    prompt: 'a cat',
    seconds: '8',
    size: '1280x720',
  })
  expect(video.id).toMatch(/^video_[0-9a-f]{48}$/)
  expect(video).toMatchObject({
    object: 'video',
    model: 'sora-2',
    status: 'queued',
    progress: 0,
    prompt: 'a cat',
    seconds: '8',
    size: '1280x720',
    error: null,
    completed_at: null,
    remixed_from_video_id: null,
  })
  expect(await house.spent()).toBe(8 * SECOND)
  upstream.change(await upstreamId(video.id), { status: 'in_progress', progress: 40 })
  await house.poll()
  expect(await client.videos.retrieve(video.id)).toMatchObject({ status: 'in_progress', progress: 40 })
  expect((await failureOf(client.videos.downloadContent(video.id))).status).toBe(404)
  await complete(video.id)
  expect(await client.videos.retrieve(video.id)).toMatchObject({
    status: 'completed',
    progress: 100,
    completed_at: 1_760_000_100,
  })
  const content = await client.videos.downloadContent(video.id)
  expect(content.headers.get('content-type')).toBe('video/mp4')
  expect(Buffer.from(await content.arrayBuffer())).toEqual(VIDEO)
  const thumbnail = await client.videos.downloadContent(video.id, { variant: 'thumbnail' })
  expect(Buffer.from(await thumbnail.arrayBuffer())).toEqual(THUMBNAIL)
  expect(await house.spent()).toBe(0)
})

test('length and size decide the price', async () => {
  await house.spent()
  const prompt = 'a cat'
  await client.videos.create({ prompt })
  expect(await house.spent()).toBe(4 * SECOND)
  await client.videos.create({ prompt, model: 'sora-2-pro', seconds: '4', size: '720x1280' })
  expect(await house.spent()).toBe(4 * 150_000)
  const large = await client.videos.create({ prompt, model: 'sora-2-pro', seconds: '4', size: '1792x1024' })
  expect(await house.spent()).toBe(4 * 250_000)
  const mapped = await client.videos.create({ prompt, model: 'my-sora', seconds: '4' })
  expect([mapped.model, await house.spent()]).toEqual(['my-sora', 4 * 100_000])
  expect(upstream.requests.at(-1)?.form?.get('model')).toBe('sora-2')
  await complete(large.id)
  await client.videos.remix(large.id, { prompt: 'a dog' })
  expect(await house.spent()).toBe(4 * 250_000)
})

test('a remix costs what it is made from would, by whatever that has its price', async () => {
  const create = async (body: object): Promise<string> => {
    const answer = await house.call('POST', '/v1/videos', { prompt: 'a cat', seconds: 4, ...body })
    expect(answer.status).toBe(200)
    return String(answer.json.id)
  }
  await house.spent()
  const fine = await create({ model: 'fine-sora', size: '1792x1024' })
  expect(await house.spent()).toBe(4 * 300_000)
  await complete(fine)
  const again = await client.videos.remix(fine, { prompt: 'a dog' })
  expect(await house.spent()).toBe(4 * 300_000)
  await complete(again.id)
  await client.videos.remix(again.id, { prompt: 'a bird' })
  expect(await house.spent()).toBe(4 * 300_000)
  upstream.heedsKinds = true
  for (const kind of [{ resolution: '1080P' }, { mode: 'PRO' }, { sound: 'on' }]) {
    const video = await create({ model: 'fine-sora', ...kind })
    expect([kind, await house.spent()]).toEqual([kind, 4 * 300_000])
    await complete(video)
    await client.videos.remix(video, { prompt: 'a dog' })
    expect([kind, await house.spent()]).toEqual([kind, 4 * 300_000])
  }
  for (const sound of [true, 1, '1', 'yes', 'T']) {
    await create({ model: 'fine-sora', sound })
    expect([sound, await house.spent()]).toEqual([sound, 4 * 300_000])
  }
  for (const sound of [false, 0, 'off', 'no']) {
    await create({ model: 'fine-sora', sound })
    expect([sound, await house.spent()]).toEqual([sound, 4 * 100_000])
  }
  upstream.heedsKinds = false
})

test('voices in a form cost what they do in JSON', async () => {
  upstream.heedsKinds = true
  await house.spent()
  for (const [voices, price] of [
    ['[{"voice_id":"v"}]', 300_000],
    ['[]', 100_000],
  ] as const) {
    const form = new FormData()
    for (const [name, value] of Object.entries({ model: 'fine-sora', prompt: 'a cat', seconds: '4' }))
      form.append(name, value)
    form.append('voice_list', voices)
    const headers = { authorization: `Bearer ${house.payer.key}` }
    const answer = await fetch(`${house.url}/v1/videos`, { method: 'POST', headers, body: form })
    expect([voices, answer.status, await house.spent()]).toEqual([voices, 200, 4 * price])
  }
  upstream.heedsKinds = false
})

test('one that its vendor makes longer than was asked for is paid as long as it is', async () => {
  await house.spent()
  upstream.heedsDuration = true
  const wanted = { prompt: 'a cat', model: 'sora-2', seconds: '4', duration: 12 }
  const answer = await house.call('POST', '/v1/videos', wanted)
  upstream.heedsDuration = false
  expect([answer.status, answer.json.seconds, await house.spent()]).toEqual([200, '12', 12 * SECOND])
})

test('with a picture to begin with, and in JSON', async () => {
  const input_reference = await toFile(Buffer.from('picture'), 'cat.png', { type: 'image/png' })
  await client.videos.create({ prompt: 'a cat', seconds: '4', input_reference })
  const sent = upstream.requests.at(-1)?.form?.get('input_reference') as File
  expect([sent.name, sent.type, await sent.text()]).toEqual(['cat.png', 'image/png', 'picture'])
  const answer = await house.call('POST', '/v1/videos', { prompt: 'a cat', seconds: 4, model: 'sora-2' })
  expect([answer.status, answer.json.seconds]).toEqual([200, '4'])
  expect(upstream.requests.at(-1)?.json).toEqual({ prompt: 'a cat', seconds: 4, model: 'sora-2' })
})

test('a failure is refunded once, and says why', async () => {
  await house.spent()
  const video = await client.videos.create({ prompt: 'a cat', seconds: '12' })
  const error = { code: 'moderation_blocked', message: `no (${upstream.key})` }
  upstream.change(await upstreamId(video.id), { status: 'failed', error })
  await house.poll()
  await house.poll()
  expect(await client.videos.retrieve(video.id)).toMatchObject({
    status: 'failed',
    error: { code: 'moderation_blocked', message: 'no (***)' },
  })
  expect(await house.spent()).toBe(0)
  expect(await house.refunds(video.id)).toHaveLength(1)
})

test('one that its vendor has forgotten is refunded after half an hour, and once', async () => {
  await house.spent()
  const video = await client.videos.create({ prompt: 'a cat', seconds: '8' })
  upstream.videos.delete(await upstreamId(video.id))
  for (const minute of [0, 1, 15, 29]) await house.poll(minute * 60)
  expect((await client.videos.retrieve(video.id)).status).toBe('queued')
  expect(await house.spent()).toBe(8 * SECOND)
  await house.poll(30 * 60 + 15, 3)
  await house.poll(31 * 60)
  const failed = await client.videos.retrieve(video.id)
  expect(failed).toMatchObject({ status: 'failed', error: { code: 'failed' } })
  expect(failed.error?.message).toContain('30')
  expect(await house.spent()).toBe(-8 * SECOND)
  expect(await house.refunds(video.id)).toHaveLength(1)
})

test('one that its vendor knows again, or nobody asked after, is given more time', async () => {
  await house.spent()
  const video = await client.videos.create({ prompt: 'a cat', seconds: '8' })
  const at = await upstreamId(video.id)
  const kept = upstream.videos.get(at)
  if (!kept) throw new Error('no video')
  upstream.videos.delete(at)
  await house.poll()
  // The server was down meanwhile: one look is not enough.
  await house.poll(40 * 60)
  expect((await client.videos.retrieve(video.id)).status).toBe('queued')
  upstream.videos.set(at, kept)
  await house.poll(46 * 60)
  upstream.videos.delete(at)
  await house.poll(60 * 60)
  await house.poll(89 * 60)
  upstream.videos.set(at, kept)
  await house.poll(95 * 60)
  await complete(video.id)
  expect((await client.videos.retrieve(video.id)).status).toBe('completed')
  expect([await house.spent(), await house.refunds(video.id)]).toEqual([8 * SECOND, []])
})

test('an address that is wrong for a while forgets nothing', async () => {
  await house.spent()
  const video = await client.videos.create({ prompt: 'a cat', seconds: '8' })
  for (const misled of ['by a page', 'by another vendor'] as const) {
    upstream.misled = misled
    for (const minute of [0, 15, 30, 31]) await house.poll(minute * 60 + 20)
  }
  upstream.misled = undefined
  await complete(video.id)
  expect((await client.videos.retrieve(video.id)).status).toBe('completed')
  expect(await house.spent()).toBe(8 * SECOND)
})

test('a remix is made from one’s own', async () => {
  await house.spent()
  const video = await client.videos.create({ prompt: 'a cat', seconds: '4' })
  expect((await failureOf(client.videos.remix(video.id, { prompt: 'a dog' }))).status).toBe(404)
  await complete(video.id)
  const remix = await client.videos.remix(video.id, { prompt: 'a dog' })
  expect(remix).toMatchObject({ remixed_from_video_id: video.id, prompt: 'a dog', seconds: '4' })
  expect(await house.spent()).toBe(8 * SECOND)
})

test('somebody else has no such video', async () => {
  const video = await client.videos.create({ prompt: 'a cat', seconds: '4' })
  await complete(video.id)
  const before = upstream.requests.length
  const tries: ((id: string) => Promise<unknown>)[] = [
    id => stranger.videos.retrieve(id),
    id => stranger.videos.downloadContent(id),
    id => stranger.videos.delete(id),
    id => stranger.videos.remix(id, { prompt: 'mine' }),
  ]
  const absent = `video_${'0'.repeat(48)}`
  const unsigned = (text: string): string => text.replace(/ \(request id.*/, '')
  for (const attempt of tries) {
    const [foreign, unknown] = [await failureOf(attempt(video.id)), await failureOf(attempt(absent))]
    expect(foreign.status).toBe(404)
    expect(unsigned(foreign.message).replace(video.id, '')).toBe(
      unsigned(unknown.message).replace(absent, ''),
    )
  }
  expect((await stranger.videos.list()).data).toEqual([])
  expect(upstream.requests.length).toBe(before)
})

test('the list has one’s own, in pages; what is deleted is gone', async () => {
  const page = await client.videos.list({ limit: 2 })
  expect([page.data.length, page.has_more]).toEqual([2, true])
  const all: string[] = []
  for await (const video of client.videos.list({ limit: 3 })) all.push(video.id)
  const rising: string[] = []
  for await (const video of client.videos.list({ limit: 3, order: 'asc' })) rising.push(video.id)
  expect([all.length > 6, new Set(all).size, rising]).toEqual([true, all.length, all.toReversed()])

  await house.spent()
  const video = await client.videos.create({ prompt: 'a cat', seconds: '4' })
  expect((await failureOf(client.videos.delete(video.id))).status).toBe(400)
  await complete(video.id)
  expect(await client.videos.delete(video.id)).toEqual({
    id: video.id,
    object: 'video.deleted',
    deleted: true,
  })
  expect(upstream.requests.at(-1)?.method).toBe('DELETE')
  expect((await failureOf(client.videos.retrieve(video.id))).status).toBe(404)
  expect((await client.videos.list({ limit: 1 })).data[0]?.id).not.toBe(video.id)
  expect(await house.spent()).toBe(4 * SECOND)
})

test.each([
  [{ prompt: 'x', seconds: '0' }, 400],
  [{ prompt: 'x', seconds: -4 }, 400],
  [{ prompt: 'x', seconds: 4.5 }, 400],
  [{ prompt: 'x', seconds: 2 ** 53 }, 400],
  [{ prompt: 'x', seconds: '18446744073686646784' }, 400],
  [{ prompt: 'x', size: '../../x' }, 400],
  [{ seconds: '4' }, 400],
  [{ prompt: 'x', model: 'unheard-of' }, 503],
  [{ prompt: 'x', seconds: '5' }, 400],
])('%p is refused and costs nothing', async (body, status) => {
  await house.spent()
  const refused = await house.call('POST', '/v1/videos', body)
  expect([refused.status, typeof refused.json.error.message]).toEqual([status, 'string'])
  expect(await house.spent()).toBe(0)
})

test('who has too little is refused before the vendor hears of it', async () => {
  const userId = await house.addUser({ quota: 4 * SECOND - 1 })
  const { key } = await house.addToken({ userId })
  const before = upstream.requests.length
  const refused = await house.call('POST', '/v1/videos', { prompt: 'x', seconds: '4' }, key)
  expect([refused.status, refused.json.error.code]).toEqual([403, 'insufficient_user_quota'])
  expect(upstream.requests.length).toBe(before)
  expect((await house.call('PUT', '/v1/videos', {}, key)).status).toBe(404)
  expect((await house.call('POST', '/v1/videos/edits', {}, key)).status).toBe(404)
})

test('a token whose last was spent on a video gets the video', async () => {
  const { key } = await house.addToken({ userId: house.payer.userId, budget: 4 * SECOND })
  const own = new OpenAI({ baseURL: `${house.url}/v1`, maxRetries: 0, apiKey: key })
  const video = await own.videos.create({ model: 'sora-2', prompt: 'a cat', seconds: '4' })
  await complete(video.id)
  await house.store.change('tokens', async () => {})
  const again = () => house.call('POST', '/v1/videos', { prompt: 'x', seconds: '4' }, key)
  await until(async () => (await again()).json.error.code === 'insufficient_quota')
  expect((await own.videos.retrieve(video.id)).status).toBe('completed')
  const bytes = await (await own.videos.downloadContent(video.id)).arrayBuffer()
  expect(Buffer.from(bytes)).toEqual(VIDEO)
})

test('while tasks are switched off no video is begun', async () => {
  await house.spent()
  await house.setOption('TaskEnabled', 'false')
  try {
    const refused = await failureOf(client.videos.create({ model: 'sora-2', prompt: 'a cat', seconds: '4' }))
    expect(refused.status).toBe(403)
    expect(refused.message).toContain('管理员关闭了异步任务功能')
    expect(await house.spent()).toBe(0)
  } finally {
    await house.setOption('TaskEnabled', 'true')
  }
})

test('a base URL may end in its version', async () => {
  const video = await client.videos.create({ model: 'v1-sora' as 'sora-2', prompt: 'a cat' })
  await complete(video.id)
  expect((await client.videos.retrieve(video.id)).status).toBe('completed')
})
