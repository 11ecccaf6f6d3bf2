import { expect, test } from 'bun:test'
import { startPerplexityChat } from '../upstreams/perplexity/start-chat.ts'
import { testChat } from './chat-cases.ts'

testChat({
  name: 'Perplexity behind another address',
  type: 27,
  start: startPerplexityChat,
  models: ['sonar-pro'],
  // A request that reads little: 6 dollars for a thousand.
  fee: 3000,
  speaks: ['openai-chat'],
  can: ['images', 'schema', 'limit'],
  failures: [
    { kind: 'rate-limit', leads: 'retried' },
    { kind: 'account-off', leads: 'disabled' },
  ],
  more(house) {
    test('what it found goes to the client as it came', async () => {
      const answer = await (
        await house().post('/v1/chat/completions', {
          model: 'sonar-pro',
          messages: [{ role: 'user', content: 'Hi' }],
        })
      ).json()
      expect(answer.citations).toEqual(['https://example.org/a'])
      expect(answer.search_results).toHaveLength(1)
    })
  },
})
