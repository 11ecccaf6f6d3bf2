import { expect, test } from 'bun:test'
import type { JsonObject } from '../../server/dialects/json.ts'
import { requestIdOf } from '../relay/ways.ts'
import { startPerplexity } from '../upstreams/perplexity/start.ts'
import { testChat } from './chat-cases.ts'

const messages = [{ role: 'user', content: 'Hi' }]

testChat({
  name: 'Perplexity',
  type: 27,
  start: startPerplexity,
  channel: ({ url }) => ({ baseUrl: `${url}/v1` }),
  models: ['sonar-pro', 'sonar', 'sonar-deep-research', 'anthropic/claude-sonnet-4-5'],
  can: ['tools', 'forced-tools', 'images', 'schema', 'stop', 'limit', 'cache'],
  failures: [
    { kind: 'too-long', leads: 'told' },
    { kind: 'no-model', leads: 'retried' },
    { kind: 'rate-limit', leads: 'retried' },
    { kind: 'server-error', leads: 'retried' },
    { kind: 'overloaded', leads: 'retried' },
    { kind: 'bad-key', leads: 'disabled' },
    { kind: 'account-off', leads: 'disabled' },
  ],
  more(house) {
    const ask = async (more: JsonObject) => {
      const response = await house().post('/v1/chat/completions', { model: 'sonar', messages, ...more })
      const text = await response.text()
      expect([response.status, response.ok ? '' : text]).toEqual([200, ''])
      return { response, text }
    }

    test('models that it has withdrawn are asked for as it says', async () => {
      await ask({ model: 'sonar-deep-research' })
      expect(house().body()).toMatchObject({ model: 'perplexity/sonar', preset: 'medium' })
      await ask({ model: 'anthropic/claude-sonnet-4-5' })
      expect(house().body()).toMatchObject({ model: 'anthropic/claude-sonnet-4-5' })
      expect(house().body()).not.toHaveProperty('tools')
    })

    test('what a client says of where to look reaches it', async () => {
      const web_search_options = {
        search_context_size: 'high',
        user_location: { approximate: { country: 'FR' } },
      }
      await ask({ search_domain_filter: ['example.org'], search_recency_filter: 'week', web_search_options })
      expect(house().body().tools).toEqual([
        {
          type: 'web_search',
          search_context_size: 'high',
          user_location: { country: 'FR' },
          filters: { search_domain_filter: ['example.org'], search_recency_filter: 'week' },
        },
      ])
    })

    test('what it found goes to the client', async () => {
      for (const stream of [false, true]) {
        const { text } = await ask({ stream })
        expect(text).toContain('"url_citation":{')
        expect(text).toContain('https://example.org/a')
      }
    })

    test('JSON without a schema is asked for in words', async () => {
      await ask({ response_format: { type: 'json_object' } })
      expect(house().body()).not.toHaveProperty('response_format')
      expect(JSON.stringify(house().body().input)).toContain('JSON object')
    })

    test.each([false, true])('searches are paid for one by one, streamed %p', async stream => {
      house().fake.next({
        usage: usage => ({ ...usage, tool_calls_details: { search_web: { invocation: 3 } } }),
      })
      const { response } = await ask({ stream })
      const { input = 0, output = 0 } = house().fake.served.at(-1)?.tally ?? {}
      const paid = await house().rig.chargeOf(requestIdOf(response))
      expect(paid).toBe(house().cost('sonar', { input, output, searches: 3 }))
      // Five dollars for a thousand.
      expect(house().cost('sonar', { input: 0, output: 0, searches: 3 })).toBe(7500)
    })

    test('a failure behind a 200 is none of an answer', async () => {
      const body = {
        id: 'resp_1',
        object: 'response',
        status: 'failed',
        output: [],
        error: { message: 'no', code: 500 },
      }
      house().fake.next({ status: 200, body })
      const response = await house().post('/v1/chat/completions', { model: 'sonar', messages })
      expect(response.status).toBeGreaterThanOrEqual(500)
    })
  },
})
