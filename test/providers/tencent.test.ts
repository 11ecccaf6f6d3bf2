import { describe, expect, test } from 'bun:test'
import { startTencent } from '../upstreams/tencent/start.ts'
import { startTokenhub } from '../upstreams/tencent/start-tokenhub.ts'
import { testChat } from './chat-cases.ts'

const OLD = 'hunyuan-turbo'
const EMBED = 'hunyuan-embedding'

describe('the old platform', () =>
  testChat({
    name: 'Hunyuan',
    type: 23,
    start: startTencent,
    models: [OLD, EMBED],
    can: ['tools', 'forced-tools', 'images', 'stop'],
    failures: [
      { kind: 'too-long', leads: 'told', status: 400 },
      { kind: 'filtered', leads: 'told', status: 400 },
      { kind: 'no-model', leads: 'retried' },
      { kind: 'forbidden', leads: 'retried' },
      { kind: 'rate-limit', leads: 'retried' },
      { kind: 'quota', leads: 'retried' },
      { kind: 'server-error', leads: 'retried' },
      { kind: 'overloaded', leads: 'retried' },
      { kind: 'timeout', leads: 'retried' },
      { kind: 'bad-key', leads: 'disabled' },
      { kind: 'account-off', leads: 'disabled' },
      { kind: 'no-balance', leads: 'disabled' },
    ],
    more(house) {
      test('embeddings', async () => {
        const response = await house().post('/v1/embeddings', { model: EMBED, input: ['one', 'two words'] })
        const { data, usage } = await response.json()
        expect(data[1].embedding).toHaveLength(8)
        expect(usage).toEqual({ prompt_tokens: 4, total_tokens: 4 })
        await house().expectCharge(response, EMBED, { input: 4 })
        expect(house().seen().headers['x-tc-action']).toBe('GetEmbedding')
      })

      test('an error where a stream was asked for', async () => {
        house().fake.next(house().fake.failWith('rate-limit'))
        const body = { model: OLD, stream: true, messages: [{ role: 'user', content: 'Hi' }] }
        expect((await house().post('/v1/chat/completions', body)).status).toBe(429)
      })
    },
  }))

describe('the new platform', () =>
  testChat({
    name: 'TokenHub',
    type: 23,
    start: startTokenhub,
    models: ['hy3-preview'],
    speaks: ['openai-chat'],
    can: ['tools', 'forced-tools', 'thinking', 'images', 'schema', 'stop', 'limit', 'cache'],
    failures: [
      { kind: 'too-long', leads: 'told' },
      { kind: 'filtered', leads: 'told' },
      { kind: 'forbidden', leads: 'retried' },
      { kind: 'rate-limit', leads: 'retried' },
      { kind: 'server-error', leads: 'retried' },
      { kind: 'bad-key', leads: 'disabled' },
      { kind: 'no-balance', leads: 'disabled' },
    ],
    more(house) {
      test('it has no embeddings', async () => {
        const before = house().fake.requests.length
        const response = await house().post('/v1/embeddings', { model: 'hy3-preview', input: 'one' })
        expect(response.status).toBe(400)
        expect(house().fake.requests.length).toBe(before)
      })
    },
  }))
