import { describe, expect, test } from 'bun:test'
import { until } from '../program.ts'
import { catchError } from '../sdk/sdk-errors.ts'
import { type FakeBaidu, startBaidu } from '../upstreams/baidu/start.ts'
import { startQianfan } from '../upstreams/baidu/start-qianfan.ts'
import { testChat } from './chat-cases.ts'

const OLD = 'ERNIE-4.0-8K'
const OLD_EMBED = 'Embedding-V1'
const NEW = 'ernie-4.5-turbo-128k'
const HI = { turns: [{ user: 'Hi' }] }

describe('the first API', () => {
  let baidu: FakeBaidu
  testChat({
    name: 'Baidu',
    type: 15,
    start: async options => {
      baidu = await startBaidu(options)
      return baidu
    },
    models: [OLD, OLD_EMBED],
    beside: ({ url }) => [
      { type: 15, baseUrl: url, key: 'nobody|nothing', name: 'stranger-10', models: ['ernie-9'] },
    ],
    can: ['stop', 'limit'],
    failures: [
      { kind: 'too-long', leads: 'told', status: 400 },
      { kind: 'filtered', leads: 'told', status: 400 },
      { kind: 'no-model', leads: 'retried' },
      { kind: 'rate-limit', leads: 'retried' },
      { kind: 'quota', leads: 'retried' },
      { kind: 'no-balance', leads: 'retried' },
      { kind: 'forbidden', leads: 'retried' },
      { kind: 'server-error', leads: 'retried' },
      { kind: 'overloaded', leads: 'retried' },
    ],
    more(house) {
      test('the model has a name of its own in the address', async () => {
        await house().clients.gemini.ask(OLD, HI, true)
        expect(house().seen().path).toBe('/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/completions_pro')
      })

      test('one token serves all, until it is not taken any more', async () => {
        const before = baidu.exchanges()
        await Promise.all([1, 2, 3].map(() => house().clients.anthropic.ask(OLD, HI, false)))
        expect(baidu.exchanges()).toBe(before)
        for (const stream of [false, true]) {
          house().fake.next(house().fake.failWith('bad-key'))
          expect((await house().clients['openai-chat'].ask(OLD, HI, stream)).text).toBe('You said: Hi')
        }
        expect(baidu.exchanges()).toBe(before + 2)
      })

      test('embeddings', async () => {
        const response = await house().post('/v1/embeddings', { model: OLD_EMBED, input: 'two words' })
        const { data, usage } = await response.json()
        expect(data[0].embedding).toHaveLength(8)
        expect(usage).toEqual({ prompt_tokens: 3, total_tokens: 3 })
        await house().expectCharge(response, OLD_EMBED, { input: 3 })
        expect(house().body()).toEqual({ input: ['two words'] })
      })

      test('a key that gets no token is taken out of service', async () => {
        expect(await catchError(house().clients['openai-chat'].ask('ernie-9', HI, false))).toBeInstanceOf(
          Error,
        )
        await until(async () => ((await house().statusOf('stranger')) === 3 ? true : undefined))
        const complaints = new Set(house().fake.complaints.splice(0))
        expect([...complaints]).toEqual(['POST /oauth/2.0/token: unknown client id'])
      })
    },
  })
})

describe('the second API', () =>
  testChat({
    name: 'Qianfan',
    type: 15,
    start: startQianfan,
    models: [NEW, 'bge-large', 'rerank', 'image', 'text'],
    speaks: ['openai-chat'],
    can: ['tools', 'forced-tools', 'thinking', 'images', 'schema', 'stop', 'limit', 'cache'],
    failures: [
      { kind: 'too-long', leads: 'told' },
      { kind: 'no-model', leads: 'retried' },
      { kind: 'forbidden', leads: 'retried' },
      { kind: 'rate-limit', leads: 'retried' },
      { kind: 'server-error', leads: 'retried' },
      { kind: 'overloaded', leads: 'retried' },
      { kind: 'bad-key', leads: 'disabled' },
    ],
    more(house) {
      test('what is not chat', async () => {
        const table = [
          ['/v1/embeddings', '/v2/embeddings', { model: 'bge-large', input: 'one' }],
          ['/v1/rerank', '/v2/rerank', { model: 'rerank', query: 'one', documents: ['one', 'two'] }],
          ['/v1/images/generations', '/v2/images/generations', { model: 'image', prompt: 'a dot' }],
          ['/v1/completions', '/v2/completions', { model: 'text', prompt: 'Once', max_tokens: 16 }],
        ] as const
        for (const [path, there, body] of table) {
          const response = await house().post(path, JSON.parse(JSON.stringify(body)))
          expect([path, response.status, house().seen().path]).toEqual([path, 200, there])
        }
      })
    },
  }))
