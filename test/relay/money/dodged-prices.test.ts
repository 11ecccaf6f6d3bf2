import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { asArray, asObject, type JsonObject } from '../../../server/dialects/json.ts'
import type { FakeUpstream } from '../../upstreams/index.ts'
import { openRig, type Rig } from '../rig.ts'
import { anthropic, ask, chat, gemini, requestIdOf, responses, ways } from '../ways.ts'

// What would make an upstream do something dearer than what is looked at and charged here.

const model = 'm-cheap'
const generous = 'm-generous'
const series = 'm-series'
let rig: Rig
let key = ''
let fake: FakeUpstream

beforeAll(async () => {
  fake = await chat.start({
    accept: [
      'sequential_image_generation',
      'sequential_image_generation_options',
      'extra_body',
      'provider',
      'providerOptions',
    ],
  })
  rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser() })).key
    await books.setOption('ModelRatio', JSON.stringify({ [model]: 1, [generous]: 1 }))
    await books.setOption('ModelPrice', JSON.stringify({ [series]: 0.02 }))
    await books.setOption('RetryTimes', '0')
    const channel = { type: chat.channelType, baseUrl: fake.url, key: fake.key }
    await books.addChannel({ ...channel, models: [model, series] })
    await books.addChannel({ ...channel, models: [generous], setting: { allow_service_tier: true } })
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  await rig.close()
  await fake.stop()
})

function post(path: string, body: string): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return fetch(rig.url + path, { method: 'POST', headers, body })
}

const lastSent = (): JsonObject => asObject(fake.requests.at(-1)?.json) ?? {}

describe('a name that some readers take for another', () => {
  test('is refused in every dialect, and nobody is asked', async () => {
    const asked = fake.requests.length
    const odd: readonly JsonObject[] = [
      { Model: 'm-dear' },
      { ſervice_tier: 'priority' },
      { Background: true },
      { 'previou\u017f_response_id': 'resp_1' },
      { TOOLS: [] },
      // What is held is reckoned by these, and the upstream would go by the other.
      { max_tokens: 1, Max_Tokens: 60_000 },
      { max_output_tokens: 16, MAX_OUTPUT_TOKENS: 60_000 },
      { generationConfig: { maxOutputTokens: 1 }, GenerationConfig: { maxOutputTokens: 60_000 } },
      // Rules read these, and the upstream would go by the other.
      { SystemInstruction: { parts: [{ text: 'hi' }] } },
      { Contents: [] },
      // Those of Google's that have capitals are others without them, too.
      { generationConfig: { maxOutputTokens: 1 }, generationconfig: { maxOutputTokens: 60_000 } },
      { systeminstruction: { parts: [{ text: 'hi' }] } },
      // Without its usage, a stream would cost what can be seen of it alone.
      { Stream_Options: { include_usage: false } },
      { stream_options: { include_usage: true, Include_Usage: false } },
      { Extra_Body: { n: 9 } },
      { tools: [{ Type: 'builtin_function', function: { name: '$web_search' } }] },
    ]
    for (const way of ways)
      for (const more of odd) {
        const answer = await ask(rig.url, way, { key, model, more })
        expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('必须写作')])
      }
    expect(fake.requests.length).toBe(asked)
  })

  test('is refused where pictures, numbers and videos are asked for', async () => {
    const asked = fake.requests.length
    const bodies: Record<string, JsonObject> = {
      '/v1/images/generations': { prompt: 'a fox', N: 10 },
      '/v1/images/edits': { prompt: 'a story', sequential_image_generation_options: { Max_Images: 15 } },
      '/v1/embeddings': { input: 'a', Model: 'm-dear' },
      '/v1/videos': { prompt: 'a fox', seconds: '4', Seconds: '12' },
    }
    for (const [path, body] of Object.entries(bodies))
      expect((await post(path, JSON.stringify({ model, ...body }))).status).toBe(400)
    expect(fake.requests.length).toBe(asked)
  })

  test('is refused in what Google’s requests have a place of its own for', async () => {
    const asked = fake.requests.length
    const others = [{ MaxOutputTokens: 60_000 }, { maxOutputTokenſ: 60_000 }, { maxoutputtokens: 60_000 }]
    for (const odd of [...others, { CandidateCount: 8 }, { candidatecount: 8 }]) {
      const more = { generationConfig: { maxOutputTokens: 1, ...odd } }
      const answer = await ask(rig.url, gemini, { key, model, more })
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('必须写作')])
    }
    expect(fake.requests.length).toBe(asked)
  })

  test('is no matter where nothing is charged by it', async () => {
    const more = { generationConfig: { maxOutputTokens: 9, TopK: 3 }, systemInstruction: { parts: [] } }
    expect((await ask(rig.url, gemini, { key, model, more })).status).toBe(200)
  })
})

test('a model that is named twice, however it is written, is the one that is paid', async () => {
  const twice = String.raw`{"mod\u0065l":"m-dear","model":"${model}"`
  await post('/v1/chat/completions', `${twice},"messages":[{"role":"user","content":"hi"}]}`)
  expect(fake.requests.at(-1)?.text).not.toContain('m-dear')
  await post('/v1/embeddings', `{"model":"m-dear","model":"${model}","input":"hi"}`)
  expect(fake.requests.at(-1)?.text).not.toContain('m-dear')
})

test('other models that an upstream could turn to do not reach it', async () => {
  const dear = [{ [model]: ['m-dear'] }]
  const more = {
    ...{ models: ['m-dear'], fallbacks: ['m-dear'], preset: 'dear' },
    ...{ context_window_fallbacks: dear, content_policy_fallbacks: dear },
    context_window_fallback_dict: { [model]: 'm-dear' },
    // Makes a gateway behave as if the model that is paid for had failed.
    mock_testing_fallbacks: true,
    // Would have it serve the call elsewhere, with the operator's key.
    ...{ api_base: 'https://dear', base_url: 'https://dear', api_key: 'dear', custom_llm_provider: 'dear' },
    ...{ route: 'dear', specific_deployment: 'dear', user_config: { model_list: ['dear'] } },
  }
  for (const name of [model, generous])
    for (const way of [chat, responses, anthropic]) {
      expect((await ask(rig.url, way, { key, model: name, more })).status).toBe(200)
      expect(fake.requests.at(-1)?.text).not.toMatch(/dear|mock/)
    }
  expect((await post('/v1/embeddings', JSON.stringify({ model, input: 'a', ...more }))).status).toBe(200)
  expect(fake.requests.at(-1)?.text).not.toContain('dear')
})

test('nor does whom it is to turn to for a model, of vendors with different prices', async () => {
  const wish = { order: ['dear'], sort: 'throughput', Sort: 'latency', preferred_max_latency: 1 }
  const sentFor = async (name: string, provider: JsonObject) => {
    expect((await ask(rig.url, chat, { key, model: name, more: { provider } })).status).toBe(200)
    return lastSent().provider
  }
  expect(await sentFor(model, wish)).toBeUndefined()
  expect(await sentFor(model, { ...wish, data_collection: 'deny' })).toEqual({ data_collection: 'deny' })
  expect(await sentFor(generous, { only: ['dear'] })).toEqual({ only: ['dear'] })
  const drawing = { model: series, prompt: 'a fox', provider: { ...wish, zdr: true } }
  expect((await post('/v1/images/generations', JSON.stringify(drawing))).status).toBe(200)
  expect(lastSent().provider).toEqual({ zdr: true })
  const opened = { model: generous, prompt: 'a fox', provider: { only: ['dear'] } }
  expect((await post('/v1/images/generations', JSON.stringify(opened))).status).toBe(200)
  expect(lastSent().provider).toEqual({ only: ['dear'] })
  const asked = fake.requests.length
  for (const provider of [{ only: ['dear'] }, { ignore: ['cheap'] }, { Quantizations: ['bf16'] }]) {
    const answer = await ask(rig.url, chat, { key, model, more: { provider } })
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('provider.')])
  }
  expect(fake.requests.length).toBe(asked)
})

test('nor does what a gateway would take for a completion as for a chat, and nobody counts', async () => {
  const dear = {
    ...{ service_tier: 'priority', plugins: [{ id: 'web', max_results: 10 }] },
    ...{ web_search_options: {}, provider: { sort: 'throughput' } },
  }
  expect((await post('/v1/completions', JSON.stringify({ model, prompt: 'hi', ...dear }))).status).toBe(200)
  expect(lastSent()).toEqual({ model, prompt: 'hi' })
  // OpenAI itself would refuse it.
  await post('/v1/completions', JSON.stringify({ model: generous, prompt: 'hi', ...dear }))
  expect(lastSent()).toMatchObject(dear)
})

test('nor do models and vendors that Vercel’s gateway could turn to', async () => {
  const gateway = { models: ['dear'], only: ['dear'] }
  for (const more of [{}, { anthropic: { effort: 'low' } }]) {
    const providerOptions = { gateway, ...more }
    expect((await ask(rig.url, chat, { key, model, more: { providerOptions } })).status).toBe(200)
    expect(lastSent().providerOptions ?? {}).toEqual(more)
  }
})

test('nor does what it could put over what is paid for', async () => {
  const google = { thinking_config: { include_thoughts: true } }
  const provider = { only: ['dear'] }
  const extra_body = {
    model: 'm-dear',
    Models: ['m-dear'],
    n: 9,
    max_tokens: 99,
    preset: 'dear',
    stream_options: { include_usage: false },
    google,
    provider,
  }
  for (const name of [model, generous]) {
    expect((await ask(rig.url, chat, { key, model: name, more: { extra_body } })).status).toBe(200)
    expect(lastSent().extra_body).toEqual({ google })
  }
})

test('a series of pictures is paid picture by picture', async () => {
  const data = Array.from({ length: 12 }, (_, at) => ({ url: `https://pictures.example/${at}.png` }))
  const wishes: JsonObject[] = [{ sequential_image_generation_options: { max_images: 12 } }, {}]
  for (const wish of wishes) {
    fake.next({ status: 200, body: { created: 1, data } })
    const body = { model: series, prompt: 'a story', sequential_image_generation: 'auto', ...wish }
    const response = await post('/v1/images/generations', JSON.stringify(body))
    expect(response.status).toBe(200)
    expect(await rig.chargeOf(requestIdOf(response))).toBe(12 * 10_000)
  }
})

describe('a series of pictures in which each is told when it is made', () => {
  const made = (at: number) => ({
    type: 'image_generation.partial_succeeded',
    image_index: at,
    url: 'https://p',
  })
  const failed = {
    ...{ type: 'image_generation.partial_failed', image_index: 2 },
    error: { code: 'OutputImageSensitiveContentDetected', message: 'not fit to be shown' },
  }
  const end = (count: number) => ({
    type: 'image_generation.completed',
    usage: { generated_images: count, output_tokens: count * 4096, total_tokens: count * 4096 },
  })
  const wish = { prompt: 'a story', stream: true, sequential_image_generation: 'auto' }

  async function draw(name: string, ...events: { readonly type: string }[]) {
    const frames = events.map(one => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`)
    if (events.at(-1)?.type.endsWith('.completed')) frames.push('data: [DONE]\n\n')
    const headers = { 'Content-Type': 'text/event-stream' }
    fake.next({ status: 200, headers, body: frames.join('') })
    const response = await post('/v1/images/generations', JSON.stringify({ model: name, ...wish }))
    const text = await response.text()
    return { text, frames, charge: await rig.chargeOf(requestIdOf(response)) }
  }

  test('is paid picture by picture', async () => {
    const twelve = Array.from({ length: 12 }, (_, at) => made(at))
    expect((await draw(series, ...twelve, end(12))).charge).toBe(12 * 10_000)
  })

  test('goes on when one of them fails, which is not paid, nor are the others given away', async () => {
    const { text, frames, charge } = await draw(series, made(0), made(1), failed, made(3), end(3))
    expect([text, charge]).toEqual([frames.join(''), 3 * 10_000])
    expect((await draw(series, failed, end(0))).charge === 0).toBe(true)
  })

  test('is paid as far as it came where it breaks off', async () => {
    expect((await draw(series, made(0), made(1))).charge).toBe(2 * 10_000)
  })

  test('by the token costs each token once, though the vendor counts none that it read', async () => {
    expect((await draw(model, made(0), made(1), end(2))).charge).toBe(2 * 4096)
  })

  test('that is too large to be held is paid by those that are in it', async () => {
    const data = Array.from({ length: 3 }, () => ({ b64_json: 'A'.repeat(12 * 1024 * 1024) }))
    fake.next({ status: 200, body: { created: 1, data } })
    const body = JSON.stringify({ model: series, ...wish, stream: false, response_format: 'b64_json' })
    const response = await post('/v1/images/generations', body)
    expect((await response.json()).data).toHaveLength(3)
    expect(await rig.chargeOf(requestIdOf(response))).toBe(3 * 10_000)
  })

  test('that comes whole is paid by those in it that did not fail', async () => {
    fake.next({ status: 200, body: { created: 1, data: [{ url: 'https://p' }, { error: failed.error }] } })
    const body = JSON.stringify({ model: series, ...wish, stream: false })
    const response = await post('/v1/images/generations', body)
    expect(await rig.chargeOf(requestIdOf(response))).toBe(10_000)
  })
})

test('an answer that would be made later, for nobody to hear or pay, is not asked for', async () => {
  const asked = fake.requests.length
  for (const name of [model, generous])
    for (const more of [{ deferred: true }, { Deferred: true }]) {
      const answer = await ask(rig.url, chat, { key, model: name, more })
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('deferred')])
    }
  expect(fake.requests.length).toBe(asked)
  const more = { deferred: false, extra_body: { deferred: true } }
  await (await ask(rig.url, chat, { key, model, more })).text()
  expect([lastSent().deferred, lastSent().extra_body]).toEqual([false, {}])
})

test('a name for repeated calls is each token’s own at the shared upstream', async () => {
  const other = (await rig.addToken({ userId: await rig.addUser() })).key
  const sent = async (token: string): Promise<string | undefined> => {
    const headers = { 'idempotency-key': 'order-1' }
    expect((await ask(rig.url, chat, { key: token, model, headers })).status).toBe(200)
    return fake.requests.at(-1)?.headers['idempotency-key']
  }
  const [first, again, others] = [await sent(key), await sent(key), await sent(other)]
  expect(first).toMatch(/^[0-9a-f]{64}$/)
  expect(again).toBe(first as string)
  expect(others).not.toBe(first as string)
})

describe('a tool that the vendor asks for by the piece, and that nobody counts', () => {
  const look = { type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }
  const posts = { type: 'x_search', from_date: '2026-01-01' }

  test('is left out among others', async () => {
    const tools = [look, posts, { type: 'advisor_20260301' }]
    expect((await ask(rig.url, responses, { key, model, more: { tools } })).status).toBe(200)
    expect(asArray(lastSent().tools).map(tool => asObject(tool)?.type)).toEqual(['function'])
  })

  test('is left out of a chat, or refused, where it is Moonshot’s', async () => {
    const search = { type: 'builtin_function', function: { name: '$web_search' } }
    const tools = [{ type: 'function', function: { name: 'look', parameters: look.parameters } }, search]
    expect((await ask(rig.url, chat, { key, model, more: { tools } })).status).toBe(200)
    expect(asArray(lastSent().tools).map(tool => asObject(tool)?.type)).toEqual(['function'])
    const asked = fake.requests.length
    const alone = await ask(rig.url, chat, { key, model, more: { tools: [search] } })
    expect([alone.status, await alone.text()]).toEqual([400, expect.stringContaining('builtin_function')])
    expect(fake.requests.length).toBe(asked)
  })

  test('is refused when nothing else will do', async () => {
    const asked = fake.requests.length
    const wishes = [{ tools: [posts] }, { tools: [look, posts], tool_choice: { type: 'x_search' } }]
    for (const more of wishes) {
      const answer = await ask(rig.url, responses, { key, model, more })
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('x_search')])
    }
    expect(fake.requests.length).toBe(asked)
  })

  test('passes where the operator lets it', async () => {
    expect((await ask(rig.url, responses, { key, model: generous, more: { tools: [posts] } })).status).toBe(
      200,
    )
    expect(lastSent().tools).toEqual([posts])
  })
})
