import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Json, JsonObject } from '../../../server/dialects/json.ts'
import { until } from '../../program.ts'
import { type FakeUpstream, startMistral, startOpenai } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { requestIdOf } from '../ways.ts'

let rig: Rig
let mistral: FakeUpstream
let openai: FakeUpstream
let key = ''
let poor = ''
let scarce = ''
let scarceUser = 0

/** 4 dollars for 1,000 pages. */
const PAGE = 2000
/** A dollar for 1,000 on top. */
const DESCRIBED = 500
const OCR = 'mistral-ocr-latest'

beforeAll(async () => {
  mistral = await startMistral({ accept: ['brand_new'] })
  openai = await startOpenai()
  rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser({ quota: 500_000_000 }) })).key
    poor = (await books.addToken({ userId: await books.addUser({ quota: PAGE - 1 }) })).key
    scarceUser = await books.addUser({ quota: 10 * PAGE })
    scarce = (await books.addToken({ userId: scarceUser })).key
    await books.addChannel({
      type: 42,
      baseUrl: mistral.url,
      key: mistral.key,
      models: [OCR, 'by-token', 'mistral-ocr-2505', 'mistral-small-latest'],
      mapping: { 'by-token': OCR },
    })
    // It has no such thing: it is never asked, though it goes first.
    await books.addChannel({
      ...{ type: 1, baseUrl: openai.url, key: openai.key, models: [OCR, 'gpt-ocr'], priority: 10 },
    })
    await books.setOption('ModelRatio', JSON.stringify({ 'by-token': 1, 'gpt-ocr': 1 }))
    await books.setOption('CompletionRatio', JSON.stringify({ 'by-token': 2 }))
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  await rig.close()
  expect(mistral.complaints).toEqual([])
  expect(openai.requests).toEqual([])
  await mistral.stop()
  await openai.stop()
})

const pdf = (pages: number): JsonObject => ({
  ...{ type: 'document_url', document_url: `https://a.example/${pages}-pages.pdf` },
})

function read(body: JsonObject, by = key): Promise<Response> {
  return fetch(`${rig.url}/v1/ocr`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${by}`, 'content-type': 'application/json', 'accept-language': 'en' },
    },
    body: JSON.stringify({ model: OCR, ...body }),
  })
}
const charged = (response: Response): Promise<number | undefined> => rig.chargeOf(requestIdOf(response))

describe('a document is paid by its pages', () => {
  const picture = { type: 'image_url', image_url: 'data:image/png;base64,AAAA' }
  const rows: [body: JsonObject, pages: number][] = [
    [{ document: pdf(3) }, 3],
    [{ document: pdf(250) }, 250],
    [{ document: pdf(9), pages: [0, 2, 4] }, 3],
    [{ document: pdf(2), pages: [0, 1, 2, 3] }, 2],
    [{ document: picture }, 1],
    [{ document: { type: 'image_url', image_url: { url: 'https://a.example/a.png' } } }, 1],
    [{ document: { type: 'file', file_id: '0f1e2d3c' } }, 3],
  ]
  test.each(rows)('%j', async (body, pages) => {
    const response = await read(body)
    const { pages: told, usage_info } = await response.json()
    expect([told.length, usage_info.pages_processed]).toEqual([pages, pages])
    expect(await charged(response)).toBe(pages * PAGE)
  })

  test('and the log row says of how many', async () => {
    const response = await read({ document: pdf(7) })
    await response.bytes()
    const row = await rig.store.db
      .selectFrom('logs')
      .selectAll()
      .where('request_id', '=', requestIdOf(response))
      .executeTakeFirstOrThrow()
    expect([row.model_name, row.quota]).toEqual([OCR, 7 * PAGE])
    expect(JSON.parse(row.other ?? '{}')).toMatchObject({ model_price: 0.004, calls: 7, group_ratio: 1 })
  })

  test('by those that came where the vendor does not count, or lies', async () => {
    const pages = [
      { index: 0, markdown: 'one' },
      { index: 1, markdown: 'two' },
    ]
    for (const usage_info of [
      undefined,
      null,
      {},
      { pages_processed: 0 },
      { pages_processed: -1 },
      { pages_processed: 1e9 },
    ]) {
      mistral.next({
        status: 200,
        body: { pages, model: OCR, ...(usage_info !== undefined && { usage_info }) } as never,
      })
      const response = await read({ document: pdf(2) })
      expect([usage_info, await charged(response)]).toEqual([usage_info, 2 * PAGE])
    }
  })

  test('also where the answer is too large to be looked through, or to be held', async () => {
    const withPicture = (megabytes: number, more: JsonObject): JsonObject => {
      const image_base64 = 'A'.repeat(megabytes * 1024 * 1024)
      return {
        pages: [{ index: 0, markdown: 'one', images: [{ id: 'a', image_base64 }] }],
        model: OCR,
        ...more,
      }
    }
    const usage_info = { pages_processed: 4, doc_size_bytes: 1 }
    for (const [body, count] of [
      [withPicture(5, { usage_info }), 4],
      [withPicture(5, {}), 1],
      [withPicture(33, { usage_info }), 4],
    ] as const) {
      mistral.next({ status: 200, body })
      const response = await read({ document: pdf(4), include_image_base64: true })
      expect((await response.text()) === JSON.stringify(body)).toBe(true)
      expect(await charged(response)).toBe(count * PAGE)
    }
  })

  test('and by tokens where its model has a price for those', async () => {
    const response = await read({ model: 'by-token', document: pdf(1) })
    const { pages } = await response.json()
    expect(pages).toEqual([expect.objectContaining({ markdown: '# Page 0' })])
    // A thousand for the page, and `# Page 0` is four, which cost twice as much.
    expect(await charged(response)).toBe(1000 + 4 * 2)
  })
})

describe('what is made of it besides', () => {
  const format = { type: 'json_schema', json_schema: { name: 'title', schema: {} } }
  test.each([
    [OCR, 'document_annotation_format', 3 * (PAGE + DESCRIBED)],
    [OCR, 'bbox_annotation_format', 3 * (PAGE + DESCRIBED)],
    ['mistral-ocr-2505', 'document_annotation_format', 3 * (500 + 1000)],
  ])('%s: %s is paid by the page too', async (model, name, quota) => {
    const response = await read({ model, document: pdf(3), [name]: format })
    expect(response.status).toBe(200)
    expect(await charged(response)).toBe(quota)
  })

  test('as far as it was made', async () => {
    const usage_info = { pages_processed: 3, pages_processed_annotation: 1, doc_size_bytes: 1 }
    mistral.next({ status: 200, body: { pages: [{ markdown: 'a' }], model: OCR, usage_info } })
    const response = await read({ document: pdf(3), document_annotation_format: format })
    expect(await charged(response)).toBe(3 * PAGE + DESCRIBED)
  })

  test('is not to be had where it has no price', async () => {
    const asked = { document: pdf(3), document_annotation_format: format }
    await rig.setOption('ToolPrice', '{"file_search":2.5}')
    const refused = await until(async () => {
      const response = await read(asked)
      return response.status === 400 ? response : undefined
    })
    expect((await refused.json()).error.message).toContain('document_annotation_format')
    expect(await charged(refused)).toBeUndefined()
    const before = mistral.requests.length
    expect((await read(asked)).status).toBe(400)
    expect(mistral.requests.length).toBe(before)
    await rig.setOption('ToolPrice', '{"ocr_annotation":0}')
    const free = await until(async () => {
      const response = await read(asked)
      return response.ok ? response : undefined
    })
    expect(await charged(free)).toBe(3 * PAGE)
  })
})

describe('what is set aside', () => {
  const balance = async (): Promise<number> =>
    Number(
      (
        await rig.store.db
          .selectFrom('users')
          .select('quota')
          .where('id', '=', scarceUser)
          .executeTakeFirstOrThrow()
      ).quota,
    )

  test('who cannot pay for one page, or for those that are named, is refused before anybody is asked', async () => {
    const before = mistral.requests.length
    const refused: [JsonObject, string][] = [
      [{ document: pdf(1) }, poor],
      [{ document: pdf(1), pages: [0] }, poor],
      [{ document: pdf(50), pages: '0-10' }, scarce],
    ]
    for (const [body, by] of refused) {
      const response = await read(body, by)
      expect([body, response.status]).toEqual([body, 403])
      expect((await response.json()).error.code).toBe('insufficient_user_quota')
    }
    expect(mistral.requests.length).toBe(before)
    expect(await balance()).toBe(10 * PAGE)
  })

  test('a document of unknown length costs its pages, though less is left than it might have cost', async () => {
    const response = await read({ document: pdf(4) }, scarce)
    expect(response.status).toBe(200)
    expect(await charged(response)).toBe(4 * PAGE)
    expect(await balance()).toBe(6 * PAGE)
  })

  test('one that is longer than there is money for takes all that there is', async () => {
    const response = await read({ document: pdf(40) }, scarce)
    expect(await charged(response)).toBe(6 * PAGE)
    expect(await balance()).toBe(0)
  })

  test('many at once cost no more than there is, whatever they turn out to be', async () => {
    const userId = await rig.addUser({ quota: 10 * PAGE })
    const { key: crowded } = await rig.addToken({ userId })
    const answers = await Promise.all(Array.from({ length: 12 }, () => read({ document: pdf(3) }, crowded)))
    const charges = await Promise.all(answers.map(charged))
    const sum = charges.reduce<number>((all, one) => all + (one ?? 0), 0)
    expect(answers.map(({ status }) => status).filter(status => status !== 200 && status !== 403)).toEqual([])
    expect(answers.some(({ ok }) => ok)).toBe(true)
    const user = await rig.store.db.selectFrom('users').select('quota').where('id', '=', userId).execute()
    expect([sum <= 10 * PAGE, Number(user[0]?.quota)]).toEqual([true, 10 * PAGE - sum])
  })

  test('a vendor that fails is not paid', async () => {
    mistral.next(mistral.failWith('bad-request'))
    const failed = await read({ document: pdf(3) })
    expect(failed.status).toBe(400)
    expect(await charged(failed)).toBeUndefined()
    for (const body of [{ pages: [], model: OCR }, { text: 'hello' }]) {
      mistral.next({ status: 200, body })
      const response = await read({ document: pdf(3) })
      expect(response.status).toBeGreaterThanOrEqual(500)
      expect(await charged(response)).toBeUndefined()
    }
  })
})

test('what Mistral knows and we do not passes as it is, and so do bytes', async () => {
  const body = { document: pdf(2), include_image_base64: false, table_format: 'html', brand_new: { a: 1 } }
  expect((await read(body)).status).toBe(200)
  expect(JSON.parse(mistral.requests.at(-1)?.text ?? '')).toEqual({ model: OCR, ...body })
})

test.each<[JsonObject, string]>([
  [{}, 'document'],
  [{ document: 'https://a.example/a.pdf' }, 'document'],
  [{ document: { type: 'pdf' } }, 'document.type'],
  [{ document: { type: 'document_url' } }, 'document.document_url'],
  [{ document: { type: 'image_url', image_url: {} } }, 'document.image_url'],
  [{ document: { type: 'file' } }, 'document.file_id'],
  [{ document: pdf(3), pages: 'all' }, 'pages'],
  [{ document: pdf(3), pages: '4-2' }, 'pages'],
  [{ document: pdf(3), pages: [-1] }, 'pages'],
  [{ document: pdf(3), pages: { from: 1 } as Json }, 'pages'],
  [{ document: pdf(3), pages: '0-1000' }, 'pages'],
  [{ document: pdf(3), Pages: [0] }, 'Pages'],
  [{ document: { type: 'document_url', document_url: 'gs://bucket/a.pdf' } }, 'document.document_url'],
])('%j is refused by name, and nothing is held', async (body, name) => {
  const before = mistral.requests.length
  const response = await read(body)
  const { error } = await response.json()
  expect([response.status, error.type]).toEqual([400, 'new_api_error'])
  expect(error.message).toContain(name)
  expect(await charged(response)).toBeUndefined()
  expect(mistral.requests.length).toBe(before)
})

test('a channel that reads no documents is not asked, nor is one that has a model of another name', async () => {
  const response = await read({ model: 'gpt-ocr', document: pdf(3) })
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(openai.requests).toEqual([])
})

test('lists say what it is for, and what a page costs', async () => {
  const headers = { authorization: `Bearer ${key}` }
  const { data } = await (await fetch(`${rig.url}/v1/models`, { headers })).json()
  const told = Object.fromEntries(
    data.map((model: JsonObject) => [model.id, model.supported_endpoint_types]),
  ) as JsonObject
  expect([told[OCR], told['mistral-small-latest']]).toEqual([['ocr'], expect.arrayContaining(['openai'])])
  const prices = await (await fetch(`${rig.url}/api/pricing`)).json()
  expect(prices.data).toContainEqual(
    expect.objectContaining({ model_name: OCR, owner_by: 'Mistral', quota_type: 1, model_price: 0.004 }),
  )
})
