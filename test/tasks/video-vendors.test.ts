import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startOpenaiVideos, VIDEO } from '../upstreams/openai-videos/start-openai-videos.ts'
import { startArk } from '../upstreams/videos/ark.ts'
import { startHailuo } from '../upstreams/videos/hailuo.ts'
import { startJimeng } from '../upstreams/videos/jimeng.ts'
import { startKling } from '../upstreams/videos/kling.ts'
import { startVeo } from '../upstreams/videos/veo.ts'
import { type FakeVideoVendor, MADE } from '../upstreams/videos/video-place.ts'
import { startVidu } from '../upstreams/videos/vidu.ts'
import { startWan } from '../upstreams/videos/wan.ts'
import { type Answer, openTaskHouse, type TaskHouse } from './house.ts'

/** One of each vendor, by the type of its channel: the model, how long it makes one by itself, and its place. */
interface Vendor {
  readonly name: string
  readonly type: number
  readonly model: string
  readonly usual: number
  /** A length that it has besides. */
  readonly longer: number
  readonly place: FakeVideoVendor
}

const SECOND = 50_000
const PNG = `data:image/png;base64,${Buffer.from('\x89PNG picture').toString('base64')}`
const ark = startArk()
const kling = startKling()
const vidu = startVidu()
const veo = startVeo()
const hailuo = startHailuo()
const wan = startWan()
const jimeng = startJimeng()
const vendors: readonly Vendor[] = [
  { name: 'Doubao', type: 54, model: 'doubao-seedance-1-5-pro-251215', usual: 5, longer: 10, place: ark },
  { name: 'VolcEngine', type: 45, model: 'my-seedance', usual: 5, longer: 12, place: ark },
  { name: 'Kling', type: 50, model: 'kling-v2-6', usual: 5, longer: 10, place: kling },
  { name: 'Vidu', type: 52, model: 'viduq2', usual: 5, longer: 8, place: vidu },
  { name: 'Veo', type: 24, model: 'veo-3.1-generate-preview', usual: 8, longer: 6, place: veo },
  { name: 'Hailuo', type: 35, model: 'MiniMax-Hailuo-2.3', usual: 6, longer: 10, place: hailuo },
  { name: 'Wan', type: 17, model: 'wan2.6-t2v', usual: 5, longer: 15, place: wan },
  { name: 'Jimeng', type: 51, model: 'jimeng_ti2v_v30_pro', usual: 5, longer: 10, place: jimeng },
]
/** Served beside it, at the same price. */
const more: Readonly<Record<string, readonly string[]>> = {
  viduq2: ['vidu2.0'],
  'wan2.6-t2v': ['wan2.7-t2v', 'wan2.2-kf2v-flash'],
  jimeng_ti2v_v30_pro: ['jimeng_vgfm_t2v_l20'],
}
const names = { 'my-seedance': 'doubao-seedance-1-0-pro-250528' }
const sora = startOpenaiVideos('sk-sora-55aa')
let house: TaskHouse

beforeAll(async () => {
  house = await openTaskHouse(async rig => {
    const prices = Object.fromEntries(
      [...vendors.map(({ model }) => model), ...Object.values(more).flat()].map(model => [model, 0.1]),
    )
    for (const { type, model, place } of vendors)
      await rig.addChannel({
        type,
        baseUrl: place.url,
        key: place.key,
        models: [model, ...(more[model] ?? [])],
        mapping: names,
      })
    await rig.addChannel({ type: 55, baseUrl: sora.url, key: sora.key, models: ['sora-2'] })
    await rig.setOption(
      'ModelPrice',
      JSON.stringify({ ...prices, 'my-seedance:1080p': 0.2, 'kling-v2-6:pro': 0.3, 'sora-2': 0.1 }),
    )
  })
})
afterAll(async () => {
  const complaints = [...vendors.map(({ place }) => place), sora].flatMap(place => place.complaints)
  expect(complaints.filter(text => !/not found|: 599|: 14377/.test(text))).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
  for (const place of new Set([...vendors.map(vendor => vendor.place), sora])) await place.stop()
})

const create = (body: object, path = '/v1/videos'): Promise<Answer> => house.call('POST', path, body)
const show = async (id: string) => (await house.call('GET', `/v1/videos/${id}`)).json
const fetchFrom = (path: string, key = house.payer.key, more = {}): Promise<Response> =>
  fetch(path.startsWith('/') ? house.url + path : path, {
    headers: { ...(key && { authorization: `Bearer ${key}` }), ...more },
  })

describe.each(vendors)('$name', ({ model, usual, longer, place }) => {
  test('from the wish to the bytes, paid by the second', async () => {
    await house.spent()
    const made = await create({ model, prompt: 'a cat', seconds: String(longer), size: '1280x720' })
    expect([made.status, made.json]).toEqual([
      200,
      expect.objectContaining({ object: 'video', model, status: 'queued' }),
    ])
    expect([made.json.seconds, await house.spent()]).toEqual([String(longer), longer * SECOND])
    const video = place.last()
    const id: string = made.json.id
    video.stage = 'working'
    await house.poll()
    expect(await show(id)).toMatchObject({ status: 'in_progress', prompt: 'a cat', seconds: String(longer) })
    expect((await fetchFrom(`/v1/videos/${id}/content`)).status).toBe(404)
    video.stage = 'done'
    await house.poll()
    const done = await show(id)
    expect(done).toMatchObject({ status: 'completed', progress: 100, seconds: String(longer), error: null })
    expect(done.completed_at).toBeWithin(1e9, 1e10)
    const content = await fetchFrom(`/v1/videos/${id}/content`)
    expect([content.status, content.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    expect(Buffer.from(await content.arrayBuffer())).toEqual(MADE)
    const some = await fetchFrom(`/v1/videos/${id}/content`, undefined, { range: 'bytes=0-3' })
    expect([some.status, some.headers.get('content-range'), (await some.bytes()).length]).toEqual([
      206,
      `bytes 0-3/${MADE.length}`,
      4,
    ])
    expect((await fetchFrom(`/v1/videos/${id}/content?variant=thumbnail`)).status).toBe(400)
    expect((await fetchFrom(`/v1/videos/${id}/content`, house.stranger.key)).status).toBe(404)
    expect(await house.spent()).toBe(0)
  })

  test('a length that is left to its vendor is paid as the vendor makes it', async () => {
    await house.spent()
    const made = await create({ model, prompt: 'a cat' })
    expect([made.status, made.json.seconds, await house.spent()]).toEqual([
      200,
      String(usual),
      usual * SECOND,
    ])
  })

  test('what fails is refunded once, and says why without a key or a host', async () => {
    await house.spent()
    const { json } = await create({ model, prompt: 'a cat', seconds: longer })
    const secret = place.key.split('|').at(-1)
    Object.assign(place.last(), { stage: 'failed', reason: `not allowed (${secret} at ${place.url})` })
    await house.poll(0, 3)
    await house.poll()
    const failed = await show(json.id)
    expect(failed.status).toBe('failed')
    expect(failed.error.message).toContain('not allowed')
    expect(JSON.stringify(failed)).not.toContain(secret)
    expect(JSON.stringify(failed)).not.toContain(new URL(place.url).host)
    expect([await house.spent(), (await house.refunds(json.id)).length]).toEqual([0, 1])
    const told = await house.call('GET', `/v1/video/generations/${json.id}`)
    expect(told.json.data).toMatchObject({ status: 'FAILURE', progress: '100%', result_url: '' })
    expect(told.json.data.fail_reason).toContain('not allowed')
  })

  test('one that its vendor has forgotten is refunded in half an hour; what is refused costs nothing', async () => {
    await house.spent()
    const { json } = await create({ model, prompt: 'a cat', seconds: longer })
    place.videos.delete(place.last().id)
    await house.poll()
    expect((await show(json.id)).status).toBe('queued')
    await house.poll(30 * 60 + 15)
    await house.poll(31 * 60)
    expect([(await show(json.id)).status, await house.spent()]).toEqual(['failed', 0])
    expect(await house.refunds(json.id)).toHaveLength(1)
    const refused = await create({ model, prompt: 'meant to be refused', seconds: 599 })
    expect([refused.status, typeof refused.json.error.message]).toEqual([400, 'string'])
    expect(JSON.stringify(refused.json)).not.toContain(new URL(place.url).host)
    expect(await house.spent()).toBe(0)
  })

  test('in the form of this family’s tasks, with a link that needs no key', async () => {
    const body = {
      model,
      prompt: 'a cat',
      duration: longer,
      image: PNG,
      metadata: { negative_prompt: 'dogs' },
    }
    const made = await create(body, '/v1/video/generations')
    expect([made.status, made.json.task_id, made.json.status]).toEqual([200, made.json.id, 'queued'])
    const at = `/v1/video/generations/${made.json.task_id}`
    const begun = await house.call('GET', at)
    expect(begun.json).toMatchObject({
      code: 'success',
      message: '',
      data: { status: expect.stringMatching(/^(QUEUED|IN_PROGRESS)$/), result_url: '' },
    })
    place.last().stage = 'done'
    await house.poll()
    const { data } = (await house.call('GET', at)).json
    expect(data).toMatchObject({
      task_id: made.json.id,
      status: 'SUCCESS',
      progress: '100%',
      fail_reason: '',
    })
    expect(JSON.stringify(data)).not.toContain(new URL(place.url).host)
    const content = await fetchFrom(data.result_url, '')
    expect([content.status, Buffer.from(await content.arrayBuffer())]).toEqual([200, MADE])
    for (const wrong of [
      data.result_url.replace(/\/\d{10}\//, '/4102444800/'),
      data.result_url.replace(made.json.id, 'video_00'),
    ])
      expect((await fetchFrom(wrong, '')).status).toBe(404)
    expect((await house.call('GET', at, undefined, house.stranger.key)).status).toBe(404)
    expect((await house.call('POST', `/v1/videos/${made.json.id}/remix`, { prompt: 'a dog' })).status).toBe(
      400,
    )
    expect((await house.call('DELETE', `/v1/videos/${made.json.id}`)).json.deleted).toBe(true)
    expect((await fetchFrom(data.result_url, '')).status).toBe(404)
  })
})

describe('Seedance', () => {
  const model = 'my-seedance'
  const sent = () => ark.last().asked

  test('is told length, shape and fineness in fields, whatever the prompt says of them', async () => {
    await house.spent()
    const { status } = await create({
      model,
      prompt: 'a cat --dur 12 --rs 1080p --rt 9:16 --cf true --wm=false --seed 7',
    })
    expect([status, await house.spent()]).toEqual([200, 12 * SECOND])
    expect(sent()).toEqual({
      model: names[model],
      content: [{ type: 'text', text: 'a cat' }],
      resolution: '1080p',
      ratio: '9:16',
      duration: 12,
      camera_fixed: true,
      watermark: false,
      seed: 7,
    })
    await create({
      model,
      prompt: 'a cat --duration 12',
      seconds: 3,
      size: '1080x1920',
      generate_audio: false,
    })
    expect(sent()).toMatchObject({ duration: 3, ratio: '9:16', resolution: '1080p', generate_audio: false })
    await house.spent()
    expect(
      (await create({ model, prompt: 'a cat', metadata: { resolution: '1080p', duration: 4 } })).status,
    ).toBe(200)
    expect(await house.spent()).toBe(4 * 2 * SECOND)
    for (const more of [{ frames: 289 }, { prompt: 'a cat --frames 289' }, { metadata: { frames: 289 } }])
      expect((await create({ model, prompt: 'a cat', ...more })).status).toBe(400)
    expect(await house.spent()).toBe(0)
  })

  test('begins with a picture, ends with another, or looks as several do', async () => {
    const roles = () => (sent().content as { role?: string }[]).flatMap(({ role }) => role ?? [])
    await create({ model, prompt: 'a cat', image: 'https://pictures.test/a.png', image_tail: PNG })
    expect(roles()).toEqual(['first_frame', 'last_frame'])
    await create({ model, prompt: 'a cat', images: [PNG, PNG, PNG] })
    expect(roles()).toEqual(['reference_image', 'reference_image', 'reference_image'])
    const form = new FormData()
    for (const [name, value] of Object.entries({ model, prompt: 'a cat', seconds: '5' }))
      form.set(name, value)
    form.set('input_reference', new File([Buffer.from('picture')], 'a.png', { type: 'image/png' }))
    const headers = { authorization: `Bearer ${house.payer.key}` }
    expect((await fetch(`${house.url}/v1/videos`, { method: 'POST', headers, body: form })).status).toBe(200)
    expect(sent().content).toContainEqual({
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${Buffer.from('picture').toString('base64')}` },
      role: 'first_frame',
    })
  })
})

describe('Kling', () => {
  const model_name = 'kling-v2-6'

  test('is asked for words and for pictures at different addresses, and for what only it knows', async () => {
    const own = { mode: 'std', cfg_scale: 0.5, negative_prompt: 'dogs', callback_url: 'https://mine.test/' }
    await create({ model: model_name, prompt: 'a cat', size: '720x1280', metadata: own })
    expect(kling.last().asked).toEqual({
      ...{ model_name, prompt: 'a cat', duration: '5', aspect_ratio: '9:16' },
      ...{ mode: 'std', cfg_scale: 0.5, negative_prompt: 'dogs' },
    })
    await create({
      model: model_name,
      prompt: 'a cat',
      image: PNG,
      image_tail: 'https://pictures.test/b.png',
    })
    expect(kling.last().asked).toEqual({
      ...{ model_name, prompt: 'a cat', duration: '5' },
      ...{ image: PNG.split(',')[1], image_tail: 'https://pictures.test/b.png' },
    })
    expect((await create({ model: model_name, prompt: 'a cat', images: [PNG, PNG, PNG] })).status).toBe(400)
  })

  test('its finer mode has its own price', async () => {
    await house.spent()
    await create({ model: model_name, prompt: 'a cat', mode: 'pro' })
    expect(await house.spent()).toBe(5 * 3 * SECOND)
  })

  test('serves its own clients', async () => {
    await house.spent()
    const at = '/kling/v1/videos/image2video'
    const made = await house.call('POST', at, { model_name, prompt: 'a cat', image: PNG, duration: '10' })
    expect([made.status, made.json]).toMatchObject([200, { code: 0, data: { task_status: 'submitted' } }])
    expect(await house.spent()).toBe(10 * SECOND)
    const own = `${at}/${made.json.data.task_id}`
    kling.last().stage = 'working'
    await house.poll()
    expect((await house.call('GET', own)).json.data).toMatchObject({ task_status: 'processing' })
    kling.last().stage = 'done'
    await house.poll()
    const { data } = (await house.call('GET', own)).json
    expect(data).toMatchObject({ task_status: 'succeed', task_result: { videos: [{ duration: '10' }] } })
    const content = await fetchFrom(data.task_result.videos[0].url, '')
    expect(Buffer.from(await content.arrayBuffer())).toEqual(MADE)
    expect(await house.call('GET', own, undefined, house.stranger.key)).toMatchObject({
      status: 404,
      json: { code: 1203 },
    })
    expect(await house.call('POST', at, { model_name, prompt: 'a cat' })).toMatchObject({
      status: 400,
      json: { code: 1201 },
    })
    expect(await house.call('POST', at, {}, 'sk-nobody')).toMatchObject({ status: 401, json: { code: 1002 } })
  })
})

test('Vidu is asked at the address for as many pictures as there are', async () => {
  const model = 'viduq2'
  const address = () => vidu.requests.findLast(({ method }) => method === 'POST')?.path
  await create({
    model,
    prompt: 'a cat',
    size: '1080x1920',
    metadata: { seed: 7, bgm: true, off_peak: true },
  })
  expect(vidu.last().asked).toEqual({
    ...{ model, prompt: 'a cat', duration: 5, resolution: '1080p', aspect_ratio: '9:16', seed: 7, bgm: true },
  })
  expect(address()).toBe('/ent/v2/text2video')
  for (const [count, path] of [
    [1, 'img2video'],
    [2, 'start-end2video'],
    [3, 'reference2video'],
  ] as const) {
    const images = Array.from({ length: count }, () => PNG)
    expect((await create({ model, prompt: 'a cat', aspect_ratio: '16:9', images })).status).toBe(200)
    expect([address(), vidu.last().asked.images]).toEqual([`/ent/v2/${path}`, images])
  }
  const older = await create({ model: 'vidu2.0', prompt: 'a cat', image: PNG })
  expect([older.status, older.json.seconds]).toEqual([200, '4'])
})

test('Veo gets the bytes of a picture, and its own words', async () => {
  const model = 'veo-3.1-generate-preview'
  const more = { image_tail: PNG, negative_prompt: 'dogs', metadata: { personGeneration: 'allow_adult' } }
  await create({ model, prompt: 'a cat', seconds: 4, size: '1080x1920', image: PNG, ...more })
  const picture = { bytesBase64Encoded: PNG.split(',')[1], mimeType: 'image/png' }
  expect(veo.last().asked).toEqual({
    model,
    instances: [{ prompt: 'a cat', image: picture, lastFrame: picture }],
    parameters: {
      ...{ sampleCount: 1, durationSeconds: 4, aspectRatio: '9:16', resolution: '1080p' },
      ...{ negativePrompt: 'dogs', personGeneration: 'allow_adult' },
    },
  })
  // An address is fetched by us, and so only where the whole internet may go.
  const before = veo.requests.length
  const refused = await create({ model, prompt: 'a cat', image: `${veo.url}/made/a.png` })
  expect([refused.status, veo.requests.length]).toEqual([400, before])
  const { json } = await create({ model, prompt: 'a cat' })
  Object.assign(veo.last(), { stage: 'failed', reason: 'filtered: celebrities' })
  await house.poll()
  expect((await show(json.id)).error.message).toBe('filtered: celebrities')
})

test('Hailuo is told its own resolutions', async () => {
  const model = 'MiniMax-Hailuo-2.3'
  await create({
    model,
    prompt: 'a cat',
    size: '1280x720',
    image: PNG,
    image_tail: PNG,
    prompt_optimizer: false,
  })
  expect(hailuo.last().asked).toEqual({
    ...{ model, prompt: 'a cat', duration: 6, resolution: '768P', prompt_optimizer: false },
    ...{ first_frame_image: PNG, last_frame_image: PNG },
  })
  await create({ model, prompt: 'a cat', metadata: { resolution: '1080p' } })
  expect(hailuo.last().asked.resolution).toBe('1080P')
})

test('Wan is asked in the form of its model', async () => {
  const asked = async (body: object) => {
    expect((await create({ prompt: 'a cat', ...body })).status).toBe(200)
    const { input, parameters } = wan.last().asked
    return { ...(input as object), ...(parameters as object) }
  }
  const prompt = 'a cat'
  const older = { model: 'wan2.6-t2v' }
  const tall = { size: '720x1280' }
  expect(await asked({ ...older, ...tall, prompt_extend: false })).toEqual({
    ...{ prompt, size: '720*1280', duration: 5, prompt_extend: false },
  })
  expect(await asked({ ...older, resolution: '1080p', aspect_ratio: '9:16' })).toMatchObject({
    size: '1080*1920',
  })
  expect(await asked({ ...older, ...tall, image: PNG })).toEqual({
    ...{ prompt, img_url: PNG, resolution: '720P', duration: 5 },
  })
  const newer = { model: 'wan2.7-t2v', seconds: 7 }
  expect(await asked({ ...newer, ...tall })).toEqual({
    prompt,
    resolution: '720P',
    ratio: '9:16',
    duration: 7,
  })
  expect(await asked({ ...newer, images: [PNG, PNG] })).toEqual({
    ...{ prompt, duration: 7 },
    media: [
      { type: 'first_frame', url: PNG },
      { type: 'last_frame', url: PNG },
    ],
  })
  const pair = { model: 'wan2.2-kf2v-flash', image: PNG, image_tail: PNG }
  expect(await asked({ ...pair, resolution: '1080p' })).toEqual({
    ...{ prompt, first_frame_url: PNG, last_frame_url: PNG, resolution: '1080P' },
  })
  // Five seconds are made whatever one says: nobody pays for more, or gets more than is paid.
  for (const seconds of [1, 10]) expect((await create({ ...pair, prompt, seconds })).status).toBe(400)
})

test('Jimeng counts in frames', async () => {
  const model = 'jimeng_ti2v_v30_pro'
  await create({ model, prompt: 'a cat', size: '720x1280', seed: 7 })
  expect(jimeng.last().asked).toEqual({
    req_key: model,
    prompt: 'a cat',
    frames: 121,
    aspect_ratio: '9:16',
    seed: 7,
  })
  await create({
    model,
    prompt: 'a cat',
    seconds: 10,
    image: 'https://pictures.test/a.png',
    aspect_ratio: '1:1',
  })
  expect(jimeng.last().asked).toEqual({
    ...{ req_key: model, prompt: 'a cat', frames: 241, image_urls: ['https://pictures.test/a.png'] },
  })
  const older = { model: 'jimeng_vgfm_t2v_l20', prompt: 'a cat' }
  await create({ ...older, image: PNG })
  expect(jimeng.last().asked).toEqual({
    ...{ req_key: older.model, prompt: 'a cat', binary_data_base64: [PNG.split(',')[1]] },
  })
  expect((await create({ ...older, seconds: 10 })).status).toBe(400)
})

test('Sora has a type of its own, and serves both forms', async () => {
  await house.spent()
  const made = await create(
    { model: 'sora-2', prompt: 'a cat', duration: 8, width: 1280, height: 720 },
    '/v1/video/generations',
  )
  expect([made.status, made.json.seconds, await house.spent()]).toEqual([200, '8', 8 * SECOND])
  expect(sora.requests.at(-1)?.json).toEqual({
    model: 'sora-2',
    prompt: 'a cat',
    seconds: '8',
    size: '1280x720',
  })
  const [video] = sora.videos.values()
  sora.change(video?.id ?? '', { status: 'completed', progress: 100 })
  await house.poll()
  const { data } = (await house.call('GET', `/v1/video/generations/${made.json.id}`)).json
  expect(Buffer.from(await (await fetchFrom(data.result_url, '')).arrayBuffer())).toEqual(VIDEO)
})

test('who has too little for what is left to the vendor is refused before it hears of it', async () => {
  const userId = await house.addUser({ quota: 8 * SECOND - 1 })
  const { key } = await house.addToken({ userId })
  const before = ark.requests.length
  const refused = await house.call('POST', '/v1/videos', { model: 'my-seedance', prompt: 'x' }, key)
  expect([refused.status, refused.json.error.code, ark.requests.length]).toEqual([
    403,
    'insufficient_user_quota',
    before,
  ])
  for (const body of [{ n: 2 }, { size: 'wide' }, { duration: 0 }, { aspect_ratio: 'wide' }])
    expect(
      (await create({ model: 'my-seedance', prompt: 'x', ...body }, '/v1/video/generations')).status,
    ).toBe(400)
})
