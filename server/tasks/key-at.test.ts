import { expect, test } from 'bun:test'
import { account as anthropic } from './anthropic-batches/account.ts'
import { account as gemini } from './gemini/account.ts'
import { keyAt } from './key-at.ts'
import { account as openai } from './openai-batches/account.ts'

test.each([
  ['OpenAI', openai],
  ['Anthropic', anthropic],
  ['Gemini', gemini],
])('a key goes to %s only if it is of that vendor', (_, account) => {
  const [type = 0] = account.channelTypes
  expect(keyAt(account, { type, key: 'renewed' }, 'first')).toBe('first')
  expect(keyAt(account, { type, key: 'renewed' }, undefined)).toBe('renewed')
  expect(keyAt(account, { type: 40, key: 'of another vendor' }, 'first')).toBe('first')
  expect(keyAt(account, { type: 40, key: 'of another vendor' }, undefined)).toBeUndefined()
})
