import { expect, test } from 'bun:test'
import { chooseEndpoint } from '../choose-endpoint.ts'
import { openrouter } from './provider.ts'

const to = { key: 'k', stream: false, other: '', organization: undefined }

test.each([
  ['anthropic/claude-opus-5.5', openrouter.baseUrl, 'anthropic'],
  ['openai/gpt-5.5', openrouter.baseUrl, 'openai-chat'],
  ['anthropic/claude-opus-5.5', 'https://elsewhere.example', 'openai-chat'],
])('a client of Anthropic’s who asks %s at %s is served by %s', (model, baseUrl, dialect) => {
  expect(chooseEndpoint(openrouter, 'anthropic', { ...to, model, baseUrl })?.dialect).toBe(
    dialect as 'anthropic',
  )
})

test('what is left is what was bought less what was used', () => {
  const left = (data: object | null) =>
    openrouter.balance?.read({ data: { ...data } }, { ...to, baseUrl: '', model: '' })
  expect(left({ total_credits: 100.5, total_usage: 25.75 })).toEqual({ amount: 74.75, currency: 'USD' })
  for (const data of [null, { total_credits: '1' }, { total_usage: 1 }]) expect(left(data)).toBeUndefined()
})
