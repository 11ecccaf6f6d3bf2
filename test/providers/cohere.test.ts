import { expect, test } from 'bun:test'
import { startCohere } from '../upstreams/cohere/start.ts'
import { testChat } from './chat-cases.ts'

const CHAT = 'command-a-reasoning-08-2025'
const PLAIN = 'command-a-03-2025'
const EMBED = 'embed-v4.0'
const RERANK = 'rerank-v3.5'

testChat({
  name: 'Cohere',
  type: 34,
  start: startCohere,
  models: [CHAT, PLAIN, EMBED, RERANK],
  can: ['tools', 'forced-tools', 'thinking', 'images', 'schema', 'stop', 'limit'],
  failures: [
    { kind: 'too-long', leads: 'told' },
    { kind: 'filtered', leads: 'told' },
    { kind: 'no-model', leads: 'retried' },
    { kind: 'no-balance', leads: 'retried' },
    { kind: 'forbidden', leads: 'retried' },
    { kind: 'rate-limit', leads: 'retried' },
    { kind: 'quota', leads: 'retried' },
    { kind: 'server-error', leads: 'retried' },
    { kind: 'overloaded', leads: 'retried' },
    { kind: 'timeout', leads: 'retried' },
    { kind: 'bad-key', leads: 'disabled' },
  ],
  more(house) {
    test('a model without thoughts is not asked for any', async () => {
      const said = await house().clients.anthropic.ask(PLAIN, { turns: [{ user: 'Hi' }], think: true }, false)
      expect(said.text).toBe('You said: Hi')
      expect(house().body()).not.toHaveProperty('thinking')
    })

    test('an answer that broke off is none', async () => {
      house().fake.next({ reply: { finish: 'filter' } })
      const messages = [{ role: 'user', content: 'Hi' }]
      const response = await house().post('/v1/chat/completions', { model: CHAT, messages })
      expect(response.status).toBe(502)
    })

    test('embeddings, also as base64', async () => {
      const asked = { model: EMBED, input: ['one', 'two words'], dimensions: 4 }
      const response = await house().post('/v1/embeddings', asked)
      const { data, usage } = await response.json()
      expect(data.map(({ embedding }: { embedding: number[] }) => embedding.length)).toEqual([4, 4])
      expect(usage).toEqual({ prompt_tokens: 4, total_tokens: 4 })
      await house().expectCharge(response, EMBED, { input: 4 })
      expect(house().body()).toEqual({
        ...{ model: EMBED, texts: ['one', 'two words'], input_type: 'search_document' },
        ...{ embedding_types: ['float'], output_dimension: 4 },
      })
      const packed = await house().post('/v1/embeddings', {
        ...{ model: EMBED, input: 'one', encoding_format: 'base64', input_type: 'search_query' },
      })
      expect(typeof (await packed.json()).data[0].embedding).toBe('string')
      expect(house().body().input_type).toBe('search_query')
    })

    test('tokens are no texts', async () => {
      const before = house().fake.requests.length
      expect((await house().post('/v1/embeddings', { model: EMBED, input: [1, 2] })).status).toBe(400)
      expect(house().fake.requests.length).toBe(before)
    })

    test('rerank, counted here', async () => {
      const documents = ['a', { text: 'longer' }, 'long']
      const response = await house().post('/v1/rerank', {
        ...{ model: RERANK, query: 'q', documents, top_n: 2, return_documents: true },
      })
      const { results } = await response.json()
      expect(results).toEqual([
        { index: 1, relevance_score: 0.06, document: { text: 'longer' } },
        { index: 2, relevance_score: 0.04, document: { text: 'long' } },
      ])
      expect(house().body()).toEqual({
        model: RERANK,
        query: 'q',
        documents: ['a', 'longer', 'long'],
        top_n: 2,
      })
      const id = response.headers.get('x-oneapi-request-id') ?? ''
      const charge = (await house().rig.chargeOf(id)) ?? 0
      expect(charge).toBeGreaterThan(0)

      // Its vendor asks once for each hundred.
      const many = Array.from({ length: 250 }, (_, at) => `document ${at}`)
      // Where its own clients ask.
      const dear = await house().post('/v2/rerank', { model: RERANK, query: 'q', documents: many })
      expect(dear.status).toBe(200)
      const dearId = dear.headers.get('x-oneapi-request-id') ?? ''
      expect(await house().rig.chargeOf(dearId)).toBe(3 * charge)
    })

    test('long documents, which it counts by their parts, are held for: many calls at once take no more than there is', async () => {
      const { rig, fake } = house()
      const documents = Array.from({ length: 100 }, () => 'word '.repeat(2000))
      const asked = JSON.stringify({ model: RERANK, query: 'q', documents })
      const call = (key: string): Promise<Response> =>
        fetch(`${rig.url}/v1/rerank`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: asked,
        })
      const keyOf = async (quota: number): Promise<string> =>
        (await rig.addToken({ userId: await rig.addUser({ quota }) })).key
      const one = await call(await keyOf(50_000_000))
      const each = (await rig.chargeOf(one.headers.get('x-oneapi-request-id') ?? '')) ?? 0
      const key = await keyOf(2 * each)
      const before = fake.requests.length
      await Promise.all(Array.from({ length: 8 }, () => call(key)))
      expect(fake.requests.length - before).toBeWithin(1, 3)
    })
  },
})
