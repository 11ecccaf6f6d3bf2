import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../server/dialects/json.ts'
import { startAli } from '../upstreams/ali/start.ts'
import { PIXEL } from '../upstreams/openai/answer-images.ts'
import { startSiliconcloud } from '../upstreams/siliconcloud/start.ts'
import type { FakeUpstream, UpstreamOptions } from '../upstreams/upstream.ts'
import { startVolcengine } from '../upstreams/volcengine/start.ts'
import { startXai } from '../upstreams/xai/start.ts'
import { openVendor, type VendorHouse } from './house.ts'

interface Editor {
  readonly name: string
  readonly type: number
  readonly model: string
  readonly start: (options: UpstreamOptions) => Promise<FakeUpstream>
  readonly path: string
  /** How it is told of the pictures, in a size of 1536x1024. */
  readonly write: (pictures: readonly string[]) => JsonObject
}

const MULTIMODAL = '/api/v1/services/aigc/multimodal-generation/generation'
const named = (url: string): JsonObject => ({ type: 'image_url', url })

/** Vendors that take pictures inside JSON alone. */
const editors: readonly Editor[] = [
  {
    name: 'xAI',
    type: 48,
    model: 'grok-imagine-image',
    start: startXai,
    path: '/v1/images/edits',
    write: pictures => ({
      prompt: 'a cat',
      ...(pictures.length === 1 ? { image: named(pictures[0] ?? '') } : { images: pictures.map(named) }),
      aspect_ratio: '3:2',
      n: 1,
    }),
  },
  {
    name: 'VolcEngine',
    type: 45,
    model: 'doubao-seedream-4-5-251128',
    start: startVolcengine,
    path: '/api/v3/images/generations',
    write: pictures => ({
      prompt: 'a cat',
      image: pictures.length === 1 ? (pictures[0] ?? '') : [...pictures],
      size: '1536x1024',
    }),
  },
  {
    name: 'SiliconCloud',
    type: 40,
    model: 'Qwen/Qwen-Image-Edit-2509',
    start: startSiliconcloud,
    path: '/v1/images/generations',
    write: ([image = '', image2]) => ({
      prompt: 'a cat',
      image,
      ...(image2 !== undefined && { image2 }),
      batch_size: 1,
    }),
  },
  {
    name: 'Ali',
    type: 17,
    model: 'qwen-image-edit-plus',
    start: startAli,
    path: MULTIMODAL,
    write: pictures => ({
      input: {
        messages: [{ role: 'user', content: [...pictures.map(image => ({ image })), { text: 'a cat' }] }],
      },
      parameters: { size: '1536*1024', n: 1 },
    }),
  },
]

describe.each(editors)('pictures edited by $name', ({ type, model, start, path, write }) => {
  let house: VendorHouse
  beforeAll(async () => {
    house = await openVendor({ type, start, models: [model, 'wan2.2-t2i-flash'] })
  })
  afterAll(() => house.close())

  const size = '1536x1024'
  const packed = `data:image/png;base64,${PIXEL}`

  function formOf(field: string, files: readonly File[]): FormData {
    const form = new FormData()
    for (const [name, value] of Object.entries({ model, prompt: 'a cat', size, n: '1' }))
      form.append(name, value)
    for (const file of files) form.append(field, file)
    return form
  }

  test.each([
    ['image', 1, 'image/png'],
    // Many programs tell no type.
    ['image[]', 2, 'application/octet-stream'],
  ])('files of a form, as %s', async (field, count, kind) => {
    const file = new File([Buffer.from(PIXEL, 'base64')], 'a.png', { type: kind })
    const response = await house.post('/v1/images/edits', formOf(field, Array(count).fill(file)))
    const { data } = await response.json()
    expect([response.status, data?.length]).toEqual([200, 1])
    expect(house.seen().path).toBe(path)
    expect(house.body()).toEqual({ model, ...write(Array(count).fill(packed)) })
    expect(await house.rig.chargeOf(response.headers.get('x-oneapi-request-id') ?? '')).toBeGreaterThan(0)
  })

  test('pictures that JSON names', async () => {
    const url = 'https://images.example/cat.png'
    const asked = { model, prompt: 'a cat', size, n: 1 }
    for (const given of [{ images: [{ image_url: url }] }, { image: url }]) {
      const response = await house.post('/v1/images/edits', { ...asked, ...given })
      expect((await response.json()).data).toHaveLength(1)
      expect(house.body()).toEqual({ model, ...write([url]) })
    }
  })

  test('without a picture, or with what it does not know, nothing is asked for', async () => {
    const before = house.fake.requests.length
    const asked = { model, prompt: 'a cat', image: 'https://images.example/cat.png' }
    for (const more of [
      { image: undefined },
      { mask: { image_url: packed } },
      { image: { file_id: 'file-1' } },
    ])
      expect((await house.post('/v1/images/edits', { ...asked, ...more })).status).toBe(400)
    expect(house.fake.requests.length).toBe(before)
  })

  if (type === 17)
    test('a picture beside a prompt is no less part of the wish', async () => {
      const image = 'https://images.example/cat.png'
      const asked = { model, prompt: 'a cat', image, size, n: 1 }
      expect((await house.post('/v1/images/generations', asked)).status).toBe(200)
      expect(house.body()).toEqual({ model, ...write([image]) })
      // These would draw something else.
      const before = house.fake.requests.length
      const other = await house.post('/v1/images/generations', { ...asked, model: 'wan2.2-t2i-flash' })
      expect([other.status, house.fake.requests.length]).toEqual([400, before])
    })

  test('nothing that reached it was wrong, and the books agree', () => house.expectOrder())
})
