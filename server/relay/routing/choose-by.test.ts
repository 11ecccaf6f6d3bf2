import { describe, expect, test } from 'bun:test'
import { handClock, sampleChannel, seededRandom } from '../../../test/relay/sample-channels.ts'
import type { Channel } from './channel.ts'
import { ChannelHealth } from './channel-health.ts'
import { Attempts, type Route } from './choose-channel.ts'
import type { Draw } from './draw-channel.ts'
import { drawCheapest } from './draw-cheapest.ts'
import { drawFastest } from './draw-fastest.ts'
import { drawLeastBusy } from './draw-least-busy.ts'

const AT = 1_000_000
const timed = { model: 'm', stream: true }
const fastest: Draw = (tier, isUsable, random) => drawFastest(tier, isUsable, random, timed, AT)

const weighed = (weights: readonly number[], from = 1): Channel[] =>
  weights.map((weight, index) => sampleChannel({ id: from + index, weight }))

function busy(channel: Channel | undefined, times: number): void {
  for (let time = 0; time < times; time++) channel?.load.enter()
}

function measured(channel: Channel | undefined, ms: number): void {
  channel?.load.paceOf('m', true)?.measured(ms, AT)
}

function attempts(draw: Draw, route: Partial<Route> & Pick<Route, 'candidates'>): Attempts {
  return new Attempts({
    model: 'm',
    health: new ChannelHealth(handClock()),
    random: seededRandom(5),
    draw,
    ...route,
  })
}

/** How often each is drawn, none of them becoming any busier. */
function drawn(draw: Draw, tier: readonly Channel[], rounds = 20_000): Record<number, number> {
  const random = seededRandom(20_261_116)
  const counts: Record<number, number> = {}
  for (let round = 0; round < rounds; round++) {
    const id = draw(tier, () => true, random)?.id ?? 0
    counts[id] = (counts[id] ?? 0) + 1
  }
  return counts
}

/** How many each has when so many have come and nobody has left. */
function filled(tier: readonly Channel[], requests: number): number[] {
  const random = seededRandom(7)
  for (let request = 0; request < requests; request++) drawLeastBusy(tier, () => true, random)?.load.enter()
  return tier.map(({ load }) => load.underWay)
}

describe('the least busy', () => {
  test.each([
    ['as many at each', [0, 0, 0], 300, [100, 100, 100]],
    ['by weight', [3, 1], 400, [300, 100]],
    ['none at one without weight beside others', [0, 2, 2], 100, [0, 50, 50]],
    ['many channels', [1, 1, 1, 1, 1, 1, 2, 2], 1000, [100, 100, 100, 100, 100, 100, 200, 200]],
  ])('%s', (_name, weights, requests, expected) => {
    expect(filled(weighed(weights), requests)).toEqual(expected)
  })

  test.each([
    ['few', [1, 3, 0]],
    ['many', [1, 3, 0, 0, 0, 0, 0]],
  ])('equals are drawn by weight (%s)', (_name, weights) => {
    const { 1: one = 0, 2: two = 0, ...others } = drawn(drawLeastBusy, weighed(weights))
    expect(others).toEqual({})
    expect(two / one).toBeWithin(2.8, 3.2)
  })

  test('one without weight serves when those that have one cannot', () => {
    const tier = weighed([5, 0, 0])
    busy(tier[1], 4)
    expect(drawLeastBusy(tier, ({ id }) => id !== 1, seededRandom(1))?.id).toBe(3)
    busy(tier[0], 1000)
    expect(drawLeastBusy(tier, () => true, seededRandom(1))?.id).toBe(1)
    expect(drawLeastBusy([...tier].reverse(), () => true, seededRandom(1))?.id).toBe(1)
    expect(drawLeastBusy(tier, () => false, seededRandom(1))).toBeUndefined()
  })
})

/** Each with its weight and its share of the listed price. */
const priced = (...channels: readonly (readonly [weight: number, ratio: number | undefined])[]): Channel[] =>
  channels.map(([weight, cost_ratio], index) =>
    sampleChannel({ id: 1 + index, weight, setting: JSON.stringify({ cost_ratio }) }),
  )

describe('the cheapest', () => {
  test('is drawn whatever the weights, and before those whose cost nobody knows', () => {
    expect(drawn(drawCheapest, priced([9, 0.5], [1, 0.3], [9, undefined]))).toEqual({ 2: 20_000 })
    expect(drawn(drawCheapest, priced([9, undefined], [1, 1000]))).toEqual({ 2: 20_000 })
    // What costs nothing is known to.
    expect(drawn(drawCheapest, priced([1, 0.000001], [1, 0], [1, undefined]))).toEqual({ 2: 20_000 })
  })

  test('equals are drawn by weight, also those of unknown cost', () => {
    for (const ratio of [0.3, undefined]) {
      const {
        1: one = 0,
        2: two = 0,
        ...others
      } = drawn(drawCheapest, priced([1, ratio], [3, ratio], [0, ratio]))
      expect(others).toEqual({})
      expect(two / one).toBeWithin(2.8, 3.2)
    }
    const { 2: one = 0, 3: two = 0 } = drawn(drawCheapest, priced([1, 0.4], [1, 0.3], [3, 0.3], [9, 0.5]))
    expect(two / one).toBeWithin(2.8, 3.2)
    expect(one + two).toBe(20_000)
  })

  test('one without weight serves when those that have one cannot, the cheapest first', () => {
    const tier = priced([0, 0.1], [5, 0.9], [0, 0])
    expect(drawCheapest(tier, () => true, seededRandom(1))?.id).toBe(2)
    expect(drawCheapest(tier, ({ id }) => id !== 2, seededRandom(1))?.id).toBe(3)
    expect(drawCheapest(tier, () => false, seededRandom(1))).toBeUndefined()
  })

  test('one that fails is followed by the next in cost, and the last of a tier by the next tier', () => {
    const free = sampleChannel({ id: 9, setting: '{"cost_ratio":0}' })
    const tries = attempts(drawCheapest, {
      candidates: [priced([1, 0.8], [1, 0.2], [1, undefined]), [free]],
    })
    expect([tries.next()?.id, tries.next()?.id, tries.next()?.id, tries.next()?.id]).toEqual([2, 1, 3, 9])
  })
})

describe('the fastest', () => {
  test('of two it is the quick one, whatever their weights', () => {
    const tier = weighed([1, 9])
    measured(tier[0], 100)
    measured(tier[1], 300)
    expect(drawn(fastest, tier)).toEqual({ 1: 20_000 })
  })

  test('of more, not everybody runs to the same, and nobody to the slowest', () => {
    const tier = weighed([0, 0, 0])
    for (const [at, ms] of [100, 200, 300].entries()) measured(tier[at], ms)
    const { 1: first = 0, 2: second = 0, ...others } = drawn(fastest, tier)
    expect(others).toEqual({})
    expect(first / second).toBeWithin(1.9, 2.1)
  })

  test('those that wait are shared out by how quick it is and by weight', () => {
    const wait = (weights: readonly number[], times: readonly number[]) => {
      const tier = weighed(weights)
      for (const [at, ms] of times.entries()) measured(tier[at], ms)
      const random = seededRandom(3)
      for (let request = 0; request < 1200; request++) {
        const pace = fastest(tier, () => true, random)?.load.paceOf('m', true)
        if (pace) pace.waiting++
      }
      return tier.map(({ load }) => load.waiting)
    }
    const [one = 0, other = 0] = wait([0, 0], [100, 200])
    expect(one / other).toBeWithin(1.9, 2.1)
    const [heavy = 0, light = 0] = wait([3, 1], [100, 100])
    expect(heavy / light).toBeWithin(2.9, 3.1)
  })

  test('one that nobody has measured is found out about by one request', () => {
    const tier = weighed([0, 0])
    measured(tier[0], 100)
    expect(drawn(fastest, tier, 10)).toEqual({ 2: 10 })
    const pace = tier[1]?.load.paceOf('m', true)
    if (pace) pace.waiting++
    expect(drawn(fastest, tier, 10)).toEqual({ 1: 10 })
  })

  test('one that was slow is looked at again after a while', () => {
    const tier = weighed([0, 0])
    const later = AT + 240_000
    measured(tier[0], 100)
    measured(tier[1], 1000)
    expect(drawFastest(tier, () => true, seededRandom(1), timed, AT)?.id).toBe(1)
    tier[0]?.load.paceOf('m', true)?.measured(100, later)
    expect(drawFastest(tier, () => true, seededRandom(1), timed, later)?.id).toBe(2)
  })

  test('one without weight serves only when those that have one cannot', () => {
    const tier = weighed([0, 1])
    measured(tier[0], 1)
    measured(tier[1], 10_000)
    expect(drawn(fastest, tier, 100)).toEqual({ 2: 100 })
    expect(fastest(tier, ({ id }) => id === 1, seededRandom(1))?.id).toBe(1)
    expect(fastest(tier, () => false, seededRandom(1))).toBeUndefined()
  })

  test('each model has a pace of its own for streams and for whole answers; models of others have none', () => {
    const channel = sampleChannel({ models: 'm,n' })
    measured(channel, 500)
    expect(channel.load.paceOf('m', true)?.expected(AT)).toBe(500)
    expect(channel.load.paceOf('m', false)?.expected(AT)).toBe(0)
    expect(channel.load.paceOf('n', true)?.expected(AT)).toBe(0)
    expect(channel.load.paceOf('named by a caller', true)).toBeUndefined()
  })
})

describe.each([
  ['least busy', drawLeastBusy],
  ['fastest', fastest],
])('what does not depend on the choice: %s', (_name, draw) => {
  test('a tier is used up before the next, and nobody is tried twice', () => {
    const candidates = [weighed([0, 5, 0]), weighed([7], 10), weighed([0, 0, 0, 0, 1, 0], 20)]
    busy(candidates[0]?.[1], 50)
    measured(candidates[1]?.[0], 1)
    const route = attempts(draw, { candidates })
    const ids: number[] = []
    for (let channel = route.next(); channel; channel = route.next()) ids.push(channel.id)
    expect(ids[0]).toBe(2)
    expect(ids.slice(1, 3).sort()).toEqual([1, 3])
    expect(ids.slice(3, 5)).toEqual([10, 24])
    expect(ids.slice(5).sort()).toEqual([20, 21, 22, 23, 25])
  })

  test('one that rests is passed over, and a conversation stays where it is', () => {
    const tier = weighed([1, 1])
    const health = new ChannelHealth(handClock())
    busy(tier[1], 10)
    measured(tier[0], 10)
    measured(tier[1], 1000)
    const prefer = { channelId: 2, pinned: false }
    expect(attempts(draw, { candidates: [tier], health }).next()?.id).toBe(1)
    expect(attempts(draw, { candidates: [tier], health, prefer }).next()?.id).toBe(2)
    for (const channel of tier.slice(0, 1)) health.failed(channel, 'm', { kind: 'rate' })
    expect(attempts(draw, { candidates: [tier], health }).next()?.id).toBe(2)
  })
})
