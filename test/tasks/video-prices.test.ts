import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openVideoHouse, type Places, SECOND, type VideoHouse } from './video-house.ts'

// What would have an upstream make a dearer video than is paid for.

let house: VideoHouse
let at: Places

beforeAll(async () => {
  house = await openVideoHouse()
  at = house.places
  at.sora.isGateway = true
})
afterAll(async () => {
  expect(await house.differences()).toEqual([])
  await house.close()
})

const GATEWAY = 'their-sora'
const wish = { model: GATEWAY, prompt: 'a cat' }

test('what decides the price is said once, for a gateway may heed the other', async () => {
  await house.spent()
  const asked = at.sora.requests.length
  for (const more of [
    { resolution: '480p', metadata: { resolution: '1080p' } },
    { mode: 'std', metadata: { mode: 'pro' } },
    { n: 1, metadata: { n: 4 } },
    { size: '1280x720', width: 3840, height: 2160 },
    { metadata: { model: 'sora-2-pro' } },
    { metadata: { Model: 'sora-2-pro' } },
    { metadata: { model_name: 'kling-v2-master' } },
    { seconds: '4', metadata: { frames: 289 } },
    { seconds: '4', frames: '', metadata: { frames: 289 } },
    // Gateways in Go do not mind capitals.
    { seconds: '4', Duration: 12 },
    { seconds: '4', metadata: { Duration: 12 } },
    { seconds: '4', Metadata: { duration: 12 } },
  ]) {
    const { status } = await house.create({ ...wish, ...more })
    expect([more, status]).toEqual([more, 400])
  }
  expect([await house.spent(), at.sora.requests.length]).toEqual([0, asked])
})

test('what an upstream would count or time it by in words of its own is paid, or refused', async () => {
  const asked = at.sora.requests.length
  for (const more of [
    ...[{ num_frames: 1600 }, { numFrames: 289 }, { metadata: { num_frames: 1600 } }, { video_length: 129 }],
    ...[{ sampleCount: 4 }, { metadata: { sampleCount: 4 } }, { num_videos: '4' }, { fps: 240 }],
    ...[
      { parameters: { duration: 15 } },
      { metadata: { parameters: { duration: 15, resolution: '1080P' } } },
    ],
    ...[{ metadata: { parameters: '{"sampleCount":4}' } }, { metadata: { Parameters: { duration: 15 } } }],
    ...[
      { size: '1280x720', width: 3840 },
      { input: { Model: 'sora-2-pro' } },
      { extra_params: { frames: 289 } },
    ],
  ]) {
    const { status } = await house.create({ ...wish, seconds: '4', ...more })
    expect([more, status]).toEqual([more, 400])
  }
  const form = new FormData()
  for (const [field, value] of Object.entries({ ...wish, seconds: '4', num_frames: '1600' }))
    form.set(field, value)
  const headers = { authorization: `Bearer ${house.payer.key}` }
  expect((await fetch(`${house.url}/v1/videos`, { method: 'POST', headers, body: form })).status).toBe(400)
  expect([await house.spent(), at.sora.requests.length]).toEqual([0, asked])
  for (const more of [
    { metadata: { durationSeconds: 8 } },
    { seconds: '4', metadata: { duration_seconds: 8 } },
  ]) {
    expect((await house.create({ ...wish, ...more })).status).toBe(200)
    expect(await house.spent()).toBe(8 * SECOND)
  }
  // What costs no more passes.
  const free = { metadata: { n: 1, fps: 24, parameters: { seed: 7 } } }
  expect((await house.create({ ...wish, seconds: '4', ...free })).status).toBe(200)
  expect(await house.spent()).toBe(4 * SECOND)
})

test('a gateway that does not tell how long it makes one is paid for what its model makes by itself', async () => {
  for (const [model, usual] of [
    ['their-sora', 4],
    ['gateway-seedance', 5],
    ['gateway-hailuo', 6],
    ['gateway-veo', 8],
  ] as const) {
    await house.spent()
    const { status, json } = await house.create({ model, prompt: 'a cat' })
    expect([status, json.seconds, await house.spent()]).toEqual([200, String(usual), usual * SECOND])
  }
})

test('what a gateway says that it makes is paid, but never less than was asked for', async () => {
  for (const [asked, says, paid] of [
    [{ seconds: '4' }, '8', 8],
    [{ seconds: '8' }, '4', 8],
    [{ seconds: '8' }, 'long', 8],
    // Of one whose length is left to it.
    [{}, '3', 3],
    [{}, '15', 15],
  ] as const) {
    await house.spent()
    at.sora.says = says
    const { status } = await house.create({ ...wish, ...asked })
    expect([asked, says, status, await house.spent()]).toEqual([asked, says, 200, paid * SECOND])
  }
  at.sora.says = undefined
})

test('what is left empty hides nothing that is said apart', async () => {
  for (const [more, times] of [
    [{ mode: '', metadata: { mode: 'pro' } }, 3],
    [{ resolution: '', metadata: { resolution: '1080p' } }, 2],
    [{ mode: null, resolution: '', metadata: { resolution: '1080p' } }, 2],
  ] as const) {
    await house.spent()
    const { status } = await house.create({ ...wish, seconds: '4', ...more })
    expect([more, status, await house.spent()]).toEqual([more, 200, 4 * times * SECOND])
  }
})

test('what gateways would heed before all else does not reach them', async () => {
  await house.spent()
  const more = { fallbacks: ['sora-2-pro'], extra_body: { model: 'sora-2-pro', seconds: '12' } }
  expect((await house.create({ ...wish, seconds: '4', ...more })).status).toBe(200)
  const asked = { model: 'sora-2', prompt: 'a cat', seconds: '4' }
  expect(at.sora.requests.at(-1)?.json).toEqual(asked)
  expect([...at.sora.videos.values()].at(-1)).toMatchObject(asked)
  const form = new FormData()
  for (const [field, value] of Object.entries({ ...wish, seconds: '4' })) form.set(field, value)
  for (const [field, value] of Object.entries(more)) form.set(field, JSON.stringify(value))
  const headers = { authorization: `Bearer ${house.payer.key}` }
  expect((await fetch(`${house.url}/v1/videos`, { method: 'POST', headers, body: form })).status).toBe(200)
  expect([...(at.sora.requests.at(-1)?.form?.keys() ?? [])].sort()).toEqual(['model', 'prompt', 'seconds'])
  expect(await house.spent()).toBe(8 * SECOND)
})

test('of several lengths the longest is paid, wherever it stands', async () => {
  for (const more of [
    { seconds: '8', duration: 8 },
    { seconds: '8', duration: 4 },
    { seconds: '4', metadata: { seconds: 8 } },
    { seconds: '4', metadata: { duration: 8 } },
    { duration: 4, metadata: { duration: 8 } },
    { seconds: null, metadata: { seconds: 8 } },
    { duration: 8, metadata: { duration: '8' } },
  ]) {
    await house.spent()
    const { status } = await house.create({ ...wish, ...more })
    const made = Number([...at.sora.videos.values()].at(-1)?.seconds)
    expect([more, status, await house.spent()]).toEqual([more, 200, 8 * SECOND])
    expect(made).toBeLessThanOrEqual(8)
  }
})

test('in a form it is there once', async () => {
  for (const [name, one, other] of [
    ['seconds', '4', '12'],
    ['resolution', '480p', '1080p'],
    ['mode', 'std', 'pro'],
  ] as const) {
    const form = new FormData()
    for (const [field, value] of Object.entries(wish)) form.set(field, value)
    form.append(name, one)
    form.append(name, other)
    const headers = { authorization: `Bearer ${house.payer.key}` }
    const answer = await fetch(`${house.url}/v1/videos`, { method: 'POST', headers, body: form })
    expect([name, answer.status]).toEqual([name, 400])
  }
})

test('what a prompt tells Seedance is said in fields, at a gateway too', async () => {
  await house.spent()
  const prompt = 'a cat --dur 12 --rs 1080p'
  const { status } = await house.create({ model: 'gateway-seedance', prompt, seconds: '8' })
  expect([status, await house.spent()]).toEqual([200, 8 * SECOND])
  expect(at.sora.requests.at(-1)?.json).toEqual({
    ...{ model: 'doubao-seedance-1-0-pro-250528', prompt: 'a cat' },
    ...{ seconds: '8', resolution: '1080p' },
  })
  // What costs nothing stays where it was said, and nothing hides in it.
  const free = 'a cat --rt 9:16 --dur 8 --seed=7 --wm false --cf true --fps 60'
  const said = 'a cat --ratio 9:16 --seed 7 --watermark false --camerafixed true'
  for (const address of ['/v1/videos', '/v1/video/generations']) {
    expect((await house.create({ model: 'gateway-seedance', prompt: free }, address)).status).toBe(200)
    expect(await house.spent()).toBe(8 * SECOND)
    expect(at.sora.requests.at(-1)?.json).toMatchObject({ prompt: said, seconds: '8' })
  }
  const hidden = 'a cat --wm true--dur --seed 12'
  expect((await house.create({ model: 'gateway-seedance', prompt: hidden, seconds: 8 })).status).toBe(200)
  expect(at.sora.requests.at(-1)?.json).toMatchObject({ prompt: 'a cat --seed 12', seconds: 8 })
  await house.spent()
  // By a name that does not tell whose it is.
  expect((await house.create({ model: 'gateway-film', prompt, seconds: '8' })).status).toBe(400)
  expect(await house.spent()).toBe(0)
})

test('whoever pays for more than the usual has it made, at whichever address they ask', async () => {
  const dear = { mode: 'pro', resolution: '1080p' }
  for (const address of ['/v1/videos', '/v1/video/generations', '/kling/v1/videos/text2video']) {
    await house.spent()
    const { status } = await house.create({ ...wish, duration: 4, ...dear }, address)
    expect([address, status, await house.spent()]).toEqual([address, 200, 4 * 3 * SECOND])
    expect(at.sora.requests.at(-1)?.json).toMatchObject(dear)
  }
  // As clients of the family say it.
  const { status } = await house.create({ ...wish, duration: 4, size: '1080p' }, '/v1/video/generations')
  expect([status, await house.spent()]).toEqual([200, 4 * 2 * SECOND])
  expect(at.sora.requests.at(-1)?.json).toMatchObject({ resolution: '1080p' })
})

test('a video that is to be heard costs what that costs', async () => {
  const model = 'kling-v2-6'
  const paid = async (more: object) => {
    await house.spent()
    expect((await house.create({ model, prompt: 'a cat', seconds: 5, ...more })).status).toBe(200)
    return (await house.spent()) / (5 * SECOND)
  }
  expect(await paid({ sound: 'off' })).toBe(1)
  expect(await paid({ sound: 'on' })).toBe(2)
  expect(at.kling.last().asked).toMatchObject({ sound: 'on' })
  expect(await paid({ metadata: { sound: 'on', mode: 'pro' } })).toBe(6)
  // Whose sound has no price of its own costs what it does without.
  expect(await paid({ model: 'doubao-seedance-1-5-pro-251215', generate_audio: true })).toBe(1)
})
