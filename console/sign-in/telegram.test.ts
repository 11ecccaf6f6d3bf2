import { expect, test } from 'bun:test'
import { readTelegramAnswer, telegramAddress } from './telegram.ts'

const fragment = (answer: unknown) =>
  `#tgAuthResult=${Buffer.from(JSON.stringify(answer)).toString('base64url')}`

test('the address names the bot, our origin and where to come back', () => {
  const address = new URL(telegramAddress('123456', 'https://gate.example.com', 'a-state'))
  expect(address.origin).toBe('https://oauth.telegram.org')
  expect(Object.fromEntries(address.searchParams)).toEqual({
    bot_id: '123456',
    origin: 'https://gate.example.com',
    return_to: 'https://gate.example.com/oauth/telegram?state=a-state',
  })
})

test('the answer is read as text, in any alphabet', () => {
  const answer = { id: 42, first_name: '小明 🚪', auth_date: 1790000000, hash: 'ab' }
  expect(readTelegramAnswer(fragment(answer))).toEqual({
    id: '42',
    first_name: '小明 🚪',
    auth_date: '1790000000',
    hash: 'ab',
  })
})

test('whatever is no answer is none', () => {
  const strange = ['', '#', '#tgAuthResult=', '#tgAuthResult=!!', '#tgAuthResult=AAAA', '#other=1']
  for (const text of strange) expect(readTelegramAnswer(text)).toBeUndefined()
  for (const value of [null, 5, 'text', [1]]) expect(readTelegramAnswer(fragment(value))).toBeUndefined()
  expect(readTelegramAnswer(fragment({ id: 1, nested: { a: 1 }, no: null }))).toEqual({ id: '1' })
})
