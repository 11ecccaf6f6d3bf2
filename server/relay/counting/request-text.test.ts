import { afterAll, expect, test } from 'bun:test'
import type { NeutralRequest } from '../../dialects/spec.ts'
import { countRequest, textOf } from './request-text.ts'
import { TokenCounter } from './token-counter.ts'

const counter = new TokenCounter()
afterAll(() => counter.stop())

const empty: NeutralRequest = { model: 'm', stream: false, system: [], tools: [], messages: [] }

const conversation: NeutralRequest = {
  ...empty,
  system: [{ type: 'text', text: 'Be brief.' }],
  tools: [
    { type: 'function', name: 'weather', description: 'Looks outside.', schema: { type: 'object' } },
    { type: 'function', name: 'now' },
  ],
  format: { type: 'schema', name: 'out', schema: { type: 'string' } },
  messages: [
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'Look:' },
        { type: 'image', source: { data: 'AAAA', mediaType: 'image/png' } },
        { type: 'file', source: { data: btoa('a,b\n1,2'), mediaType: 'text/csv' } },
      ],
    },
    {
      role: 'assistant',
      parts: [
        { type: 'thinking', text: 'Hm.' },
        { type: 'tool-call', id: 'c1', name: 'weather', input: '{"city":"上海"}' },
        { type: 'tool-call', id: 'c2', name: 'now', input: '' },
      ],
    },
    {
      role: 'user',
      parts: [{ type: 'tool-result', callId: 'c1', content: [{ type: 'text', text: 'Rain.' }] }],
    },
  ],
}

test('every text of a request is there, media are not', () => {
  expect(textOf(conversation)).toEqual([
    'Be brief.',
    '{"name":"weather","description":"Looks outside.","parameters":{"type":"object"}}',
    '{"name":"now"}',
    'Look:',
    'a,b\n1,2',
    'Hm.',
    'weather',
    '{"city":"上海"}',
    'now',
    'Rain.',
    '{"type":"string"}',
  ])
})

test('a request is its texts and the allowances', async () => {
  const hello = { role: 'user', parts: [{ type: 'text', text: 'hello world' }] } as const
  expect(await countRequest(counter, { ...empty, messages: [hello] })).toBe(2 + 4 + 3)
  expect(await countRequest(counter, { ...empty, messages: [hello, hello] })).toBe(4 + 8 + 3)
  const texts = await counter.countTexts(textOf(conversation))
  expect(await countRequest(counter, conversation)).toBe(texts + 4 * 4 + 3 + 765)
})
