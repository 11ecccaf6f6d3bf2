import { asObject, type Json, type JsonObject } from '../../server/dialects/json.ts'
import {
  type FakeUpstream,
  startAnthropic,
  startDeepseek,
  startGemini,
  startMistral,
  startOpenai,
} from './index.ts'

export const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
export const CLAUDE_TOOL = { name: 'weather', input_schema: SCHEMA }

export interface Told {
  readonly status: number
  readonly json: JsonObject
}

async function post(
  fake: FakeUpstream,
  path: string,
  headers: Record<string, string>,
  body: JsonObject,
): Promise<Told> {
  const response = await fetch(fake.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, json: asObject(await response.json()) ?? {} }
}

export function chat(fake: FakeUpstream, body: JsonObject, path = '/v1/chat/completions'): Promise<Told> {
  return post(fake, path, { authorization: `Bearer ${fake.key}` }, body)
}

export function askClaude(fake: FakeUpstream, body: JsonObject, path = '/v1/messages'): Promise<Told> {
  return post(fake, path, { 'x-api-key': fake.key, 'anthropic-version': '2023-06-01' }, body)
}

/** One of each vendor, and how a client that knows them asks. */
export async function startVendors() {
  const [openai, anthropic, gemini, mistral, deepseek] = await Promise.all([
    startOpenai(),
    startAnthropic(),
    startGemini(),
    startMistral(),
    startDeepseek(),
  ])
  return {
    gpt: (body: JsonObject) => chat(openai, body),
    responses: (body: JsonObject) => chat(openai, body, '/v1/responses'),
    claude: (body: JsonObject) => askClaude(anthropic, { max_tokens: 4000, ...body }),
    countClaude: (body: JsonObject) => askClaude(anthropic, body, '/v1/messages/count_tokens'),
    gem: (model: string, body: JsonObject) =>
      post(gemini, `/v1beta/models/${model}:generateContent`, { 'x-goog-api-key': gemini.key }, body),
    mistral: (body: JsonObject) => chat(mistral, body),
    deepseek: (body: JsonObject) => chat(deepseek, body, '/chat/completions'),
    async stop() {
      for (const fake of [openai, anthropic, gemini, mistral, deepseek]) await fake.stop()
    },
  }
}

export function user(content: Json): JsonObject {
  return { role: 'user', content }
}
