// The words of long jobs go through the rules before any money is set aside and anybody is asked.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import OpenAI, { toFile } from 'openai'
import type { JsonObject } from '../../server/dialects/json.ts'
import { GuardWebhook } from '../guard-webhook.ts'
import { type FakeMidjourney, startMidjourney } from '../upstreams/midjourney/start-midjourney.ts'
import { type FakeVideos, startOpenaiVideos } from '../upstreams/openai-videos/start-openai-videos.ts'
import { type FakeSuno, startSuno } from '../upstreams/suno/start-suno.ts'
import { startKling } from '../upstreams/videos/kling.ts'
import type { FakeVideoVendor } from '../upstreams/videos/video-place.ts'
import { looksWhenTold, openTaskHouse, type TaskHouse } from './house.ts'

const rule = { enabled: true, where: ['input'], groups: [], models: [] }
const MAIL = 'a card for ada@example.com'
const MASKED = 'a card for [email]'

let house: TaskHouse
let drawer: FakeMidjourney
let singer: FakeSuno
let sora: FakeVideos
let kling: FakeVideoVendor
const webhook = new GuardWebhook()

beforeAll(async () => {
  drawer = startMidjourney()
  singer = startSuno()
  sora = startOpenaiVideos('sk-sora-55aa')
  kling = startKling()
  const { url } = webhook
  const rules = [
    { ...rule, name: 'people', looks: { by: 'kinds', kinds: ['email'] }, action: 'mask' },
    { ...rule, name: 'secret', looks: { by: 'words', words: ['project x'] }, action: 'block' },
    {
      ...rule,
      name: 'own-check',
      models: ['suno_lyrics', 'mj_shorten'],
      looks: { by: 'webhook', url, seconds: 30, otherwise: 'block' },
      action: 'block',
    },
  ]
  house = await openTaskHouse(async rig => {
    const drawings = ['mj_imagine', 'mj_modal', 'mj_shorten']
    await rig.addChannel({ type: 5, baseUrl: drawer.url, key: drawer.key, models: drawings })
    const songs = ['suno_music', 'suno_lyrics']
    await rig.addChannel({ type: 36, baseUrl: singer.url, key: singer.key, models: songs })
    await rig.addChannel({ type: 55, baseUrl: sora.url, key: sora.key, models: ['sora-2'] })
    await rig.addChannel({ type: 50, baseUrl: kling.url, key: kling.key, models: ['kling-v2-6'] })
    await rig.setOption('ModelPrice', JSON.stringify({ 'sora-2': 0.1, 'kling-v2-6': 0.1 }))
    await rig.setOption('Guards', JSON.stringify(rules))
  }, looksWhenTold)
})
beforeEach(async () => {
  webhook.reset()
  await house.spent()
})
afterAll(async () => {
  for (const upstream of [drawer, singer, sora, kling]) expect(upstream.complaints).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
  await webhook.close()
  for (const upstream of [drawer, singer, sora, kling]) await upstream.stop()
})

const found = async (requestId: string): Promise<unknown> =>
  ((await house.logOf(requestId)).details.admin_info as JsonObject).guards

/** Every address that takes words, and how its upstream got them. */
const ways = [
  {
    path: '/mj/submit/imagine',
    body: (words: string) => ({ prompt: words }),
    sent: () => [drawer.requests.at(-1)?.json.prompt],
    words: 1,
    refused: (words: string) => ({ description: words, type: 'new_api_error', code: 4 }),
  },
  {
    path: '/suno/submit/music',
    body: (words: string) => ({
      ...{ prompt: words, title: words, tags: words },
      gpt_description_prompt: words,
    }),
    sent: () => {
      const { prompt, title, tags, gpt_description_prompt } = singer.requests.at(-1)?.json ?? {}
      return [prompt, title, tags, gpt_description_prompt]
    },
    words: 4,
    refused: (words: string) => ({ code: 'guard_blocked', message: words, data: null }),
  },
  {
    path: '/v1/videos',
    body: (words: string) => ({ model: 'sora-2', prompt: words, seconds: '4' }),
    sent: () => [sora.requests.at(-1)?.json.prompt],
    words: 1,
    refused: (words: string) => ({
      error: expect.objectContaining({ message: words, code: 'guard_blocked' }),
    }),
  },
  {
    path: '/v1/video/generations',
    body: (words: string) => ({
      ...{ model: 'kling-v2-6', duration: 5, metadata: { prompt: words, negative_prompt: words } },
    }),
    sent: () => {
      const { prompt, negative_prompt } = kling.requests.at(-1)?.json ?? {}
      return [prompt, negative_prompt]
    },
    words: 2,
    refused: (words: string) => ({
      error: expect.objectContaining({ message: words, code: 'guard_blocked' }),
    }),
  },
  {
    path: '/kling/v1/videos/text2video',
    body: (words: string) => ({ model_name: 'kling-v2-6', prompt: words, duration: '5' }),
    sent: () => [kling.requests.at(-1)?.json.prompt],
    words: 1,
    refused: (words: string) => ({ code: 1201, message: words, request_id: expect.any(String) }),
  },
  {
    path: '/jimeng/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31',
    body: (words: string) => ({ req_key: 'kling-v2-6', prompt: words, frames: 121 }),
    sent: () => [kling.requests.at(-1)?.json.prompt],
    words: 1,
    refused: (words: string) => ({
      ...{ code: 50_215, status: 50_215, message: words, data: null, request_id: expect.any(String) },
    }),
  },
]

describe.each(ways)('words for $path', ({ path, body, sent, words, refused }) => {
  test('go on masked, and the record has no others', async () => {
    const { status, requestId, json } = await house.call('POST', path, body(MAIL))
    expect(status).toBe(200)
    expect(sent()).toEqual(Array.from({ length: words }, () => MASKED))
    expect(await house.spent()).toBeGreaterThan(0)
    expect(await found(requestId)).toEqual({ people: words })
    const run = house.store.db.selectFrom('task_runs').select('id').where('request_id', '=', requestId)
    const { id } = await run.executeTakeFirstOrThrow()
    const drawing = house.store.db.selectFrom('midjourneys').select('prompt').where('mj_id', '=', id)
    const task = house.store.db.selectFrom('tasks').select('properties').where('task_id', '=', id)
    const kept = path.startsWith('/mj/') ? await drawing.execute() : await task.execute()
    expect(JSON.stringify(kept)).toContain('[email]')
    expect(JSON.stringify([kept, json])).not.toContain('ada@')
  })

  test('that are blocked reach nobody, cost nothing, and are told in the client’s form', async () => {
    const before = [drawer, singer, sora, kling].map(({ requests }) => requests.length)
    const { status, json, requestId } = await house.call('POST', path, body('plans of Project X'))
    expect(status).toBe(400)
    expect(json).toEqual(refused(expect.stringContaining('secret') as never))
    expect([drawer, singer, sora, kling].map(({ requests }) => requests.length)).toEqual(before)
    expect(await house.spent()).toBe(0)
    const row = await house.logOf(requestId)
    expect([row.type, row.quota, await found(requestId)]).toEqual([5, 0, { secret: words }])
    const runs = house.store.db.selectFrom('task_runs').select('id').where('request_id', '=', requestId)
    expect(await runs.execute()).toEqual([])
  })
})

test('a form keeps its picture and loses only what is masked, by the official client', async () => {
  const client = new OpenAI({ apiKey: house.payer.key, baseURL: `${house.url}/v1`, maxRetries: 0 })
  const picture = await toFile(Buffer.from('\x89PNG picture', 'latin1'), 'first.png', { type: 'image/png' })
  const video = await client.videos.create({
    ...{ model: 'sora-2', prompt: MAIL, seconds: '4', input_reference: picture },
  })
  const { form } = sora.requests.at(-1) ?? {}
  expect([form?.get('prompt'), form?.get('model')]).toEqual([MASKED, 'sora-2'])
  const sent = form?.get('input_reference') as File | undefined
  expect(await sent?.text()).toBe(await picture.text())
  for (const id of sora.videos.keys())
    sora.change(id, { status: 'completed', progress: 100, completed_at: 1 })
  await house.poll()
  await client.videos.remix(video.id, { prompt: MAIL })
  expect(sora.requests.findLast(({ path }) => path.endsWith('/remix'))?.json.prompt).toBe(MASKED)
  const blocked = client.videos.remix(video.id, { prompt: 'project x' })
  expect(await blocked.catch((error: InstanceType<typeof OpenAI.APIError>) => error.status)).toBe(400)
})

describe('a webhook', () => {
  test('is asked once money is there, and what it masks goes on', async () => {
    webhook.verdict = () => ({ action: 'mask', texts: ['a song of nobody'] })
    const { status, requestId } = await house.call('POST', '/suno/submit/lyrics', { prompt: 'a song of Ada' })
    expect(status).toBe(200)
    expect(webhook.asked.map(({ side, model, texts }) => [side, model, texts])).toEqual([
      ['input', 'suno_lyrics', ['a song of Ada']],
    ])
    expect(singer.requests.at(-1)?.json.prompt).toBe('a song of nobody')
    expect(await found(requestId)).toEqual({ 'own-check': 1 })
    expect(await house.spent()).toBeGreaterThan(0)
  })

  test('that says no costs nothing, and nobody without money reaches it', async () => {
    webhook.verdict = () => ({ action: 'block', reason: 'not today' })
    const refused = await house.call('POST', '/suno/submit/lyrics', { prompt: 'a song of Ada' })
    expect([refused.status, refused.json.message]).toEqual([400, expect.stringContaining('not today')])
    expect(await house.spent()).toBe(0)
    const poor = await house.addToken({ userId: await house.addUser({ quota: 0 }) })
    const unpaid = await house.call('POST', '/suno/submit/lyrics', { prompt: 'a song' }, poor.key)
    expect(unpaid.status).toBe(403)
    expect(webhook.asked.length).toBe(1)
  })

  test('that would make it dearer is not believed', async () => {
    webhook.verdict = () => ({ action: 'mask', texts: ['a cat --turbo'] })
    const before = drawer.requests.length
    const { status } = await house.call('POST', '/mj/submit/shorten', { prompt: 'a cat' })
    expect([status, drawer.requests.length, await house.spent()]).toEqual([503, before, 0])
  })
})
