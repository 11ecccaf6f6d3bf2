import { describe, expect, test } from 'bun:test'
import { handClock } from '../../../test/relay/sample-channels.ts'
import { Affinity, affinityKey, type ConversationHints } from './affinity.ts'

describe('the key of a conversation', () => {
  const opening = ['You are a helpful assistant', 'Hello']
  const all: ConversationHints = { cacheKey: 'c', userId: 'u', conversation: 'resp_1', opening }

  test('is the same for the same conversation, and another for any other', () => {
    const others: [number, string, ConversationHints][] = [
      [1, 'm', { opening }],
      [2, 'm', { opening }],
      [1, 'n', { opening }],
      [1, 'm', { opening: ['You are a helpful assistant', 'Hi'] }],
      [1, 'm', { opening: ['You are a helpful assistantHello'] }],
      [1, 'm', { opening: ['You are a helpful assistantH', 'ello'] }],
      [1, 'm', { cacheKey: 'x' }],
      [1, 'm', { userId: 'x' }],
      [1, 'm', { conversation: 'x' }],
      [1, 'm', { opening: ['x'] }],
    ]
    const keys = others.map(([token, model, hints]) => affinityKey(token, model, hints))
    expect(new Set(keys).size).toBe(others.length)
    expect(affinityKey(1, 'm', { opening: [...opening] })).toBe(keys[0])
  })

  test.each([
    ['cache key', all, { cacheKey: 'c' }],
    ['user', { ...all, cacheKey: '' }, { userId: 'u' }],
    ['conversation', { ...all, cacheKey: undefined, userId: '' }, { conversation: 'resp_1' }],
    ['opening', { opening }, { opening, cacheKey: '' }],
  ] satisfies [string, ConversationHints, ConversationHints][])('is made of the %s first', (_name, a, b) => {
    expect(affinityKey(1, 'm', a)).toBe(affinityKey(1, 'm', b))
  })

  test('is none when nothing is known', () => {
    expect(affinityKey(1, 'm', {})).toBeUndefined()
    expect(affinityKey(1, 'm', { cacheKey: '', opening: ['', ''] })).toBeUndefined()
  })
})

describe('where a conversation goes', () => {
  test('to the channel it was last with, for an hour', () => {
    const clock = handClock()
    const affinity = new Affinity(clock)
    expect(affinity.find(7n)).toBeUndefined()
    expect(affinity.find(undefined)).toBeUndefined()
    affinity.remember(7n, 1)
    affinity.remember(7n, 2)
    clock.passes(3_599_999)
    expect(affinity.find(7n)).toEqual({ channelId: 2, pinned: false })
    affinity.remember(7n, 2)
    clock.passes(3_599_999)
    expect(affinity.find(7n)).toEqual({ channelId: 2, pinned: false })
    clock.passes(1)
    expect(affinity.find(7n)).toBeUndefined()
  })

  test('is forgotten when there are too many: the one set longest ago first', () => {
    const affinity = new Affinity(handClock(), 3)
    for (const key of [1n, 2n, 3n]) affinity.remember(key, 10)
    affinity.remember(1n, 11)
    affinity.remember(4n, 10)
    expect([1n, 2n, 3n, 4n].map(key => affinity.find(key)?.channelId)).toEqual([11, undefined, 10, 10])
  })
})
