import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { serveLoopback } from '../serve-loopback.ts'
import { VIDEO } from '../upstreams/openai-videos/start-openai-videos.ts'
import { names, openVideoHouse, type Places, PNG, SECOND, type VideoHouse } from './video-house.ts'

let house: VideoHouse
let at: Places

beforeAll(async () => {
  house = await openVideoHouse()
  at = house.places
})
afterAll(async () => {
  expect(house.complaints()).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
})

describe('Seedance', () => {
  const model = 'my-seedance'
  const sent = () => at.ark.last().asked

  test('is told length, shape and fineness in fields, whatever the prompt says of them', async () => {
    await house.spent()
    const { status } = await house.create({
      model,
      prompt: 'a cat --dur 12 --rs 1080p --rt 9:16 --cf true --wm=false --seed 7',
    })
    expect([status, await house.spent()]).toEqual([200, 12 * 2 * SECOND])
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
    await house.create({
      model,
      prompt: 'a cat --duration 12',
      seconds: 3,
      size: '1080x1920',
      generate_audio: false,
    })
    expect(sent()).toMatchObject({ duration: 3, ratio: '9:16', resolution: '1080p', generate_audio: false })
    await house.spent()
    expect(
      (await house.create({ model, prompt: 'a cat', metadata: { resolution: '1080p', duration: 4 } })).status,
    ).toBe(200)
    expect(await house.spent()).toBe(4 * 2 * SECOND)
    for (const more of [{ frames: 289 }, { prompt: 'a cat --frames 289' }, { metadata: { frames: 289 } }])
      expect((await house.create({ model, prompt: 'a cat', ...more })).status).toBe(400)
    expect(await house.spent()).toBe(0)
  })

  test('no word of a prompt is left that would make it longer or finer than was paid for', async () => {
    const wide = ' '.repeat(40)
    for (const words of [`--dur${wide}12`, `--dur ${'='.repeat(40)} 12`, '--DUR\n12']) {
      await house.spent()
      expect((await house.create({ model, prompt: `a cat ${words}` })).status).toBe(200)
      expect(sent()).toMatchObject({ duration: 12, content: [{ type: 'text', text: 'a cat' }] })
      expect([words, await house.spent()]).toEqual([words, 12 * SECOND])
    }
    await house.create({ model, prompt: `a cat --rs${wide}1080p` })
    expect([sent().resolution, await house.spent()]).toEqual(['1080p', 5 * 2 * SECOND])
    const folded = (times: number, words: string) => `${'--seed'.repeat(times)}${' 1'.repeat(times)}${words}`
    // What is taken out leaves another behind, which nobody writes by chance.
    for (const times of [1, 2, 3, 50_000])
      for (const [name, value] of [
        ['--dur', ' 12'],
        ['--rs', ' 1080p'],
      ] as const)
        for (const asked of [model, 'film']) {
          const prompt = `a cat ${name}${folded(times, value)}`
          expect([prompt.slice(0, 99), (await house.create({ model: asked, prompt })).status]).toEqual([
            prompt.slice(0, 99),
            400,
          ])
        }
    expect((await house.create({ model: 'film', prompt: `a cat --rs${wide}1080p` })).status).toBe(400)
    expect(await house.spent()).toBe(0)
  })

  test('what is finer costs what that costs, however it is said', async () => {
    for (const more of [
      { size: '1920x1080' },
      { size: '1088x1920' },
      { size: '1080p' },
      { resolution: '1080P' },
    ]) {
      await house.spent()
      const { status } = await house.create({ model, prompt: 'a cat', seconds: 5, ...more })
      expect([status, sent().resolution, await house.spent()]).toEqual([200, '1080p', 5 * 2 * SECOND])
    }
    const contrary = { size: '1280x720', resolution: '1080p' }
    expect((await house.create({ model, prompt: 'a cat', ...contrary })).status).toBe(400)
    // By a name that does not tell whose it is: the length is seen by the vendor's side, a resolution would not be.
    const named = await house.create({ model: 'film', prompt: 'a cat --dur 12' })
    expect([named.status, sent().duration, await house.spent()]).toEqual([200, 12, 12 * SECOND])
    expect((await house.create({ model: 'film', prompt: 'a cat --rs 1080p' })).status).toBe(400)
    expect(await house.spent()).toBe(0)
  })

  test('begins with a picture, ends with another, or looks as several do', async () => {
    const roles = () => (sent().content as { role?: string }[]).flatMap(({ role }) => role ?? [])
    await house.create({ model, prompt: 'a cat', image: 'https://pictures.test/a.png', image_tail: PNG })
    expect(roles()).toEqual(['first_frame', 'last_frame'])
    await house.create({ model, prompt: 'a cat', images: [PNG, PNG, PNG] })
    expect(roles()).toEqual(['reference_image', 'reference_image', 'reference_image'])
    const form = new FormData()
    const said = { model, prompt: 'a cat', metadata: JSON.stringify({ duration: 7 }) }
    for (const [name, value] of Object.entries(said)) form.set(name, value)
    form.set('input_reference', new File([Buffer.from('picture')], 'a.png', { type: 'image/png' }))
    const headers = { authorization: `Bearer ${house.payer.key}` }
    expect((await fetch(`${house.url}/v1/videos`, { method: 'POST', headers, body: form })).status).toBe(200)
    expect(sent().duration).toBe(7)
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
    await house.create({ model: model_name, prompt: 'a cat', size: '720x1280', metadata: own })
    expect(at.kling.last().asked).toEqual({
      ...{ model_name, prompt: 'a cat', duration: '5', aspect_ratio: '9:16' },
      ...{ mode: 'std', cfg_scale: 0.5, negative_prompt: 'dogs' },
    })
    await house.create({
      model: model_name,
      prompt: 'a cat',
      image: PNG,
      image_tail: 'https://pictures.test/b.png',
    })
    expect(at.kling.last().asked).toEqual({
      ...{ model_name, prompt: 'a cat', duration: '5' },
      ...{ image: PNG.split(',')[1], image_tail: 'https://pictures.test/b.png' },
    })
    expect((await house.create({ model: model_name, prompt: 'a cat', images: [PNG, PNG, PNG] })).status).toBe(
      400,
    )
  })

  test('its finer mode has its own price', async () => {
    await house.spent()
    await house.create({ model: model_name, prompt: 'a cat', mode: 'pro' })
    expect(await house.spent()).toBe(5 * 3 * SECOND)
  })
})

test('Vidu is asked at the address for as many pictures as there are', async () => {
  const model = 'viduq2'
  const address = () => at.vidu.requests.findLast(({ method }) => method === 'POST')?.path
  await house.create({
    model,
    prompt: 'a cat',
    size: '1080x1920',
    metadata: { seed: 7, bgm: true, off_peak: true },
  })
  expect(at.vidu.last().asked).toEqual({
    ...{ model, prompt: 'a cat', duration: 5, resolution: '1080p', aspect_ratio: '9:16', seed: 7, bgm: true },
  })
  expect(address()).toBe('/ent/v2/text2video')
  for (const [count, path] of [
    [1, 'img2video'],
    [2, 'start-end2video'],
    [3, 'reference2video'],
  ] as const) {
    const images = Array.from({ length: count }, () => PNG)
    expect((await house.create({ model, prompt: 'a cat', aspect_ratio: '16:9', images })).status).toBe(200)
    expect([address(), at.vidu.last().asked.images]).toEqual([`/ent/v2/${path}`, images])
  }
  const older = await house.create({ model: 'vidu2.0', prompt: 'a cat', image: PNG })
  expect([older.status, older.json.seconds]).toEqual([200, '4'])
})

test('Veo gets the bytes of a picture, and its own words', async () => {
  const model = 'veo-3.1-generate-preview'
  const more = { image_tail: PNG, negative_prompt: 'dogs', metadata: { personGeneration: 'allow_adult' } }
  await house.create({ model, prompt: 'a cat', seconds: 4, size: '1080x1920', image: PNG, ...more })
  const picture = { bytesBase64Encoded: PNG.split(',')[1], mimeType: 'image/png' }
  expect(at.veo.last().asked).toEqual({
    model,
    instances: [{ prompt: 'a cat', image: picture, lastFrame: picture }],
    parameters: {
      ...{ sampleCount: 1, durationSeconds: 4, aspectRatio: '9:16', resolution: '1080p' },
      ...{ negativePrompt: 'dogs', personGeneration: 'allow_adult' },
    },
  })
  // An address is fetched by us, and so only where the whole internet may go.
  const before = at.veo.requests.length
  const refused = await house.create({ model, prompt: 'a cat', image: `${at.veo.url}/made/a.png` })
  expect([refused.status, at.veo.requests.length]).toEqual([400, before])
  const { json } = await house.create({ model, prompt: 'a cat' })
  Object.assign(at.veo.last(), { stage: 'failed', reason: 'filtered: celebrities' })
  await house.poll()
  expect((await house.show(json.id)).error.message).toBe('filtered: celebrities')
})

test('Hailuo is told its own resolutions', async () => {
  const model = 'MiniMax-Hailuo-2.3'
  await house.create({
    model,
    prompt: 'a cat',
    size: '1280x720',
    image: PNG,
    image_tail: PNG,
    prompt_optimizer: false,
  })
  expect(at.hailuo.last().asked).toEqual({
    ...{ model, prompt: 'a cat', duration: 6, resolution: '768P', prompt_optimizer: false },
    ...{ first_frame_image: PNG, last_frame_image: PNG },
  })
  await house.create({ model, prompt: 'a cat', metadata: { resolution: '1080p' } })
  expect(at.hailuo.last().asked.resolution).toBe('1080P')
})

test('Wan is asked in the form of its model', async () => {
  const asked = async (body: object) => {
    expect((await house.create({ prompt: 'a cat', ...body })).status).toBe(200)
    const { input, parameters } = at.wan.last().asked
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
  for (const seconds of [1, 10]) expect((await house.create({ ...pair, prompt, seconds })).status).toBe(400)
})

test('Jimeng counts in frames', async () => {
  const model = 'jimeng_ti2v_v30_pro'
  await house.create({ model, prompt: 'a cat', size: '720x1280', seed: 7 })
  expect(at.jimeng.last().asked).toEqual({
    req_key: model,
    prompt: 'a cat',
    frames: 121,
    aspect_ratio: '9:16',
    seed: 7,
  })
  await house.create({
    model,
    prompt: 'a cat',
    seconds: 10,
    image: 'https://pictures.test/a.png',
    aspect_ratio: '1:1',
  })
  expect(at.jimeng.last().asked).toEqual({
    ...{ req_key: model, prompt: 'a cat', frames: 241, image_urls: ['https://pictures.test/a.png'] },
  })
  const older = { model: 'jimeng_vgfm_t2v_l20', prompt: 'a cat' }
  await house.create({ ...older, image: PNG })
  expect(at.jimeng.last().asked).toEqual({
    ...{ req_key: older.model, prompt: 'a cat', binary_data_base64: [PNG.split(',')[1]] },
  })
  expect((await house.create({ ...older, seconds: 10 })).status).toBe(400)
})

test.each([
  ['Sora has a type of its own', 'sora-2'],
  ['another gateway makes what it is asked for', 'their-sora'],
])('%s, and serves both forms', async (_name, model) => {
  await house.spent()
  const made = await house.create(
    { model, prompt: 'a cat', duration: 8, width: 1280, height: 720 },
    '/v1/video/generations',
  )
  expect([made.status, made.json.seconds, await house.spent()]).toEqual([200, '8', 8 * SECOND])
  expect(at.sora.requests.at(-1)?.json).toEqual({
    model: 'sora-2',
    prompt: 'a cat',
    seconds: '8',
    size: '1280x720',
  })
  const video = [...at.sora.videos.values()].at(-1)
  at.sora.change(video?.id ?? '', { status: 'completed', progress: 100 })
  await house.poll()
  const { data } = (await house.call('GET', `/v1/video/generations/${made.json.id}`)).json
  expect(Buffer.from(await (await house.fetch(data.result_url, '')).arrayBuffer())).toEqual(VIDEO)
})

test('who has too little for what is left to the vendor is refused before it hears of it', async () => {
  const userId = await house.addUser({ quota: 8 * SECOND - 1 })
  const { key } = await house.addToken({ userId })
  const before = at.ark.requests.length
  const refused = await house.call('POST', '/v1/videos', { model: 'my-seedance', prompt: 'x' }, key)
  expect([refused.status, refused.json.error.code, at.ark.requests.length]).toEqual([
    403,
    'insufficient_user_quota',
    before,
  ])
  for (const body of [{ n: 2 }, { size: 'wide' }, { duration: 0 }, { aspect_ratio: 'wide' }])
    expect(
      (await house.create({ model: 'my-seedance', prompt: 'x', ...body }, '/v1/video/generations')).status,
    ).toBe(400)
})

test('what was made is fetched where the whole internet may go, and only while it is there', async () => {
  const { json } = await house.create({ model: 'kling-v2-6', prompt: 'a cat' })
  const content = async () => {
    const response = await house.fetch(`/v1/videos/${json.id}/content`)
    return [response.status, await response.text()] as const
  }
  at.kling.last().stage = 'done'
  await house.poll()
  let asked = 0
  const inside = serveLoopback(() => new Response(`${++asked}`))
  for (const place of [
    `http://127.0.0.1:${inside.port}/secret`,
    'http://169.254.169.254/',
    'file:///etc/passwd',
  ]) {
    at.kling.last().lies = place
    const [status, text] = await content()
    expect([place, status, asked]).toEqual([place, 502, 0])
    expect(text).not.toContain(new URL(place).host || 'passwd')
  }
  await inside.stop(true)
  at.kling.last().lies = `${at.kling.url}/made/expired.mp4`
  expect((await content())[0]).toBe(404)
  at.kling.last().lies = undefined
  expect((await content())[0]).toBe(200)
  at.kling.videos.delete(at.kling.last().id)
  const [status, text] = await content()
  expect([status, JSON.parse(text).error.type]).toEqual([404, 'invalid_request_error'])
})
