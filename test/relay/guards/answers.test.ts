import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../server/dialects/json.ts'
import { type FakeUpstream, startAnthropic, startMistral, startOpenai } from '../../upstreams/index.ts'
import { startPerplexity } from '../../upstreams/perplexity/start.ts'
import { startTavily } from '../../upstreams/tavily/start.ts'
import { openRig, type Rig } from '../rig.ts'
import { readStream, requestIdOf } from '../ways.ts'

// Where words stand in answers besides what is said in a chat.

const rule = { enabled: true, where: ['output'], groups: [], models: [] }
const RULES = [
  { ...rule, name: 'people', looks: { by: 'kinds', kinds: ['email'] }, action: 'mask' },
  { ...rule, name: 'fruit', looks: { by: 'words', words: ['forbidden'] }, action: 'block' },
]
const SAID = 'mail ada@example.com now'
const MASKED = 'mail [email] now'
const BLOCKED = 'a forbidden fruit'
const OCR = 'mistral-ocr-latest'
const SEARCH = 'perplexity-search'

let rig: Rig
let openai: FakeUpstream
let anthropic: FakeUpstream
let mistral: FakeUpstream
let perplexity: FakeUpstream
let tavily: FakeUpstream
let key = ''

beforeAll(async () => {
  openai = await startOpenai()
  anthropic = await startAnthropic()
  mistral = await startMistral()
  perplexity = await startPerplexity()
  tavily = await startTavily()
  rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser() })).key
    await books.setOption('Guards', JSON.stringify(RULES))
    const models = ['gpt-4o', 'rerank-2', 'dall-e-3']
    await books.addChannel({ type: 1, baseUrl: openai.url, key: openai.key, models })
    await books.addChannel({ type: 14, baseUrl: anthropic.url, key: anthropic.key, models: ['claude'] })
    await books.addChannel({ type: 42, baseUrl: mistral.url, key: mistral.key, models: [OCR] })
    await books.addChannel({ type: 27, baseUrl: perplexity.url, key: perplexity.key, models: [SEARCH] })
    await books.addChannel({ type: 1002, baseUrl: tavily.url, key: tavily.key, models: ['tavily-search'] })
    await books.setOption('ModelRatio', JSON.stringify({ 'rerank-2': 1, claude: 1 }))
  })
})
afterAll(async () => {
  const fakes = [openai, anthropic, mistral, perplexity, tavily]
  expect(fakes.flatMap(({ complaints }) => complaints)).toEqual([])
  expect(await rig.differences()).toEqual([])
  await rig.close()
  for (const fake of fakes) await fake.stop()
})

function post(path: string, body: JsonObject): Promise<Response> {
  const headers = {
    ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json', 'accept-language': 'en' },
    'anthropic-version': '2023-06-01',
  }
  return fetch(rig.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
}

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
const hi = [{ role: 'user', content: 'hi' }]
const chat = { model: 'gpt-4o', messages: hi }
const responses = { model: 'gpt-4o', input: 'hi' }
const document = { type: 'image_url', image_url: 'https://a.example/a.png' }
const usage_info = { pages_processed: 1, doc_size_bytes: 1 }

/** What is asked where, and an answer with a text in it. */
const shapes: Record<
  string,
  readonly [path: string, asked: JsonObject, answer: (said: string) => JsonObject]
> = {
  'what a search has found': [
    '/v1/alpha/search',
    { id: 'thread', model: 'gpt-4o', input: 'a fox', commands: { search_query: [{ q: 'foxes' }] } },
    output => ({ output }),
  ],
  'a document that is ranked': [
    '/v1/rerank',
    { model: 'rerank-2', query: 'a', documents: ['b'], return_documents: true },
    document => ({ results: [{ index: 0, relevance_score: 1, document }] }),
  ],
  'a document with fields': [
    '/v1/rerank',
    { model: 'rerank-2', query: 'a', documents: ['b'] },
    text => ({ results: [{ index: 0, relevance_score: 1, document: { title: 'a "b"', text } }] }),
  ],
  'a document as Voyage has it': [
    '/v1/rerank',
    { model: 'rerank-2', query: 'a', documents: ['b'] },
    document => ({ object: 'list', data: [{ index: 0, relevance_score: 1, document }], usage }),
  ],
  'the words that a picture was drawn by': [
    '/v1/images/generations',
    { model: 'dall-e-3', prompt: 'a fox' },
    revised_prompt => ({
      created: 1,
      data: [
        { revised_prompt: 'a "fox"\\', url: 'https://pictures.example/1.png' },
        { revised_prompt, b64_json: 'AAAA' },
      ],
    }),
  ],
  'what is spoken': [
    '/v1/chat/completions',
    chat,
    transcript => ({
      ...{ id: 'c', object: 'chat.completion', created: 1, model: 'gpt-4o', usage },
      choices: [
        {
          ...{ index: 0, finish_reason: 'stop' },
          message: { role: 'assistant', content: null, audio: { id: 'a', data: 'AAAA', transcript } },
        },
      ],
    }),
  ],
  'a thought among pieces': [
    '/v1/chat/completions',
    chat,
    text => ({
      ...{ id: 'c', object: 'chat.completion', created: 1, model: 'gpt-4o', usage },
      choices: [
        {
          ...{ index: 0, finish_reason: 'stop' },
          message: {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: [{ type: 'text', text }] },
              { type: 'text', text: 'hi' },
            ],
          },
        },
      ],
    }),
  ],
  'what a picture within an answer was drawn by': [
    '/v1/responses',
    responses,
    revised_prompt => ({
      ...{ id: 'resp_1', object: 'response', status: 'completed', model: 'gpt-4o', created_at: 1 },
      output: [{ type: 'image_generation_call', id: 'i', status: 'completed', result: 'AA', revised_prompt }],
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    }),
  ],
  'a page that was read': [
    '/v1/ocr',
    { model: OCR, document },
    markdown => ({
      pages: [
        { index: 0, markdown: 'a', images: [] },
        { index: 1, markdown, dimensions: { dpi: 200 } },
      ],
      ...{ model: OCR, usage_info },
    }),
  ],
  'a table of one': [
    '/v1/ocr',
    { model: OCR, document },
    content => ({
      pages: [{ index: 0, markdown: 'a', tables: [{ id: 'tbl-0.html', format: 'html', content }] }],
      ...{ model: OCR, usage_info },
    }),
  ],
  'what a picture in it shows': [
    '/v1/ocr',
    { model: OCR, document, bbox_annotation_format: { type: 'json_schema' } },
    shows => ({
      pages: [
        { markdown: 'a', images: [{ id: 'a', image_base64: 'AAAA', image_annotation: json({ shows }) }] },
      ],
      ...{ model: OCR, document_annotation: null, usage_info },
    }),
  ],
  'what was made of a document': [
    '/v1/ocr',
    { model: OCR, document, document_annotation_format: { type: 'json_schema' } },
    title => ({ pages: [{ markdown: 'a' }], model: OCR, document_annotation: json({ title }), usage_info }),
  ],
  'what was found on the web': [
    '/v1/search',
    { model: SEARCH, query: 'a' },
    snippet => ({ id: 's', results: [{ title: 'a', url: 'https://a.example/', snippet, date: null }] }),
  ],
  'what was found for each of several queries': [
    '/v1/search',
    { model: SEARCH, query: ['a', 'b'] },
    title => ({ id: 's', results: [[], [{ title, url: 'https://a.example/', snippet: 'a' }]] }),
  ],
  'what the vendor’s tool was called with': [
    '/v1/messages',
    { model: 'claude', max_tokens: 99, messages: hi },
    query => ({
      ...{ id: 'm', type: 'message', role: 'assistant', model: 'claude', stop_reason: 'end_turn' },
      content: [
        { type: 'server_tool_use', id: 't', name: 'web_search', input: { query } },
        { type: 'text', text: 'hi' },
      ],
      ...{ stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } },
    }),
  ],
}

function json(value: object): string {
  return JSON.stringify(value)
}

function vendorOf(path: string): FakeUpstream {
  const others = { '/v1/messages': anthropic, '/v1/ocr': mistral, '/v1/search': perplexity }
  return Object.hasOwn(others, path) ? others[path as keyof typeof others] : openai
}

test('and so is what was found in other words than those that are given', async () => {
  const asked = { model: 'tavily-search', query: 'a' }
  const found = (content: string) => ({ results: [{ title: 'a', url: 'https://a.example/', content }] })
  tavily.next({ status: 200, body: found(SAID) })
  expect(await (await post('/v1/search', asked)).text()).toContain(MASKED)
  tavily.next({ status: 200, body: found(BLOCKED) })
  const blocked = await post('/v1/search', asked)
  expect([blocked.status, await rig.chargeOf(requestIdOf(blocked))]).toEqual([400, undefined])
})

test('what a model may have told a server of the caller’s is paid, though its answer is blocked', async () => {
  const tools = [{ type: 'mcp', server_label: 'mine', server_url: 'https://mine.example/mcp' }]
  const output = [
    {
      ...{ type: 'message', id: 'msg_1', status: 'completed', role: 'assistant' },
      content: [{ type: 'output_text', text: BLOCKED, annotations: [] }],
    },
  ]
  const used = { input_tokens: 1000, output_tokens: 1000, total_tokens: 2000 }
  const answer = { id: 'resp_9', object: 'response', status: 'completed', model: 'gpt-4o', created_at: 1 }
  const ask = async (more: JsonObject) => {
    openai.next({ status: 200, body: { ...answer, output, usage: used } })
    const response = await post('/v1/responses', { ...responses, ...more })
    return { status: response.status, requestId: requestIdOf(response) }
  }
  const plain = await ask({})
  expect([plain.status, await rig.chargeOf(plain.requestId)]).toEqual([400, undefined])
  const told = await ask({ tools })
  expect([told.status, await rig.chargeOf(told.requestId)]).toEqual([400, expect.any(Number)])
  expect((await rig.logOf(told.requestId)).details.broke_off).toBe('guard')
})

test.each(Object.keys(shapes))('%s is masked, and blocked before it is paid', async name => {
  const [path, asked, answer] = shapes[name] ?? ['', {}, () => ({})]
  const fake = vendorOf(path)
  const answerWith = (said: string) => fake.next({ status: 200, body: answer(said) })
  answerWith(SAID)
  const masked = await post(path, asked)
  expect([masked.status, await masked.json()]).toEqual([200, answer(MASKED)])
  expect(await rig.chargeOf(requestIdOf(masked))).toBeDefined()
  expect((await rig.logOf(requestIdOf(masked))).details.admin_info).toMatchObject({ guards: { people: 1 } })
  answerWith(BLOCKED)
  const blocked = await post(path, asked)
  expect([blocked.status, await blocked.text()]).toEqual([400, expect.stringContaining('“fruit”')])
  expect(await rig.chargeOf(requestIdOf(blocked))).toBeUndefined()
  // What says nothing of the kind passes byte by byte.
  const plain = ` ${JSON.stringify(answer('a fox'))} `
  fake.next({ status: 200, headers: { 'Content-Type': 'application/json' }, body: Buffer.from(plain) })
  expect((await (await post(path, asked)).text()).trim()).toBe(plain.trim())
})

test('what a vendor has sealed of a search goes when the rest is masked', async () => {
  const sealed = { encrypted_output: 'gAAAA-sealed' }
  const asked = { id: 'thread', model: 'gpt-4o', input: 'a fox' }
  openai.next({ status: 200, body: { output: SAID, ...sealed } })
  expect(await (await post('/v1/alpha/search', asked)).json()).toEqual({ output: MASKED })
  openai.next({ status: 200, body: { output: 'a fox', ...sealed } })
  expect(await (await post('/v1/alpha/search', asked)).json()).toEqual({ output: 'a fox', ...sealed })
})

test('a picture too large to be parsed is read all the same', async () => {
  const answer = (prompt: string) =>
    `{"created":1,"data":[{"b64_json":"${'A'.repeat(6 * 1024 * 1024)}","revised_prompt" : "é ${prompt}"}]}`
  openai.next({ body: new TextEncoder().encode(answer(SAID)) })
  const response = await post('/v1/images/generations', { model: 'dall-e-3', prompt: 'a fox' })
  expect((await response.text()) === answer(MASKED)).toBe(true)
})

describe('in a stream', () => {
  const sse = (frames: readonly JsonObject[]) => ({
    status: 200,
    headers: { 'Content-Type': 'text/event-stream' },
    body: frames.map(frame => `data: ${JSON.stringify(frame)}\n\n`).join(''),
  })
  const chunk = (delta: JsonObject, finish_reason: string | null = null) => ({
    ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o' },
    choices: [{ index: 0, delta, finish_reason }],
  })
  const chunks = (deltas: readonly JsonObject[]) => {
    const { body, ...rest } = sse([
      ...deltas.map(delta => chunk(delta)),
      chunk({}, 'stop'),
      { ...chunk({}), choices: [], usage },
    ])
    return { ...rest, body: `${body}data: [DONE]\n\n` }
  }
  const pieces = ['mail ada@exa', 'mple.com now']

  test.each<readonly [string, (said: string) => JsonObject]>([
    ['what is spoken', (transcript: string) => ({ audio: { id: 'a', transcript } })],
    ['content in pieces', (text: string) => ({ content: [{ type: 'text', text }] })],
    [
      'a thought in pieces',
      (text: string) => ({ content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] }),
    ],
  ])('%s is masked', async (_, delta) => {
    openai.next(chunks(pieces.map(delta)))
    const { text, broke } = await readStream(await post('/v1/chat/completions', { ...chat, stream: true }))
    expect(broke).toBe(false)
    expect(text).toContain('[email]')
    expect(text).not.toMatch(/ada@|mple\.com/)
  })

  test.each([
    ['masked', SAID, /\[email\]/],
    ['blocked', BLOCKED, /“fruit”/],
  ])('what a picture was drawn by is %s', async (_, revised_prompt, told) => {
    const item = { type: 'image_generation_call', id: 'i', status: 'completed', result: 'AA', revised_prompt }
    const shell = { id: 'resp_1', object: 'response', created_at: 1, model: 'gpt-4o' }
    const done = { ...shell, status: 'completed', output: [item] }
    const used = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
    openai.next(
      sse([
        { type: 'response.created', response: { ...shell, status: 'in_progress', output: [] } },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: { ...done, usage: used } },
      ]),
    )
    const { text } = await readStream(await post('/v1/responses', { ...responses, stream: true }))
    expect(text).toMatch(told)
    expect(text).not.toMatch(/ada@|forbidden/)
  })
})
