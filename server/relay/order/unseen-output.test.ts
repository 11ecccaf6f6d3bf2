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
