import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../server/dialects/json.ts'
import { startAzure } from '../../upstreams/azure/start.ts'
import type { FakeUpstream } from '../../upstreams/index.ts'
import { startVertex } from '../../upstreams/vertex/start.ts'
import { type ChannelSeed, openRig, type Rig } from '../rig.ts'
import { anthropic, ask, chat, gemini, problemIn, responses, type Way } from '../ways.ts'

// What a request only names is looked for in the account that it goes to, with the operator's rights. Callers are
// strangers to that account: they hear where it stands, and the vendor hears nothing.

type Vendor = 'openai' | 'responses' | 'azure' | 'anthropic' | 'gemini' | 'vertex'
interface Setup {
  readonly way: Way
  readonly type: number
  readonly model: string
  start(): Promise<FakeUpstream>
  readonly setting?: object
}

const accept = ['data_sources', 'retrieval']
const setups: Readonly<Record<Vendor, Setup>> = {
  openai: { way: chat, type: 1, model: 'gpt-4o', start: () => chat.start({ accept }) },
  responses: {
    ...{ way: responses, type: 1, model: 'gpt-5.4', start: () => responses.start({ accept }) },
    setting: { dialects: ['openai-responses'], allow_service_tier: true },
  },
  azure: { way: chat, type: 3, model: 'gpt-4o', start: () => startAzure({ accept }) },
  anthropic: { way: anthropic, type: 14, model: anthropic.model, start: () => anthropic.start({ accept }) },
  gemini: { way: gemini, type: 24, model: gemini.model, start: () => gemini.start({ accept }) },
  vertex: { way: gemini, type: 41, model: 'gemini-3.5-flash', start: () => startVertex({ accept }) },
}
const vendors = Object.keys(setups) as Vendor[]

let rig: Rig
let key = ''
const fakes = new Map<Vendor, FakeUpstream>()

beforeAll(async () => {
  for (const vendor of vendors) fakes.set(vendor, await setups[vendor].start())
  rig = await openRig(async books => {
    key = (await books.addToken({ userId: await books.addUser() })).key
    const names = vendors.flatMap(vendor => [`shut-${vendor}`, `open-${vendor}`, `either-${vendor}`])
    await books.setOption('ModelRatio', JSON.stringify(Object.fromEntries(names.map(name => [name, 1]))))
    for (const vendor of vendors) {
      const { type, model, setting } = setups[vendor]
      const { url, key: secret } = fakeOf(vendor)
      const add = (kinds: readonly string[], more: Partial<ChannelSeed>) => {
        const models = kinds.map(kind => `${kind}-${vendor}`)
        const mapping = Object.fromEntries(models.map(name => [name, model]))
        return books.addChannel({
          type,
          baseUrl: url,
          key: secret,
          models,
          mapping,
          setting: setting ?? {},
          ...more,
        })
      }
      await add(['shut', 'either'], { priority: 5 })
      await add(['open', 'either'], { setting: { ...setting, allow_account_data: true } })
    }
  })
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  await rig.close()
  for (const fake of fakes.values()) await fake.stop()
})

function fakeOf(vendor: Vendor): FakeUpstream {
  const fake = fakes.get(vendor)
  if (!fake) throw new Error('no vendor')
  return fake
}

const said = (...content: JsonObject[]): JsonObject => ({ messages: [{ role: 'user', content }] })
const parts = (...list: JsonObject[]): JsonObject => ({ contents: [{ role: 'user', parts: list }] })
const file = (fileUri: string): JsonObject => parts({ fileData: { mimeType: 'application/pdf', fileUri } })
const picture = (url: string): JsonObject => said({ type: 'image_url', image_url: { url } })
const tool = (value: JsonObject): JsonObject => ({ tools: [value] })
const document = (source: JsonObject): JsonObject => said({ type: 'document', source })
const index = (authentication?: JsonObject): JsonObject => ({
  data_sources: [
    {
      type: 'azure_search',
      parameters: {
        endpoint: 'https://search.example',
        index_name: 'people',
        ...(authentication && { authentication }),
      },
    },
  ],
})
const store = 'projects/house/locations/global/collections/c/dataStores/d'

/** What may not be named, where it is said to stand, and whether the vendor of the tests knows it. */
const named: readonly [Vendor, string, JsonObject][] = [
  ['openai', 'messages[0].content[0].image_url.url', picture('gs://bucket/a.png')],
  ['openai', 'messages[0].content[0].image_url.url', picture(' S3://bucket/a.png')],
  ['openai', 'messages[0].content[0].image_url.url', picture('file:///etc/passwd')],
  ['azure', 'data_sources[0].parameters.authentication', index({ type: 'system_assigned_managed_identity' })],
  ['azure', 'data_sources[0].parameters.authentication', index()],
  ['responses', 'tools[0].tunnel_id', tool({ type: 'mcp', server_label: 'in', tunnel_id: 'tunnel_1' })],
  [
    'responses',
    'tools[0].connector_id',
    tool({ type: 'mcp', server_label: 'mail', connector_id: 'connector_gmail' }),
  ],
  ['anthropic', 'messages[0].content[0].source.url', document({ type: 'url', url: 's3://bucket/a.pdf' })],
  ['vertex', 'contents[0].parts[0].fileData.fileUri', file('gs://bucket/a.pdf')],
  ['vertex', 'tools[0].retrieval', tool({ retrieval: { vertexAiSearch: { datastore: store } } })],
]

describe.each(named)('%s: %s', (vendor, field, more) => {
  const { way } = setups[vendor]

  test('is refused, in the caller’s dialect and language, and nobody is asked', async () => {
    const before = fakeOf(vendor).requests.length
    for (const [language, words] of [
      ['zh', '指向上游账户中的数据'],
      ['en', 'names data in the account of the upstream'],
    ] as const)
      for (const stream of [false, true]) {
        const headers = { 'accept-language': language }
        const response = await ask(rig.url, way, { key, model: `shut-${vendor}`, more, stream, headers })
        const problem = problemIn(way, await response.text())
        expect([response.status, problem?.message]).toEqual([400, expect.stringContaining(words)])
        expect(problem?.message).toStartWith(field)
      }
    expect(fakeOf(vendor).requests.length).toBe(before)
  })

  test('passes where the channel is opened for it, also after one that is not', async () => {
    for (const kind of ['open', 'either']) {
      const before = fakeOf(vendor).requests.length
      const response = await ask(rig.url, way, { key, model: `${kind}-${vendor}`, more })
      await response.text()
      const [sent, ...others] = fakeOf(vendor).requests.slice(before)
      expect(others).toEqual([])
      for (const [name, value] of Object.entries(more)) expect(sent?.json).toHaveProperty([name], value)
    }
  })
})

/** Ordinary use, and what is the caller's own. */
const usual: readonly [string, Vendor, JsonObject][] = [
  ['a picture of the web', 'openai', picture('https://pictures.example/gs://a.png')],
  ['a picture inside', 'openai', picture('data:image/png;base64,iVBORw0KGgo=')],
  ['words about it', 'openai', said({ type: 'text', text: '{"file_id":"file-abc","url":"gs://a/b"}' })],
  [
    'a function that takes ids',
    'openai',
    tool({
      type: 'function',
      function: { name: 'f', parameters: { type: 'object', properties: { file_id: { type: 'string' } } } },
    }),
  ],
  // Of a vendor whose files nobody here keeps; OpenAI's are their owners'.
  ['a file by its id', 'azure', said({ type: 'file', file: { file_id: 'file-abc' } })],
  ['a store by its id', 'responses', tool({ type: 'file_search', vector_store_ids: ['vs_1'] })],
  ['a prompt by its id', 'responses', { prompt: { id: 'pmpt_1' } }],
  ['a cache by its id', 'gemini', { cachedContent: 'cachedContents/1' }],
  ['an index with the caller’s own key', 'azure', index({ type: 'api_key', key: 'theirs' })],
  [
    'a connector with the caller’s own token',
    'responses',
    tool({ type: 'mcp', server_label: 'mail', connector_id: 'connector_gmail', authorization: 'theirs' }),
  ],
  [
    'a server of the web',
    'responses',
    tool({ type: 'mcp', server_label: 's', server_url: 'https://mcp.example' }),
  ],
  [
    'a container that an answer told of',
    'responses',
    tool({ type: 'code_interpreter', container: 'cntr_1' }),
  ],
  [
    'what an answer said of a file',
    'responses',
    {
      input: [
        { role: 'user', content: 'hi' },
        {
          ...{ type: 'message', role: 'assistant', id: 'msg_1', status: 'completed' },
          content: [
            {
              ...{ type: 'output_text', text: 'see there' },
              annotations: [{ type: 'container_file_citation', container_id: 'cntr_1', file_id: 'cfile_1' }],
            },
          ],
        },
        { role: 'user', content: 'more' },
      ],
    },
  ],
  ['a document of the web', 'anthropic', document({ type: 'url', url: 'https://papers.example/a.pdf' })],
  ['a video of the web', 'gemini', file('https://www.youtube.com/watch?v=1')],
  ['a search', 'vertex', tool({ googleSearch: {} })],
]

test.each(usual)('%s goes to %s as ever', async (_what, vendor, more) => {
  const before = fakeOf(vendor).requests.length
  const response = await ask(rig.url, setups[vendor].way, { key, model: `shut-${vendor}`, more })
  expect(await response.text()).not.toContain('账户中的数据')
  const sent = fakeOf(vendor).requests.slice(before)
  expect(sent.length).toBe(1)
  for (const [name, value] of Object.entries(more)) expect(sent[0]?.json).toHaveProperty([name], value)
})

test('said in another dialect it is the same, and named as the caller has it', async () => {
  const before = fakeOf('responses').requests.length
  const more = picture('gs://bucket/a.png')
  const shut = await ask(rig.url, chat, { key, model: 'shut-responses', more })
  expect([shut.status, await shut.text()]).toEqual([
    400,
    expect.stringContaining('messages[0].content[0].image_url.url'),
  ])
  expect(fakeOf('responses').requests.length).toBe(before)
  const open = await ask(rig.url, chat, { key, model: 'open-responses', more })
  expect([open.status, await open.text()]).toEqual([200, expect.any(String)])
})

function post(path: string, body: JsonObject): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return fetch(rig.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
}

test('neither a count nor a picture nor a vector is made of it', async () => {
  const before = fakeOf('gemini').requests.length
  const counted = await post('/v1beta/models/shut-gemini:countTokens', {
    generateContentRequest: { model: 'models/shut-gemini', ...file('gs://bucket/a.pdf') },
  })
  // It is counted here instead.
  expect([counted.status, await counted.json()]).toEqual([200, { totalTokens: expect.any(Number) }])
  const content = { parts: [{ fileData: { mimeType: 'application/pdf', fileUri: 'gs://a/b' } }] }
  const vector = await post('/v1beta/models/shut-gemini:embedContent', { content })
  expect([vector.status, await vector.text()]).toEqual([
    400,
    expect.stringContaining('content.parts[0].fileData.fileUri'),
  ])
  expect(fakeOf('gemini').requests.length).toBe(before)
  const drawn = fakeOf('openai').requests.length
  const edit = await post('/v1/images/edits', {
    ...{ model: 'shut-openai', prompt: 'a hat', images: [{ type: 'text', image_url: 'gs://a/b' }] },
  })
  expect([edit.status, await edit.text()]).toEqual([400, expect.stringContaining('images[0].image_url')])
  const listed = await post('/v1/images/edits', {
    ...{ model: 'shut-openai', prompt: 'a hat', images: ['https://a.example/b.png', 'gs://a/b'] },
  })
  expect([listed.status, await listed.text()]).toEqual([400, expect.stringContaining('images[1]')])
  expect(fakeOf('openai').requests.length).toBe(drawn)
})

test('a batch may not name it on any channel', async () => {
  for (const model of ['shut-openai', 'open-openai']) {
    const line = { custom_id: 'a', method: 'POST', url: '/v1/chat/completions' }
    const body = { model, ...picture('gs://bucket/a.png') }
    const form = new FormData()
    form.append('purpose', 'batch')
    form.append('file', new File([JSON.stringify({ ...line, body })], 'in.jsonl'))
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${rig.url}/v1/files`, { method: 'POST', headers, body: form })
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('messages[0].content[0].image_url.url'),
    ])
  }
})
