import { expect, test } from 'bun:test'
import { frontOfKeys } from './channel-key.ts'

const OPENAI = 1
const BAIDU = 15
const VERTEX = 41
const ANY_HTTP = 1001

test.each([
  [OPENAI, 'Bearer sk-1', 'Bearer'],
  [OPENAI, 'sk-1\n  bearer sk-2', 'bearer'],
  [OPENAI, '"sk-1"', '"'],
  [OPENAI, "'sk-1',", "'"],
  [OPENAI, 'OPENAI_API_KEY=sk-1', 'OPENAI_API_KEY='],
  [OPENAI, 'export OPENAI_API_KEY="sk-1"', 'export OPENAI_API_KEY="'],
  [OPENAI, '$env:ANTHROPIC_AUTH_TOKEN = "sk-1"', '$env:ANTHROPIC_AUTH_TOKEN = "'],
  [OPENAI, '"OPENAI_API_KEY": "sk-1"', '"OPENAI_API_KEY": "'],
  [OPENAI, '-H "Authorization: Bearer sk-1"', '-H "Authorization: Bearer'],
  [OPENAI, 'x-api-key: sk-1', 'x-api-key:'],
  [BAIDU, 'Bearer id|secret', 'Bearer'],
  [VERTEX, 'GEMINI_API_KEY=AIza', 'GEMINI_API_KEY='],
  [VERTEX, '{"private_key":\n"Bearer x"}', undefined],
  [OPENAI, 'sk-proj-a_B-c', undefined],
  [OPENAI, 'A_KEY_OF_CAPITALS==', undefined],
  [OPENAI, 'MY_TOKEN=', undefined],
  [OPENAI, 'bearer-of-news', undefined],
  [OPENAI, 'export', undefined],
  [OPENAI, 'uuid:secret', undefined],
  [BAIDU, 'id|secret', undefined],
  [BAIDU, 'bce-v3/ALTAK-x/y', undefined],
  [ANY_HTTP, 'Bearer own', undefined],
])('of type %d, in front of %s stands %p', (type, text, front) => {
  expect(frontOfKeys(type, text)).toBe(front)
})
