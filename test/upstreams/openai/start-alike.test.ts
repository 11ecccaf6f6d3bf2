import { expect, test } from 'bun:test'
import type { JsonObject } from '../../../server/dialects/json.ts'
import { startGithubModels } from '../github-models/start.ts'
import { startGroq } from '../groq/start.ts'
import { startPerplexityChat } from '../perplexity/start-chat.ts'
import type { FakeUpstream } from '../upstream.ts'
import { startXai } from '../xai/start.ts'
import { startXinference } from '../xinference/start.ts'

const HI = { role: 'user', content: 'Hi' }

type Row = [
  name: string,
  start: () => Promise<FakeUpstream>,
  prefix: string,
  body: JsonObject,
  words: JsonObject,
]

const rows: Row[] = [
  ['Groq', startGroq, '/openai/v1', { logprobs: true }, { error: { type: 'invalid_request_error' } }],
  ['Groq', startGroq, '/openai/v1', { n: 2 }, { error: { type: 'invalid_request_error' } }],
  ['Groq', startGroq, '/openai/v1', { messages: [{ ...HI, name: 'Ada' }] }, { error: {} }],
  ['xAI', startXai, '/v1', { stop: 'x' }, { code: 'Client specified an invalid argument' }],
  ['Perplexity', startPerplexityChat, '', { messages: [HI, HI] }, { error: { code: 400 } }],
  ['Perplexity', startPerplexityChat, '', { tools: [] }, { error: { code: 400 } }],
  ['GitHub', startGithubModels, '/inference', { nonsense: 1 }, { error: { code: 'bad_request' } }],
  ['vLLM', startXinference, '/v1', { temperature: 'hot' }, { error: { type: 'BadRequestError' } }],
]

test.each(rows)('%s refuses in its own words', async (_, start, prefix, body, words) => {
  const fake = await start()
  const ask = (key: string) =>
    fetch(`${fake.url}${prefix}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages: [HI], ...body }),
    })
  const response = await ask(fake.key)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject(words)
  const { status } = fake.failWith('bad-key')
  expect((await ask('another')).status).toBe(status ?? 0)
  expect(fake.complaints).toHaveLength(2)
  await fake.stop()
})
