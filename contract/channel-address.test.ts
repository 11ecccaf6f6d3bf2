import { expect, test } from 'bun:test'
import { callIn, pageIn } from './channel-address.ts'

const OPENAI = 1
const AZURE = 3
const CUSTOM = 8
const ANTHROPIC = 14
const GEMINI = 24

test.each([
  [OPENAI, 'https://a.example/v1/chat/completions', '/chat/completions'],
  [OPENAI, 'https://a.example/v1/chat/completions/', '/chat/completions/'],
  [ANTHROPIC, 'https://a.example/v1/messages', '/messages'],
  [
    AZURE,
    'https://a.openai.azure.com/openai/deployments/mine/chat/completions?api-version=2024-06-01',
    '/openai/deployments/mine/chat/completions?api-version=2024-06-01',
  ],
  [
    AZURE,
    'https://a.openai.azure.com/openai/v1/responses?api-version=preview',
    '/responses?api-version=preview',
  ],
  [GEMINI, 'https://a.example/v1beta/models/m:generateContent?key=x', '/models/m:generateContent?key=x'],
  [OPENAI, 'https://a.example#', '#'],
  [AZURE, 'https://a.openai.azure.com/?api-version=2024-06-01', '?api-version=2024-06-01'],
  [OPENAI, 'https://proxy.example/?to=a.example', undefined],
  [OPENAI, 'https://a.example/v1', undefined],
  [OPENAI, 'https://models.example/inference', undefined],
  [OPENAI, 'https://a.services.ai.azure.com/models', undefined],
  [OPENAI, 'https://messages.example', undefined],
  [OPENAI, 'glm-coding-plan', undefined],
  [CUSTOM, 'https://a.example/v1/chat/completions?x=1', undefined],
])('of type %d, %s names the call %p', (type, address, call) => {
  expect(callIn(type, address)).toBe(call)
})

test.each([
  ['https://platform.moonshot.cn/console/api-keys', 'platform.moonshot.cn'],
  ['https://Platform.OpenAI.com', 'platform.openai.com'],
  ['https://api.moonshot.cn', undefined],
  // Of one's own anything may be called so.
  ['https://platform.company.example/v1', undefined],
  ['https://proxy.example/https://platform.openai.com', undefined],
  ['glm-coding-plan', undefined],
])('at %s there is the page %p', (address, host) => {
  expect(pageIn(address)).toBe(host)
})
