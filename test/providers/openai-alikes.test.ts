import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../server/dialects/json.ts'
import { rootClient } from '../client.ts'
import { startQianfan } from '../upstreams/baidu/start-qianfan.ts'
import { startGithubModels } from '../upstreams/github-models/start.ts'
import { startGroq } from '../upstreams/groq/start.ts'
import { startMoonshot } from '../upstreams/moonshot/start.ts'
import { startOpenrouter } from '../upstreams/openrouter/start.ts'
import { startSiliconcloud } from '../upstreams/siliconcloud/start.ts'
import { startSubmodel } from '../upstreams/submodel/start.ts'
import { EOS_MODEL, startTogether } from '../upstreams/together/start.ts'
import { startVolcengine } from '../upstreams/volcengine/start.ts'
import { startXai } from '../upstreams/xai/start.ts'
import { startXinference } from '../upstreams/xinference/start.ts'
import { startZhipu } from '../upstreams/zhipu/start.ts'
import { type ChatCases, testChats } from './chat-cases.ts'
import type { Failure } from './house.ts'

const HI = { turns: [{ user: 'Hi' }] }
const speaks = ['openai-chat'] as const
const all = ['tools', 'forced-tools', 'thinking', 'images', 'schema', 'stop', 'limit', 'cache'] as const
const usual: readonly Failure[] = [
  { kind: 'too-long', leads: 'told' },
  { kind: 'no-model', leads: 'retried' },
  { kind: 'rate-limit', leads: 'retried' },
  { kind: 'server-error', leads: 'retried' },
  { kind: 'overloaded', leads: 'retried' },
  { kind: 'bad-key', leads: 'disabled' },
]

/** Whatever a client's word for it, the model gets one that it knows, or none. */
function testEfforts(...models: string[]): NonNullable<ChatCases['more']> {
  return house =>
    test.each(models)('%s is told how much to think in its words', async model => {
      const messages = [{ role: 'user', content: 'Hi' }]
      for (const effort of ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']) {
        const asked = { model, messages, reasoning_effort: effort }
        const response = await house().post('/v1/chat/completions', asked)
        expect([effort, response.status]).toEqual([effort, 200])
      }
    })
}

/** Vendors that speak as OpenAI does, each with what it has of its own. */
const vendors: readonly ChatCases[] = [
  {
    name: 'OpenRouter',
    type: 20,
    start: startOpenrouter,
    models: ['openrouter/auto'],
    speaks,
    can: all,
    apart: ['thinking'],
    failures: [
      ...usual,
      { kind: 'filtered', leads: 'told', status: 400 },
      { kind: 'no-balance', leads: 'retried' },
      { kind: 'not-found', leads: 'retried' },
      { kind: 'timeout', leads: 'retried' },
    ],
  },
  {
    name: 'Moonshot',
    type: 25,
    start: startMoonshot,
    models: ['kimi-k3', 'kimi-k2.7-code', 'kimi-k2.6'],
    speaks,
    can: ['tools', 'forced-tools', 'images', 'schema', 'stop', 'limit', 'cache'],
    failures: [...usual, { kind: 'overloaded', leads: 'retried' }, { kind: 'quota', leads: 'disabled' }],
    more(house) {
      const tool = (name: string) => ({
        type: 'function',
        function: { name, parameters: { type: 'object' } },
      })
      const tools = [tool('f'), tool('g')]
      const named = { type: 'function', function: { name: 'g' } }
      const messages = [{ role: 'user', content: 'Hi' }]
      const ask = async (model: string, more: JsonObject) => {
        const response = await house().post('/v1/chat/completions', { model, messages, ...more })
        const answer = await response.json()
        expect([response.status, answer.error]).toEqual([200, undefined])
        return answer.choices[0].message
      }

      test.each(['kimi-k3', 'kimi-k2.7-code', 'kimi-k2.6'])('%s calls what it has to', async model => {
        for (const tool_choice of ['required', named]) {
          const { tool_calls } = await ask(model, { tools, tool_choice, reasoning_effort: 'high' })
          expect(tool_calls[0].function.name).toBe(tool_choice === named ? 'g' : 'f')
        }
      })

      test.each(['kimi-k3', 'kimi-k2.7-code', 'kimi-k2.6'])(
        '%s is told how much to think in its words',
        async model => {
          for (const effort of ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])
            await ask(model, { reasoning_effort: effort })
          await ask(model, { thinking: { type: 'disabled' } })
        },
      )

      test('calls of clients that keep no thoughts go back with one', async () => {
        const calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }]
        const result = { role: 'tool', tool_call_id: 'c', content: 'r' }
        for (const model of ['kimi-k3', 'kimi-k2.6'])
          await ask(model, {
            tools,
            messages: [...messages, { role: 'assistant', tool_calls: calls }, result],
          })
      })
    },
  },
  {
    name: 'Zhipu',
    type: 26,
    start: startZhipu,
    models: ['glm-5.3'],
    speaks,
    can: ['tools', 'forced-tools', 'images', 'schema', 'stop', 'limit', 'cache'],
    failures: [...usual, { kind: 'filtered', leads: 'told' }, { kind: 'account-off', leads: 'disabled' }],
    more(house) {
      test('that no tool may be called is said by offering none', async () => {
        const f = { type: 'function', function: { name: 'f' } }
        const body = { model: 'glm-5.3', messages: [{ role: 'user', content: 'Please call f' }] }
        const response = await house().post('/v1/chat/completions', {
          ...body,
          tools: [f],
          tool_choice: 'none',
        })
        expect((await response.json()).choices[0].message.content).toBe('You said: Please call f')
      })
    },
  },
  {
    name: 'SiliconCloud',
    type: 40,
    start: startSiliconcloud,
    models: ['deepseek-ai/DeepSeek-V4.1-Flash'],
    speaks,
    can: all,
    failures: [...usual, { kind: 'account-off', leads: 'disabled' }],
  },
  {
    name: 'VolcEngine',
    type: 45,
    start: startVolcengine,
    models: ['doubao-seed-2-1-pro-260628', 'bot-20250101'],
    speaks,
    can: all,
    failures: [
      ...usual,
      { kind: 'filtered', leads: 'told' },
      { kind: 'not-found', leads: 'retried' },
      { kind: 'forbidden', leads: 'retried' },
      { kind: 'quota', leads: 'retried' },
      { kind: 'account-off', leads: 'disabled' },
    ],
    more(house) {
      test('an application has an address of its own', async () => {
        await house().clients.gemini.ask('bot-20250101', HI, true)
        expect(house().seen().path).toBe('/api/v3/bots/chat/completions')
      })
    },
  },
  {
    // The same as type 15 with a key of the new form.
    name: 'Qianfan V2',
    type: 46,
    start: startQianfan,
    models: ['ernie-4.5-turbo-128k'],
    speaks,
    can: all,
    failures: [...usual, { kind: 'forbidden', leads: 'retried' }],
    more(house) {
      test('its models are listed, and it can be tested', async () => {
        const root = await rootClient(house().rig.url)
        const listed = (await root.get(`/api/channel/fetch_models/${house().channelId}`)).json
        expect([listed.success, house().seen().path]).toEqual([true, '/v2/models'])
        expect((await root.get(`/api/channel/test/${house().channelId}`)).json.message).toBe('')
      })
    },
  },
  {
    name: 'vLLM',
    type: 47,
    start: startXinference,
    models: ['qwen3', 'Qwen/Qwen3.8-27B'],
    speaks,
    can: ['tools', 'forced-tools', 'thinking', 'images', 'schema', 'stop', 'limit'],
    failures: usual,
    more: testEfforts('Qwen/Qwen3.8-27B'),
  },
  {
    name: 'xAI',
    type: 48,
    start: startXai,
    models: ['grok-4.7', 'grok-imagine-image', 'grok-2-image'],
    speaks,
    can: all,
    // Thoughts are beside the output there, and paid for all the same.
    apart: ['thinking'],
    failures: [...usual, { kind: 'forbidden', leads: 'retried' }, { kind: 'quota', leads: 'retried' }],
    more(house) {
      test('penalties that clients always send stay here', async () => {
        const body = { model: 'grok-4.7', messages: [{ role: 'user', content: 'Hi' }] }
        const always = { presence_penalty: 0, frequency_penalty: 0 }
        expect((await house().post('/v1/chat/completions', { ...body, ...always })).status).toBe(200)
      })

      test.each([
        [
          'grok-imagine-image',
          { size: '1536x1024', quality: 'high' },
          { aspect_ratio: '3:2', quality: 'high' },
        ],
        ['grok-imagine-image', { size: '1024x1024', aspect_ratio: '16:9' }, { aspect_ratio: '16:9' }],
        ['grok-imagine-image', { size: 'auto', quality: 'auto', style: 'vivid' }, {}],
        ['grok-2-image', { size: '1024x1024', quality: 'standard' }, {}],
      ])('%s is told %j of a picture in its words', async (model, asked, sent) => {
        const picture = { model, prompt: 'a dot', response_format: 'url' }
        const response = await house().post('/v1/images/generations', { ...picture, ...asked })
        expect((await response.json()).data).toHaveLength(1)
        expect(house().body()).toEqual({ ...picture, ...sent })
      })
    },
  },
  {
    name: 'Submodel',
    type: 53,
    start: startSubmodel,
    models: ['Qwen/Qwen3-235B-A22B-Instruct-2507'],
    speaks,
    can: ['tools', 'forced-tools', 'thinking', 'images', 'schema', 'stop', 'limit'],
    failures: usual,
  },
  {
    name: 'Groq',
    type: 101,
    start: startGroq,
    models: ['openai/gpt-oss-20b', 'qwen/qwen3-32b', 'llama-3.3-70b-versatile'],
    speaks,
    can: all,
    apart: ['thinking'],
    failures: [...usual, { kind: 'not-found', leads: 'retried' }, { kind: 'account-off', leads: 'disabled' }],
    more: testEfforts('openai/gpt-oss-20b', 'qwen/qwen3-32b', 'llama-3.3-70b-versatile'),
  },
  {
    name: 'Together',
    type: 102,
    start: startTogether,
    models: ['openai/gpt-oss-120b', EOS_MODEL],
    speaks,
    can: all,
    apart: ['thinking', 'cache'],
    failures: [...usual, { kind: 'no-balance', leads: 'retried' }, { kind: 'timeout', leads: 'retried' }],
    more(house) {
      testEfforts('openai/gpt-oss-120b')(house)

      test.each([false, true])('an answer that ends with its own mark, streamed %p', async stream => {
        for (const client of ['openai-responses', 'anthropic', 'gemini'] as const) {
          const { ask, finishes } = house().clients[client]
          expect((await ask(EOS_MODEL, HI, stream)).finish).toBe(finishes.stop)
        }
      })
    },
  },
  {
    name: 'GitHub Models',
    type: 103,
    start: startGithubModels,
    models: ['openai/gpt-4.1'],
    speaks,
    can: ['tools', 'forced-tools', 'images', 'schema', 'stop', 'limit', 'cache'],
    failures: [
      ...usual,
      { kind: 'filtered', leads: 'told' },
      { kind: 'too-large', leads: 'told' },
      { kind: 'not-found', leads: 'retried' },
      { kind: 'forbidden', leads: 'retried' },
    ],
  },
]

describe('vendors that speak as OpenAI does', () => testChats(vendors))
