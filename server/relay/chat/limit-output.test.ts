import { expect, test } from 'bun:test'
import type { JsonObject } from '../../dialects/json.ts'
import type { DialectName } from '../../dialects/spec.ts'
import { limitOutput } from './limit-output.ts'

const cases: readonly [DialectName, JsonObject, JsonObject][] = [
  ['openai-chat', {}, { max_tokens: 100 }],
  ['openai-chat', { max_tokens: 5000 }, { max_tokens: 100 }],
  ['openai-chat', { max_completion_tokens: null }, { max_completion_tokens: 100 }],
  // Each of two is kept to it, and none becomes larger than it was.
  [
    'openai-chat',
    { max_completion_tokens: 5, max_tokens: 5000 },
    { max_completion_tokens: 5, max_tokens: 100 },
  ],
  ['openai-chat', { max_completion_tokens: null, max_tokens: 5000 }, { max_tokens: 100 }],
  ['openai-responses', { max_output_tokens: 5000 }, { max_output_tokens: 100 }],
  ['gemini', {}, { generationConfig: { maxOutputTokens: 100 } }],
  [
    'gemini',
    { generation_config: { max_output_tokens: 5000, temperature: 1 } },
    { generation_config: { max_output_tokens: 100, temperature: 1 } },
  ],
  ['anthropic', { max_tokens: 5000 }, { max_tokens: 100 }],
  ['anthropic', { max_tokens: 5000, thinking: { type: 'enabled', budget_tokens: 50 } }, { max_tokens: 100 }],
  [
    'anthropic',
    { max_tokens: 5000, thinking: { type: 'enabled', budget_tokens: 4000 } },
    { max_tokens: 100, thinking: { type: 'disabled' } },
  ],
]

test.each(cases)('%s %j is limited by %j', (dialect, body, edits) => {
  expect(limitOutput(dialect, body, 100)).toEqual(edits)
})

test('thinking keeps half of what there is, if that is enough for any', () => {
  const thinking = { type: 'enabled', budget_tokens: 10_000, display: 'summarized' }
  expect(limitOutput('anthropic', { max_tokens: 20_000, thinking }, 3000)).toEqual({
    max_tokens: 3000,
    thinking: { type: 'enabled', budget_tokens: 1500, display: 'summarized' },
  })
})

test('a response has the least that its vendor takes', () => {
  expect(limitOutput('openai-responses', {}, 3)).toEqual({ max_output_tokens: 16 })
})
