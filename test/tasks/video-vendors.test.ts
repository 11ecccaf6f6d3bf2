import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { MADE } from '../upstreams/videos/video-place.ts'
import { openVideoHouse, PNG, SECOND, type VideoHouse, vendors } from './video-house.ts'

let house: VideoHouse

beforeAll(async () => {
  house = await openVideoHouse()
})
afterAll(async () => {
  expect(house.complaints()).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
})

describe.each(vendors)('$name', ({ model, usual, other, by }) => {
  test('from the wish to the bytes, paid by the second', async () => {
    const place = house.places[by]
    await house.spent()
    const made = await house.create({ model, prompt: 'a cat', seconds: String(other), size: '1280x720' })
    expect([made.status, made.json]).toEqual([
      200,
      expect.objectContaining({ object: 'video', model, status: 'queued' }),
    ])
    expect([made.json.seconds, await house.spent()]).toEqual([String(other), other * SECOND])
    const video = place.last()
    const id: string = made.json.id
    video.stage = 'working'
    await house.poll()
    expect(await house.show(id)).toMatchObject({
      status: 'in_progress',
      prompt: 'a cat',
      seconds: String(other),
    })
    expect((await house.fetch(`/v1/videos/${id}/content`)).status).toBe(404)
    video.stage = 'done'
    await house.poll()
    const done = await house.show(id)
    expect(done).toMatchObject({ status: 'completed', progress: 100, seconds: String(other), error: null })
    expect(done.completed_at).toBeWithin(1e9, 1e10)
    const content = await house.fetch(`/v1/videos/${id}/content`)
    expect([content.status, content.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    expect(Buffer.from(await content.arrayBuffer())).toEqual(MADE)
    const some = await house.fetch(`/v1/videos/${id}/content`, undefined, { range: 'bytes=0-3' })
    expect([some.status, some.headers.get('content-range'), (await some.bytes()).length]).toEqual([
      206,
      `bytes 0-3/${MADE.length}`,
      4,
    ])
    expect((await house.fetch(`/v1/videos/${id}/content?variant=thumbnail`)).status).toBe(400)
    expect((await house.fetch(`/v1/videos/${id}/content`, house.stranger.key)).status).toBe(404)
    expect(await house.spent()).toBe(0)
  })

  test('a length that is left to its vendor is paid as the vendor makes it', async () => {
    await house.spent()
    const made = await house.create({ model, prompt: 'a cat' })
    expect([made.status, made.json.seconds, await house.spent()]).toEqual([
      200,
      String(usual),
      usual * SECOND,
    ])
  })

  test('what fails is refunded once, and says why without a key or a host', async () => {
    const place = house.places[by]
    await house.spent()
    const { json } = await house.create({ model, prompt: 'a cat', seconds: other })
    const secret = place.key.split('|').at(-1)
    Object.assign(place.last(), { stage: 'failed', reason: `not allowed (${secret} at ${place.url})` })
    await house.poll(0, 3)
    await house.poll()
    const failed = await house.show(json.id)
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
    const place = house.places[by]
    await house.spent()
    const { json } = await house.create({ model, prompt: 'a cat', seconds: other })
    place.videos.delete(place.last().id)
    await house.poll()
    expect((await house.show(json.id)).status).toBe('queued')
    await house.poll(30 * 60 + 15)
    await house.poll(31 * 60)
    expect([(await house.show(json.id)).status, await house.spent()]).toEqual(['failed', 0])
    expect(await house.refunds(json.id)).toHaveLength(1)
    const refused = await house.create({ model, prompt: 'meant to be refused', seconds: 599 })
    expect([refused.status, typeof refused.json.error.message]).toEqual([400, 'string'])
    expect(JSON.stringify(refused.json)).not.toContain(new URL(place.url).host)
    expect(await house.spent()).toBe(0)
  })

  test('in the form of this family’s tasks, with a link that needs no key', async () => {
    const place = house.places[by]
    const body = {
      model,
      prompt: 'a cat',
      duration: other,
      image: PNG,
      metadata: { negative_prompt: 'dogs' },
    }
    const made = await house.create(body, '/v1/video/generations')
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
    const content = await house.fetch(data.result_url, '')
    expect([content.status, Buffer.from(await content.arrayBuffer())]).toEqual([200, MADE])
    for (const wrong of [
      data.result_url.replace(/\/\d{10}\//, '/4102444800/'),
      data.result_url.replace(made.json.id, 'video_00'),
    ])
      expect((await house.fetch(wrong, '')).status).toBe(404)
    expect((await house.call('GET', at, undefined, house.stranger.key)).status).toBe(404)
    expect((await house.call('POST', `/v1/videos/${made.json.id}/remix`, { prompt: 'a dog' })).status).toBe(
      400,
    )
    expect((await house.call('DELETE', `/v1/videos/${made.json.id}`)).json.deleted).toBe(true)
    expect((await house.fetch(data.result_url, '')).status).toBe(404)
  })
})
