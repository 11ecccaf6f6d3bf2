import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../server/dialects/json.ts'
import { until } from '../../program.ts'
import type { FakeUpstream } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { anthropic, ask, chat, gemini, responses, vendorIn, type Way } from '../ways.ts'

// What a request holds, only its vendor knows. However it is said, many calls at once cost no more than there is,
// as far as that can be known before; and little more than that where it cannot.

const ASKED_AT_ONCE = 16
let rig: Rig
const fakes = new Map<Way, FakeUpstream>()
/** Each token costs one, in and out. */
const models = new Map<Way, string>([
  [chat, 'm-chat'],
  [responses, 'm-responses'],
  [anthropic, 'm-claude'],
  [gemini, 'm-gemini'],
])
/** The first is known for how it counts pictures, the second is not. */
const lookers = ['gpt-4o-mini', 'm-looker'] as const

beforeAll(async () => {
  for (const way of models.keys()) fakes.set(way, await way.start())
  rig = await openRig(async books => {
    const one = JSON.stringify(Object.fromEntries([...models.values(), ...lookers].map(model => [model, 1])))
    for (const option of ['ModelRatio', 'CompletionRatio', 'CacheRatio', 'CreateCacheRatio'])
      await books.setOption(option, one)
    for (const [way, { url, key }] of fakes)
      await books.addChannel({
        ...{ type: way.channelType, baseUrl: url, key, models: modelsOf(way) },
        ...(way === responses ? { setting: { dialects: ['openai-responses'] } } : {}),
      })
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  await rig.close()
  for (const fake of fakes.values()) await fake.stop()
})

const modelsOf = (way: Way): readonly string[] => [models.get(way) ?? '', ...(way === chat ? lookers : [])]

/** How much the vendor asks for everything, of somebody who had so much, when each call is so many tokens there. */
async function spentBy(
  way: Way,
  quota: number,
  each: number,
  more: JsonObject,
  model = models.get(way) ?? '',
): Promise<number> {
  const fake = vendorOf(way)
  const id = await rig.addUser({ quota })
  const { key } = await rig.addToken({ userId: id })
  const { promise: all, resolve } = Promise.withResolvers<void>()
  fake.always(async () => {
    await all
    return { usage: told => ({ ...told, ...tokens(way, each) }) }
  })
  const before = fake.requests.length
  const asked = (): number => fake.requests.length - before
  let refused = 0
  const asking = Array.from({ length: ASKED_AT_ONCE }, async () => {
    const response = await ask(rig.url, way, { key, model, more, stream: true })
    if (response.status === 403) refused++
    await response.text()
    return response.status
  })
  await until(() => asked() + refused === ASKED_AT_ONCE)
  resolve()
  const statuses = await Promise.all(asking)
  expect(statuses.filter(status => status !== 200 && status !== 403)).toEqual([])
  expect(asked()).toBeGreaterThan(0)
  expect(await rig.balance(id)).toBeGreaterThanOrEqual(0)
  return asked() * each
}

const vendorOf = (way: Way): FakeUpstream => vendorIn(fakes, way)

function tokens(way: Way, count: number): JsonObject {
  if (way === chat) return { prompt_tokens: count, completion_tokens: 1, total_tokens: count + 1 }
  if (way === gemini) return { promptTokenCount: count, totalTokenCount: count }
  return { input_tokens: count }
}

const said = (way: Way, content: unknown): JsonObject =>
  way === responses
    ? { input: [{ role: 'user', content }] as never }
    : way === gemini
      ? { contents: [{ role: 'user', parts: content }] as never }
      : { messages: [{ role: 'user', content }] as never }

describe('what is read word by word is held for, whatever it looks like', () => {
  const sentence = 'the_quick_brown_fox_jumps_over_the_lazy_dog-'
  const long = sentence.repeat(2000)
  const prose = 'the quick brown fox. '.repeat(4000)
  const cases: [string, Way, JsonObject, number][] = [
    ['chat: like an address', chat, said(chat, `data:${prose}`), 20_000],
    ['chat: like a picture', chat, said(chat, `data:image/png;base64,${prose}`), 20_000],
    ['chat: like base64', chat, said(chat, [{ type: 'text', text: long }]), 30_000],
    ['responses: like base64', responses, { input: long }, 30_000],
    ['gemini: like base64', gemini, said(gemini, [{ text: long }]), 30_000],
    [
      'anthropic: a text file',
      anthropic,
      said(anthropic, [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: long } }]),
      30_000,
    ],
    [
      'anthropic: what a tool was given',
      anthropic,
      {
        messages: [
          { role: 'user', content: 'draw' },
          {
            role: 'assistant',
            content: [
              {
                ...{ type: 'tool_use', id: 'toolu_1', name: 'draw' },
                input: { source: { type: 'base64', media_type: 'image/png', data: long } },
              },
            ],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'drawn' }] },
        ],
      },
      30_000,
    ],
    ['chat: Chinese', chat, said(chat, '天地玄黄宇宙洪荒'.repeat(4000)), 45_000],
  ]
  test.each(cases)('%s', async (_, way, more, each) => {
    const quota = 110_000
    expect(await spentBy(way, quota, each, more)).toBeLessThanOrEqual(quota)
  })
})

describe('files whose length only the vendor knows', () => {
  const pdf = `JVBERi0xLjcK${'QUJD'.repeat(100_000)}`
  const sound = `SUQzBAAA${'QUJD'.repeat(500_000)}`
  const cases: [string, Way, JsonObject, number][] = [
    [
      'chat: a PDF',
      chat,
      said(chat, [
        { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` } },
      ]),
      300_000,
    ],
    [
      'chat: one that calls itself a picture',
      chat,
      said(chat, [{ type: 'file', file: { filename: 'a.pdf', file_data: `data:image/png;base64,${pdf}` } }]),
      300_000,
    ],
    [
      'responses: a PDF',
      responses,
      said(responses, [
        { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` },
      ]),
      300_000,
    ],
    [
      'responses: one elsewhere',
      responses,
      said(responses, [{ type: 'input_file', file_url: 'https://files.example/a.pdf' }]),
      300_000,
    ],
    [
      'anthropic: a PDF',
      anthropic,
      said(anthropic, [
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: pdf } },
      ]),
      300_000,
    ],
    [
      'anthropic: one elsewhere',
      anthropic,
      said(anthropic, [{ type: 'document', source: { type: 'url', url: 'https://files.example/a.pdf' } }]),
      300_000,
    ],
    [
      'gemini: a film',
      gemini,
      said(gemini, [{ inlineData: { mimeType: 'video/mp4', data: pdf.slice(12) } }]),
      300_000,
    ],
    [
      'gemini: one elsewhere',
      gemini,
      said(gemini, [{ fileData: { fileUri: 'https://films.example/a', mimeType: 'video/mp4' } }]),
      300_000,
    ],
    [
      'chat: sound',
      chat,
      said(chat, [{ type: 'input_audio', input_audio: { data: sound, format: 'mp3' } }]),
      15_000,
    ],
  ]
  test.each(cases)('%s', async (_, way, more, each) => {
    const quota = each * 1.5
    // One that uses up all, one in half of the rest, and so on: more than these at once there are not.
    expect(await spentBy(way, quota, each, more)).toBeLessThanOrEqual(quota * 4)
  })
})

describe('what tools of the vendor’s own find is held for', () => {
  const tools = [{ type: 'web_search' }]
  const server = { type: 'mcp', server_label: 'docs', server_url: 'https://docs.example/mcp' }
  const limited = { max_output_tokens: 100 }
  const cases: [string, Way, JsonObject][] = [
    ['responses: on the web', responses, { ...said(responses, 'Look.'), tools, ...limited }],
    [
      'responses: by a server of the client’s',
      responses,
      { ...said(responses, 'Look.'), tools: [{ ...server, require_approval: 'never' }], ...limited },
    ],
    [
      'anthropic: on the web',
      anthropic,
      {
        ...said(anthropic, 'Look.'),
        tools: [{ type: 'web_search_20250305', name: 'web_search' }],
        max_tokens: 100,
      },
    ],
  ]
  test.each(cases)('%s', async (_, way, more) => {
    const each = 100_000
    const quota = each * 1.5
    expect(await spentBy(way, quota, each, more)).toBeLessThanOrEqual(quota * 4)
  })
})

describe('who has an answer said to a server of theirs and leaves before it is here pays for it', () => {
  const url = 'https://mine.example/mcp'
  const served: [string, Way, JsonObject][] = [
    [
      'responses',
      responses,
      { tools: [{ type: 'mcp', server_label: 'mine', server_url: url, require_approval: 'never' }] },
    ],
    ['anthropic', anthropic, { mcp_servers: [{ type: 'url', name: 'mine', url }] }],
  ]
  const cases = served.flatMap(one => [false, true].map(stream => [...one, stream] as const))

  async function leave(way: Way, more: JsonObject, stream: boolean) {
    const fake = vendorOf(way)
    const id = await rig.addUser({ quota: 1_000_000 })
    const { key } = await rig.addToken({ userId: id })
    const others = await rig.addToken({ userId: await rig.addUser() })
    const { promise: left, resolve } = Promise.withResolvers<void>()
    fake.always(async () => {
      await left
      return { usage: told => ({ ...told, ...tokens(way, 5000) }) }
    })
    const before = fake.requests.length
    const gone = new AbortController()
    const asking = ask(rig.url, way, {
      key,
      model: models.get(way) ?? '',
      more: { ...more, ...(way === responses ? { max_output_tokens: 100 } : {}) },
      stream,
      signal: gone.signal,
    })
    await until(() => fake.requests.length > before)
    gone.abort()
    await asking.catch(() => {})
    // That they have left is known by the time that others have been served.
    vendorOf(gemini).always({})
    for (let calls = 0; calls < 3; calls++)
      await (await ask(rig.url, gemini, { key: others.key, model: 'm-gemini' })).text()
    return { id, resolve }
  }

  test.each(cases)('%s', async (_, way, more, stream) => {
    const { id, resolve } = await leave(way, more, stream)
    resolve()
    await until(async () => (await rig.balance(id)) < 1_000_000 && (await rig.differences()).length === 0)
    const spent = 1_000_000 - (await rig.balance(id))
    expect([spent >= 5000, spent < 6000]).toEqual([true, true])
  })

  test('and for nothing where nobody else can have heard it', async () => {
    const { id, resolve } = await leave(responses, {}, true)
    await until(async () => (await rig.balance(id)) === 1_000_000)
    resolve()
  })
})

describe('pictures that are many tokens are held for as such', () => {
  const pictures = (url: string) =>
    said(
      chat,
      Array.from({ length: 4 }, () => ({ type: 'image_url', image_url: { url, detail: 'high' } })),
    )
  const small = `data:image/png;base64,iVBORw0KGgo${'QUJD'.repeat(500)}`
  const limited = { max_tokens: 16 }
  const [named, seen] = lookers

  test.each([
    ['elsewhere', 'https://pictures.example/a.png'],
    ['of few letters', small],
  ])('by a model that is known for it, %s', async (_, url) => {
    const quota = 450_000
    const more = { ...pictures(url), ...limited }
    expect(await spentBy(chat, quota, 4 * 25_501, more, named)).toBeLessThanOrEqual(quota)
  })

  test.each([false, true])('by one that has told so in an answer, streamed %p', async stream => {
    const each = stream ? 16_000 : 12_000
    const more = { ...pictures(small), ...limited }
    const { key } = await rig.addToken({ userId: await rig.addUser() })
    vendorOf(chat).always(() => ({ usage: told => ({ ...told, ...tokens(chat, 4 * each + 100) }) }))
    await (await ask(rig.url, chat, { key, model: seen, more, stream })).text()
    // Enough for two; what is left is too little to begin with.
    const quota = 8 * each + 400
    expect(await spentBy(chat, quota, 4 * each, more, seen)).toBe(8 * each)
  })
})

test('a picture inside of a request is held for as a picture, not by its length', async () => {
  const url = `data:image/png;base64,iVBORw0KGgo${'QUJD'.repeat(100_000)}`
  const more = said(chat, [{ type: 'image_url', image_url: { url } }])
  const id = await rig.addUser({ quota: 9000 })
  const { key } = await rig.addToken({ userId: id })
  const response = await ask(rig.url, chat, { key, model: 'm-chat', more: { ...more, max_tokens: 2000 } })
  expect(response.status).toBe(200)
  expect(vendorOf(chat).requests.at(-1)?.json).toMatchObject({ max_tokens: 2000 })
})
