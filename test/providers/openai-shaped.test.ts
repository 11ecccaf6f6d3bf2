import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../server/dialects/json.ts'
import { plainEndpointsOf } from '../../server/providers/choose-endpoint.ts'
import { type PlainCapability, plainCapabilities } from '../../server/providers/define.ts'
import { providerOf } from '../../server/providers/index.ts'
import { openRig, type Rig } from '../relay/rig.ts'
import { requestIdOf } from '../relay/ways.ts'
import { openAnthropicClient } from '../sdk/anthropic-client.ts'
import { openChatClient } from '../sdk/chat-client.ts'
import type { Client } from '../sdk/conversation.ts'
import { openGeminiClient } from '../sdk/gemini-client.ts'
import { openResponsesClient } from '../sdk/responses-client.ts'
import { startQianfan } from '../upstreams/baidu/start-qianfan.ts'
import { startNewApi, startOwnServer, startSub2api } from '../upstreams/gateway/start.ts'
import { startGithubModels } from '../upstreams/github-models/start.ts'
import { startGroq } from '../upstreams/groq/start.ts'
import {
  type FakeUpstream,
  startAzure,
  startDeepseek,
  startMistral,
  startOpenai,
} from '../upstreams/index.ts'
import { startMoonshot } from '../upstreams/moonshot/start.ts'
import { startOpenrouter } from '../upstreams/openrouter/start.ts'
import { startSiliconcloud } from '../upstreams/siliconcloud/start.ts'
import { startTogether } from '../upstreams/together/start.ts'
import { startVolcengine } from '../upstreams/volcengine/start.ts'
import { startXai } from '../upstreams/xai/start.ts'
import { startXinference } from '../upstreams/xinference/start.ts'
import { startZhipu } from '../upstreams/zhipu/start.ts'

/** Vendors that speak what OpenAI speaks, each with what stands before its tasks. Their quirks have tests of their own. */
const vendors: readonly [type: number, model: string, start: () => Promise<FakeUpstream>, base?: string][] = [
  [3, 'gpt-4o', startAzure],
  [8, 'gpt-4o-mini', startOwnServer, '/v1'],
  [19, '360gpt2-pro', startOpenai],
  [20, 'openrouter/auto', startOpenrouter],
  [22, 'an-app', () => startOpenai({ prefix: '/api/v1' })],
  [25, 'kimi-k3', startMoonshot],
  [26, 'glm-4.7', startZhipu],
  [31, 'yi-lightning', startOpenai],
  [40, 'deepseek-ai/DeepSeek-V4.1-Flash', startSiliconcloud],
  [42, 'mistral-small-latest', startMistral],
  [43, 'deepseek-flash', startDeepseek],
  [45, 'doubao-seed-2-1-pro-260628', startVolcengine],
  [46, 'ernie-3.5-8k', startQianfan],
  [47, 'qwen3', startXinference],
  [48, 'grok-4.7', startXai],
  [59, 'gpt-4o-59', startSub2api],
  [60, 'gpt-4o-60', startNewApi],
  [101, 'llama-3.3-70b-versatile', startGroq],
  [102, 'openai/gpt-oss-120b', startTogether],
  [103, 'openai/gpt-4.1', startGithubModels],
]

/** Those whose chat has a test of its own, beside this one. */
const chatElsewhere = new Set([20, 25, 26, 40, 42, 45, 46, 47, 48, 59, 60, 101, 102, 103])

/** What is not chat, as a client asks for it. What a session says has tests of its own. */
const paths: Readonly<
  Partial<Record<PlainCapability, [path: string, body: JsonObject | 'sound' | 'picture']>>
> = {
  completions: ['/v1/completions', { prompt: 'Once', max_tokens: 16 }],
  embeddings: ['/v1/embeddings', { input: 'one' }],
  rerank: ['/v1/rerank', { query: 'one', documents: ['one', 'two'] }],
  moderations: ['/v1/moderations', { input: 'one' }],
  images: ['/v1/images/generations', { prompt: 'a dot' }],
  'image-edits': ['/v1/images/edits', 'picture'],
  speech: ['/v1/audio/speech', { input: 'one', voice: 'alloy' }],
  transcriptions: ['/v1/audio/transcriptions', 'sound'],
  translations: ['/v1/audio/translations', 'sound'],
  ocr: ['/v1/ocr', { document: { type: 'document_url', document_url: 'https://a.example/3-pages.pdf' } }],
  'web-search': ['/v1/search', { query: 'one' }],
  search: ['/v1/alpha/search', { id: 'x', commands: { search_query: [{ q: 'one' }] } }],
}

let rig: Rig
let key = ''
const fakes = new Map<number, FakeUpstream>()
let clients: readonly Client[] = []

beforeAll(async () => {
  for (const [type, , start] of vendors) fakes.set(type, await start())
  rig = await openRig(async seeds => {
    const userId = await seeds.addUser({ quota: 500_000_000 })
    key = (await seeds.addToken({ userId })).key
    await seeds.setOption('DefaultModelRatio', '2.5')
    for (const [type, model, , base = ''] of vendors) {
      const fake = fakes.get(type)
      if (!fake) throw new Error('no fake')
      const models = [model, ...[...plainCapabilities, 'realtime'].map(capability => `${capability}-${type}`)]
      const mapping = Object.fromEntries(models.slice(1).map(name => [name, name.replace(/-\d+$/, '')]))
      const other = type === 3 ? '2024-10-21' : ''
      await seeds.addChannel({ type, baseUrl: `${fake.url}${base}`, key: fake.key, models, mapping, other })
    }
  })
  const openers = [openChatClient, openResponsesClient, openAnthropicClient, openGeminiClient]
  clients = openers.map(open => open(rig.url, key))
})
afterAll(async () => {
  await rig.close()
  for (const fake of fakes.values()) await fake.stop()
})

describe.each(vendors.map(([type, model]) => ({ type, model })))('type $type', ({ type, model }) => {
  if (!chatElsewhere.has(type))
    test.each([false, true])('chat by every client, streamed %p', async stream => {
      for (const client of clients) {
        const said = await client.ask(model, { system: 'Be brief.', turns: [{ user: 'Hi there' }] }, stream)
        expect([client.dialect, said.text]).toEqual([client.dialect, 'You said: Hi there'])
        const tally = fakes.get(type)?.served.at(-1)?.tally
        // What a vendor that miscounts says of the prompt is not believed; the words of its answer are the same.
        const input = providerOf(type)?.miscounts ? said.usage.input : (tally?.input ?? 0)
        expect([said.usage.input, said.usage.output]).toEqual([input, tally?.output ?? 0])
        expect(await rig.chargeOf(said.requestId)).toBeGreaterThan(0)
      }
    })

  const provider = providerOf(type)
  const able = plainCapabilities.filter(one => provider && plainEndpointsOf(provider, one).length > 0)
  for (const capability of able) {
    const [path, body] = paths[capability] ?? []
    if (!path || !body) continue
    test(capability, async () => {
      // Its pictures stand elsewhere in the answer.
      if (type === 40 && capability === 'images')
        fakes.get(40)?.next({ status: 200, body: { images: [{ url: 'https://a/dot.png' }] } })
      const response = await post(path, bodyOf(body, `${capability}-${type}`))
      const answer = await response.bytes()
      expect([response.status, answer.length > 0]).toEqual([200, true])
      const charge = await rig.chargeOf(requestIdOf(response))
      expect(charge).toBeGreaterThan(0)
    })
  }
})

test.each([3, 8, 60])('a session with type %i', async type => {
  const url = `${rig.url.replace('http', 'ws')}/v1/realtime?model=realtime-${type}`
  const headers = { authorization: `Bearer ${key}` }
  const socket: WebSocket = Reflect.construct(WebSocket, [url, { headers }])
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  socket.addEventListener('message', ({ data }) => resolve(String(data)))
  socket.addEventListener('close', ({ code }) => reject(new Error(`closed with ${code}`)))
  expect(JSON.parse(await promise).type).toBe('session.created')
  socket.close()
})

test('no vendor had to complain, and the books agree', async () => {
  expect([...fakes.values()].flatMap(({ complaints }) => complaints)).toEqual([])
  expect(await rig.differences()).toEqual([])
})

function bodyOf(body: JsonObject | 'sound' | 'picture', model: string): string | FormData {
  if (typeof body === 'object') return JSON.stringify({ ...body, model })
  const form = new FormData()
  form.append('model', model)
  if (body === 'sound')
    form.append('file', new File([new Uint8Array(30_000)], 'a.mp3', { type: 'audio/mpeg' }))
  else {
    form.append('image', new File(['png'], 'a.png', { type: 'image/png' }))
    form.append('prompt', 'a dot')
  }
  return form
}

function post(path: string, body: string | FormData): Promise<Response> {
  const headers: Record<string, string> = { authorization: `Bearer ${key}` }
  if (typeof body === 'string') headers['content-type'] = 'application/json'
  return fetch(`${rig.url}${path}`, { method: 'POST', headers, body })
}
