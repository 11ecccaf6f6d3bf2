import { describe, expect, test } from 'bun:test'
import { handClock, sampleChannel, seededRandom } from '../../../test/relay/sample-channels.ts'
import type { Channel } from './channel.ts'
import { ChannelHealth } from './channel-health.ts'
import { Attempts, type Route } from './choose-channel.ts'

const weighed = (weights: readonly number[], from = 1): Channel[] =>
  weights.map((weight, index) => sampleChannel({ id: from + index, weight }))

function startAttempts(route: Partial<Route> & Pick<Route, 'candidates'>): Attempts {
  return new Attempts({
    model: 'm',
    health: new ChannelHealth(handClock()),
    random: seededRandom(1),
    ...route,
  })
}

/** Takes all that can be had, as if each had failed in a way that is nobody's fault. */
function takeAll(attempts: Attempts): number[] {
  const ids: number[] = []
  for (let channel = attempts.next(); channel; channel = attempts.next()) ids.push(channel.id)
  return ids
}

describe('the shares of the channels in a tier follow their weights', () => {
  test.each([
    ['two', [10, 30], []],
    ['four', [1, 2, 3, 4], []],
    ['all without weight', [0, 0, 0], []],
    ['one without weight among others', [0, 5, 15], []],
    ['more than are drawn quickly', [5, 1, 4, 2, 3, 10, 7, 8], []],
    ['many, half of them resting', [5, 1, 4, 2, 3, 10, 7, 8], [2, 4, 6, 8]],
    ['many, and all that have a weight resting', [0, 0, 9, 9, 0, 9, 0], [3, 4, 6]],
    ['many without weight', [0, 0, 0, 0, 0, 0], [1]],
    ['negative ones', [-5, 1, 3], []],
  ])('%s', (_name, weights, resting) => {
    const tier = weighed(weights)
    const health = new ChannelHealth(handClock())
    for (const channel of tier)
      if (resting.includes(channel.id)) health.failed(channel, 'm', { kind: 'rate' })
    const random = seededRandom(20_260_801)
    const rounds = 60_000
    const drawn = new Map<number, number>()
    for (let round = 0; round < rounds; round++) {
      const id = startAttempts({ candidates: [tier], health, random }).next()?.id ?? 0
      drawn.set(id, (drawn.get(id) ?? 0) + 1)
    }
    const usable = tier.filter(channel => !resting.includes(channel.id))
    const positive = usable.filter(channel => channel.weight > 0)
    const expected = positive.length > 0 ? positive : usable
    const sum = positive.reduce((total, { weight }) => total + weight, 0) || expected.length
    expect([...drawn.keys()].sort((a, b) => a - b)).toEqual(expected.map(channel => channel.id))
    for (const { id, weight } of expected) {
      const share = (drawn.get(id) ?? 0) / rounds / ((positive.length > 0 ? weight : 1) / sum)
      expect(share).toBeGreaterThan(0.9)
      expect(share).toBeLessThan(1.1)
    }
  })

  test('and the ends of the random numbers are inside', () => {
    const tier = weighed([0, 3, 0, 2, 0, 0])
    const draw = (number: number) => startAttempts({ candidates: [tier], random: () => number }).next()?.id
    expect([draw(0), draw(0.599), draw(0.6), draw(1 - Number.EPSILON)]).toEqual([2, 2, 4, 4])
  })
})

describe('the order of the attempts', () => {
  test('a tier is used up before the next, weighted channels before those without weight', () => {
    const candidates = [weighed([0, 5, 0]), weighed([7], 10), weighed([0, 0, 0, 0, 1, 0], 20)]
    const ids = takeAll(startAttempts({ candidates }))
    expect(ids[0]).toBe(2)
    expect(ids.slice(1, 3).sort()).toEqual([1, 3])
    expect(ids.slice(3, 5)).toEqual([10, 24])
    expect(ids.slice(5).sort()).toEqual([20, 21, 22, 23, 25])
  })

  test('a channel that was tried is not tried again, even when its row has changed since', () => {
    const before = sampleChannel({ id: 1 })
    const tier = [before]
    const attempts = startAttempts({ candidates: [tier] })
    expect(attempts.next()).toBe(before)
    tier[0] = sampleChannel({ id: 1, weight: 9 })
    expect(attempts.next()).toBeUndefined()
  })

  test('channels that are not able or are resting are passed over', () => {
    const candidates = [weighed([1, 1]), weighed([1], 10), weighed([1], 20)]
    const health = new ChannelHealth(handClock())
    const [first, second] = candidates[0] ?? []
    if (!first || !second) throw new Error('there are two')
    health.failed(first, 'm', { kind: 'rate' })
    health.failed(second, 'another model', { kind: 'rate' })
    const can = (channel: Channel): boolean => channel.id !== 10
    expect(takeAll(startAttempts({ candidates, health, can }))).toEqual([2, 20])
  })

  test('no candidates, no channel', () => {
    const attempts = startAttempts({ candidates: [] })
    expect([attempts.next(), attempts.retryAfter()]).toEqual([undefined, undefined])
  })
})

describe('a preferred channel', () => {
  const candidates = [weighed([1000, 1]), weighed([1], 10)]
  const rest = (id: number): ChannelHealth => {
    const health = new ChannelHealth(handClock())
    const channel = candidates.flat().find(one => one.id === id)
    if (channel) health.failed(channel, 'm', { kind: 'rate', retryAfter: 42 })
    return health
  }
  test.each([
    ['is taken first', { channelId: 2, pinned: false }, 0, [2, 1, 10]],
    ['is not taken before a higher tier', { channelId: 10, pinned: false }, 0, [1, 2, 10]],
    ['is passed over while it rests', { channelId: 2, pinned: false }, 2, [1, 10]],
    ['may be gone', { channelId: 99, pinned: false }, 0, [1, 2, 10]],
    ['that is pinned is the only one', { channelId: 10, pinned: true }, 0, [10]],
    ['that is pinned has no stand-in while it rests', { channelId: 10, pinned: true }, 10, []],
    ['that is pinned and gone binds nobody', { channelId: 99, pinned: true }, 0, [1, 2, 10]],
  ])('%s', (_name, prefer, resting, expected) => {
    const random = (): number => 0
    const attempts = startAttempts({ candidates, prefer, random, health: rest(resting) })
    expect(takeAll(attempts)).toEqual(expected)
    if (prefer.pinned && resting) expect(attempts.retryAfter()).toBe(42)
  })
})

describe('what became of an attempt', () => {
  test('a 429 is told to the others and to the caller', () => {
    const candidates = [weighed([1, 1])]
    const health = new ChannelHealth(handClock())
    const attempts = startAttempts({ candidates, health })
    attempts.next()
    attempts.failed({ kind: 'rate', retryAfter: 30 })
    expect(attempts.retryAfter()).toBeUndefined()
    attempts.next()
    attempts.failed({ kind: 'rate', retryAfter: 7 })
    expect([attempts.next(), attempts.retryAfter()]).toEqual([undefined, 7])
    const another = startAttempts({ candidates, health })
    expect([another.next(), another.retryAfter()]).toEqual([undefined, 7])
    const unable = startAttempts({ candidates, health, can: () => false })
    expect([unable.next(), unable.retryAfter()]).toEqual([undefined, undefined])
  })

  test('of many requests one probes, and who leaves hands the probe on, but only its own', () => {
    const clock = handClock()
    const health = new ChannelHealth(clock)
    const candidates = [weighed([1])]
    const start = () => startAttempts({ candidates, health })
    const straggler = start()
    straggler.next()
    for (let failure = 0; failure < 5; failure++) {
      const attempts = start()
      attempts.next()
      attempts.failed({ kind: 'server' })
    }
    expect(start().next()).toBeUndefined()
    clock.passes(10_000)
    const probe = start()
    expect(probe.next()?.id).toBe(1)
    straggler.abandoned()
    expect(start().next()).toBeUndefined()
    probe.abandoned()
    const second = start()
    expect(second.next()?.id).toBe(1)
    expect(start().next()).toBeUndefined()
    second.succeeded()
    expect([start().next()?.id, start().next()?.id]).toEqual([1, 1])
  })

  test('a verdict counts once', () => {
    const clock = handClock()
    const health = new ChannelHealth(clock)
    const candidates = [weighed([1])]
    const attempts = startAttempts({ candidates, health })
    attempts.next()
    for (let again = 0; again < 9; again++) attempts.failed({ kind: 'server' })
    expect(startAttempts({ candidates, health }).next()?.id).toBe(1)
  })
})

describe('a channel whose key has failed', () => {
  const clock = handClock()
  const several = (id: number, keys: number) =>
    sampleChannel({ id, key: Array.from({ length: keys }, (_, at) => `${id}-k${at}`).join('\n'), clock })
  const start = (candidates: Route['candidates']) =>
    startAttempts({ candidates, health: new ChannelHealth(clock) })
  /** Takes all that can be had while every key is limited. */
  function spendAll(attempts: Attempts, tries = Number.POSITIVE_INFINITY): (string | undefined)[] {
    const keys: (string | undefined)[] = []
    for (let channel = attempts.next(); channel; channel = attempts.next(keys.length === tries - 1)) {
      const key = attempts.takeKey(channel)
      keys.push(key)
      attempts.failed({ kind: 'rate', retryAfter: 30 }, key)
      if (keys.length === tries) break
    }
    return keys
  }

  test('is asked with another after its equals, and before the next tier', () => {
    const candidates = [[several(1, 3)], [several(2, 1)]]
    expect(spendAll(start(candidates))).toEqual(['1-k0', '1-k1', '1-k2', '2-k0'])
    const equals = [[several(1, 2), several(2, 2)]]
    const channels = spendAll(start(equals)).map(key => key?.[0])
    expect(new Set(channels.slice(0, 2)).size).toBe(2)
    expect(channels.length).toBe(4)
  })

  test('has not the last try, as long as there is another that was not asked', () => {
    const candidates = () => [[several(1, 3)], [several(2, 1)]]
    expect(spendAll(start(candidates()), 2)).toEqual(['1-k0', '2-k0'])
    expect(spendAll(start(candidates()), 3)).toEqual(['1-k0', '1-k1', '2-k0'])
    expect(spendAll(start([[several(1, 3)]]), 3)).toEqual(['1-k0', '1-k1', '1-k2'])
  })

  test('is not asked with the same one, though it is back by then', () => {
    const channel = several(1, 2)
    const attempts = start([[channel]])
    for (const key of ['1-k0', '1-k1']) {
      expect(attempts.takeKey(attempts.next() ?? channel)).toBe(key)
      attempts.failed({ kind: 'rate', retryAfter: 1 }, key)
      clock.passes(1000)
    }
    expect(attempts.next()).toBeUndefined()
  })

  test('is asked no more when nothing came of the second, or the channel itself failed', () => {
    for (const end of [() => {}, (attempts: Attempts) => attempts.failed({ kind: 'server' }, '1-k1')]) {
      const channel = several(1, 3)
      const attempts = start([[channel]])
      attempts.next()
      attempts.keyFailed(attempts.takeKey(channel) ?? '')
      expect(attempts.next()).toBe(channel)
      end(attempts)
      expect(attempts.next()).toBeUndefined()
    }
  })

  test('tells when it is worth asking again', () => {
    const channel = several(1, 2)
    const attempts = start([[channel]])
    for (const [retryAfter, wait] of [
      [30, 1],
      [7, 7],
    ] as const) {
      attempts.next()
      attempts.failed({ kind: 'rate', retryAfter }, attempts.takeKey(channel))
      expect(attempts.worthAsking(40)).toBe(wait)
    }
    expect(attempts.worthAsking(3)).toBe(3)
  })
})
