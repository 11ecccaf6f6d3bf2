import { expect, test } from 'bun:test'
import { UnseenOutput } from './unseen-output.ts'

const thinks = [
  'o1',
  'o3-pro',
  'gpt-5',
  'gpt-5.6-sol',
  'openai/gpt-5-mini',
  'gemini-2.5-pro',
  'gemini-3-pro-preview',
]
const others = [
  'gpt-4o',
  'gpt-35-turbo',
  'gpt-41',
  'gpt-5-chat',
  'gpt-5.1-chat-latest',
  'gemini-2.0-flash',
  'omni',
]
const vendors = ['grok-4.5', 'claude-opus-5', 'claude-sonnet-4-6', 'deepseek-reasoner']

test('models that think are known by their names', () => {
  const unseen = new UnseenOutput()
  for (const model of [...thinks, ...vendors])
    expect([model, unseen.thinks(model, false)]).toEqual([model, true])
  for (const model of [...others, 'grok-4-fast-non-reasoning', 'claude-3-haiku-20240307'])
    expect([model, unseen.thinks(model, false)]).toEqual([model, false])
  expect(unseen.thinks('gpt-4o', true)).toBe(true)
})

test('what is under way counts until it is over', () => {
  const unseen = new UnseenOutput()
  const caller = { userId: 1, balance: 1000 } as Parameters<UnseenOutput['enter']>[0]
  expect([unseen.enter(caller, 200), unseen.enter(caller, 100)]).toEqual([true, false])
  unseen.leave(1, 200)
  expect(unseen.enter(caller, 250)).toBe(true)
  unseen.leave(1, 250)
  expect(unseen.shareOf(caller)).toBe(500)
  unseen.hold(1, 500)
  expect([unseen.shareOf(caller), unseen.enter(caller, 200)]).toEqual([250, false])
  unseen.release(1, 500)
  expect(unseen.shareOf(caller)).toBe(500)
})

test('the limit of an answer goes by the longest of the model’s answers, once there are some', () => {
  const unseen = new UnseenOutput()
  expect([unseen.sizeOf('gpt-5'), unseen.sizeOf('unheard-of')]).toEqual([32_768, 8192])
  // A name that is known to think is not believed to be brief after a few.
  for (let answer = 0; answer < 19; answer++) unseen.learn('gpt-5', answer === 3 ? 5000 : 10)
  expect(unseen.sizeOf('gpt-5')).toBe(32_768)
  unseen.learn('gpt-5', 10)
  expect(unseen.sizeOf('gpt-5')).toBe(20_000)
  unseen.learn('unheard-of', 3000)
  unseen.learn('unheard-of', 10)
  expect(unseen.sizeOf('unheard-of')).toBe(12_000)
  expect(unseen.thinks('unheard-of', false)).toBe(true)
  // Within what nearly every model takes.
  unseen.learn('unheard-of', 500_000)
  unseen.learn('brief', 1)
  expect([unseen.sizeOf('unheard-of'), unseen.sizeOf('brief')]).toEqual([32_768, 8192])
})
