import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '../program.ts'
import { MADE } from '../upstreams/videos/video-place.ts'
import { openVideoHouse, type Places, PNG, SECOND, type VideoHouse } from './video-house.ts'

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

test('Kling serves its own clients', async () => {
  const model_name = 'kling-v2-6'
  await house.spent()
  const address = '/kling/v1/videos/image2video'
  const made = await house.call('POST', address, {
    model_name,
    prompt: 'a cat',
    image: PNG,
    duration: '10',
  })
  expect([made.status, made.json]).toMatchObject([200, { code: 0, data: { task_status: 'submitted' } }])
  expect(await house.spent()).toBe(10 * SECOND)
  const own = `${address}/${made.json.data.task_id}`
  at.kling.last().stage = 'working'
  await house.poll()
  expect((await house.call('GET', own)).json.data).toMatchObject({ task_status: 'processing' })
  at.kling.last().stage = 'done'
  await house.poll()
  const { data } = (await house.call('GET', own)).json
  expect(data).toMatchObject({ task_status: 'succeed', task_result: { videos: [{ duration: '10' }] } })
  const content = await house.fetch(data.task_result.videos[0].url, '')
  expect(Buffer.from(await content.arrayBuffer())).toEqual(MADE)
  expect(await house.call('GET', own, undefined, house.stranger.key)).toMatchObject({
    status: 404,
    json: { code: 1203 },
  })
  expect(await house.call('POST', address, { model_name, prompt: 'a cat' })).toMatchObject({
    status: 400,
    json: { code: 1201 },
  })
  expect(await house.call('POST', address, {}, 'sk-nobody')).toMatchObject({
    status: 401,
    json: { code: 1002 },
  })
})

test('Jimeng serves its own clients, who say in the query what they want', async () => {
  await house.spent()
  const call = (action: string, body: object, key?: string) =>
    house.call('POST', `/jimeng/?Action=${action}&Version=2022-08-31`, body, key)
  const wish = { req_key: 'jimeng_ti2v_v30_pro', prompt: 'a cat', seed: 7 }
  const asked = { ...wish, frames: 241, image_urls: ['https://pictures.test/a.png'] }
  const made = await call('CVSync2AsyncSubmitTask', asked)
  expect([made.status, made.json]).toEqual([
    200,
    {
      ...{ code: 10_000, message: 'Success', status: 10_000, request_id: expect.any(String) },
      data: { task_id: expect.stringMatching(/^video_/) },
    },
  ])
  expect(at.jimeng.last().asked).toEqual(asked)
  expect(await house.spent()).toBe(10 * SECOND)
  const own = { req_key: wish.req_key, task_id: made.json.data.task_id }
  const shown = async (key?: string) => (await call('CVSync2AsyncGetResult', own, key)).json
  expect((await shown()).data).toEqual({ status: 'in_queue' })
  at.jimeng.last().stage = 'working'
  await house.poll()
  expect((await shown()).data).toEqual({ status: 'generating' })
  at.jimeng.last().stage = 'done'
  await house.poll()
  const { data } = await shown()
  expect(data).toEqual({ status: 'done', video_url: expect.stringContaining('/v1/video/results/') })
  const content = await house.fetch(data.video_url, '')
  expect(Buffer.from(await content.arrayBuffer())).toEqual(MADE)
  expect(await shown(house.stranger.key)).toMatchObject({ code: 10_000, data: { status: 'not_found' } })

  const failing = await call('CVSync2AsyncSubmitTask', wish)
  expect(await house.spent()).toBe(5 * SECOND)
  Object.assign(at.jimeng.last(), { stage: 'failed', reason: 'Post Img Risk Not Pass' })
  await house.poll()
  expect(await call('CVSync2AsyncGetResult', failing.json.data)).toMatchObject({
    ...{ status: 400, json: { code: 50_511, data: { status: 'done' } } },
  })
  expect(await house.spent()).toBe(-5 * SECOND)

  // Whose last was spent on a video gets it: what is asked for decides, not the address.
  const { key: poor } = await house.addToken({ userId: house.payer.userId, budget: 5 * SECOND })
  const short = { ...wish, frames: 121 }
  const { data: bought } = (await call('CVSync2AsyncSubmitTask', short, poor)).json
  expect(await house.spent()).toBe(5 * SECOND)
  await house.store.change('tokens', async () => {})
  await until(async () => (await call('CVSync2AsyncSubmitTask', short, poor)).json.message.includes('用尽'))
  expect((await call('CVSync2AsyncGetResult', bought, poor)).json.data).toEqual({ status: 'in_queue' })

  const refusals: [string, object, string | undefined, number, number][] = [
    ['CVSync2AsyncSubmitTask', { prompt: 'a cat' }, undefined, 400, 50_215],
    ['CVSync2AsyncSubmitTask', { ...wish, frames: 100 }, undefined, 400, 50_215],
    ['CVSync2AsyncGetResult', {}, undefined, 400, 50_215],
    // Not every database has a word for it.
    ['CVSync2AsyncGetResult', { task_id: 'video_\0' }, undefined, 400, 50_215],
    ['CVProcess', wish, undefined, 404, 50_215],
    ['CVSync2AsyncSubmitTask', wish, 'sk-nobody', 401, 50_400],
  ]
  for (const [action, body, key, status, code] of refusals)
    expect([action, await call(action, body, key)]).toMatchObject([action, { status, json: { code } }])
  expect(await house.spent()).toBe(0)
})
