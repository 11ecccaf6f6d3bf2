import { afterAll, describe, expect, test } from 'bun:test'
import { handClock, sampleChannel } from '../../../test/relay/sample-channels.ts'
import { configureLog } from '../../log.ts'
import { ChannelHealth, type FailureKind } from './channel-health.ts'

configureLog({ level: 'error', write: () => {} })
afterAll(() => configureLog({ level: 'info', write: line => process.stdout.write(line) }))

function healthOf(channel = sampleChannel()) {
  const clock = handClock()
  const health = new ChannelHealth(clock)
  return {
    clock,
    health,
    channel,
    fail: (kind: FailureKind, retryAfter?: number) => health.failed(channel, 'm', { kind, retryAfter }),
    isUsable: (model = 'm') => health.isUsable(channel, model),
    waitSeconds: () => health.waitMs(channel, 'm') / 1000,
  }
}

const untilItOpens = [1, 2, 3, 4, 5]

describe('a channel that is told to slow down', () => {
  test.each([
    ['as long as it says', 30, 30],
    ['a part of a second', 0.25, 0.25],
    ['never longer than ten minutes', 86_400, 600],
    ['five seconds when it does not say', undefined, 5],
    ['five seconds when it says none', 0, 5],
    ['five seconds when it says nonsense', -3, 5],
    ['five seconds when it says no number', Number.NaN, 5],
  ])('rests %s', (_name, retryAfter, seconds) => {
    const { fail, isUsable, waitSeconds, clock } = healthOf()
    fail('rate', retryAfter)
    expect(waitSeconds()).toBe(seconds)
    expect([isUsable(), isUsable('another model')]).toEqual([false, true])
    clock.passes(seconds * 1000 - 1)
    expect(isUsable()).toBe(false)
    clock.passes(1)
    expect(isUsable()).toBe(true)
  })

  test('rests longer each time, up to a minute, until it has answered', () => {
    const { fail, waitSeconds, clock, health, channel } = healthOf()
    const rests = Array.from({ length: 6 }, () => {
      fail('rate')
      const seconds = waitSeconds()
      clock.passes(seconds * 1000)
      return seconds
    })
    expect(rests).toEqual([5, 10, 20, 40, 60, 60])
    health.succeeded(channel, 'm')
    fail('rate')
    expect(waitSeconds()).toBe(5)
  })

  test('counts a burst of refusals once, and an answer that was under way does not wake it', () => {
    const { fail, waitSeconds, clock, health, channel } = healthOf()
    for (let request = 0; request < 50; request++) fail('rate')
    expect(waitSeconds()).toBe(5)
    health.succeeded(channel, 'm')
    expect(waitSeconds()).toBe(5)
    clock.passes(5000)
    fail('rate')
    expect(waitSeconds()).toBe(10)
    fail('rate', 2)
    expect(waitSeconds()).toBe(10)
  })
})

describe('a channel that keeps failing', () => {
  test.each(['server', 'timeout', 'connect', 'empty', 'auth'] as const)('with %s is opened', kind => {
    const { fail, isUsable, waitSeconds } = healthOf()
    for (const _ of untilItOpens.slice(1)) fail(kind)
    expect(isUsable()).toBe(true)
    fail(kind)
    expect([isUsable(), isUsable('another model'), waitSeconds()]).toEqual([false, true, 10])
  })

  test('is opened only by failures in a row', () => {
    const { fail, isUsable, health, channel } = healthOf()
    for (let round = 0; round < 3; round++) {
      for (const _ of untilItOpens.slice(1)) fail('server')
      health.succeeded(channel, 'm')
    }
    expect(isUsable()).toBe(true)
  })

  test('lets one probe through at a time, is opened for longer by each that fails, closed by one that works', () => {
    const { fail, isUsable, waitSeconds, clock, health, channel } = healthOf()
    for (const _ of untilItOpens) fail('server')
    const rests: number[] = []
    for (let probe = 0; probe < 7; probe++) {
      rests.push(waitSeconds())
      clock.passes(waitSeconds() * 1000)
      expect(isUsable()).toBe(true)
      expect(health.begin(channel, 'm')).toBe(true)
      expect([isUsable(), waitSeconds()]).toEqual([false, 1])
      fail('connect')
    }
    expect(rests).toEqual([10, 20, 40, 80, 160, 300, 300])
    clock.passes(300_000)
    health.begin(channel, 'm')
    health.succeeded(channel, 'm')
    expect([isUsable(), health.begin(channel, 'm')]).toEqual([true, false])
    for (const _ of untilItOpens) fail('server')
    expect(waitSeconds()).toBe(10)
  })

  test('takes no notice of what was under way when it opened', () => {
    const { fail, waitSeconds, clock, health, channel } = healthOf()
    for (const _ of untilItOpens) fail('server')
    clock.passes(4000)
    for (const _ of untilItOpens) fail('server')
    health.succeeded(channel, 'm')
    expect(waitSeconds()).toBe(6)
    clock.passes(6000)
    expect(health.begin(channel, 'm')).toBe(true)
  })

  test('gives the probe back when it ended without a verdict, or when nobody told how it ended', () => {
    const { fail, isUsable, clock, health, channel } = healthOf()
    for (const _ of untilItOpens) fail('server')
    clock.passes(10_000)
    health.begin(channel, 'm')
    health.abandonProbe(channel, 'm')
    expect(isUsable()).toBe(true)
    health.begin(channel, 'm')
    clock.passes(299_999)
    expect(isUsable()).toBe(false)
    clock.passes(1)
    expect(isUsable()).toBe(true)
  })

  test('whose probe is told to slow down stays half-open after the rest', () => {
    const { fail, isUsable, waitSeconds, clock, health, channel } = healthOf()
    for (const _ of untilItOpens) fail('server')
    clock.passes(10_000)
    health.begin(channel, 'm')
    fail('rate', 3)
    expect(waitSeconds()).toBe(3)
    clock.passes(3000)
    expect([isUsable(), health.begin(channel, 'm'), isUsable()]).toEqual([true, true, false])
  })
})

test('a channel whose keys all rest is not usable, and one whose key cannot be opened never is', () => {
  const clock = handClock()
  const health = new ChannelHealth(clock)
  const resting = sampleChannel({ key: 'k1\nk2', clock })
  resting.setAside('k1', 9000)
  expect(health.isUsable(resting, 'm')).toBe(true)
  resting.setAside('k2', 7000)
  expect(health.waitMs(resting, 'm')).toBe(7000)
  const broken = sampleChannel({ key_sealed: 'rubbish' })
  broken.nextKey()
  expect(health.waitMs(broken, 'm')).toBe(Number.POSITIVE_INFINITY)
  expect(health.soonest([broken, resting], 'm')).toBe(7)
  expect(health.soonest([broken], 'm')).toBeUndefined()
  expect(health.soonest([], 'm')).toBeUndefined()
})

describe('a channel of several keys', () => {
  const told: unknown[] = []
  function several() {
    told.length = 0
    const clock = handClock()
    const channel = sampleChannel({ key: 'k1\nk2', clock })
    const health = new ChannelHealth(clock, (_channel, model, resting, { kind }) =>
      told.push([model, resting, kind]),
    )
    const limit = (key: string, retryAfter: number) =>
      health.failed(channel, 'm', { kind: 'rate', retryAfter }, key)
    return { clock, channel, health, limit }
  }

  test('that is told to slow down rests with the last of them, until the first is back', () => {
    const { clock, channel, health, limit } = several()
    expect([limit('k1', 30), health.isUsable(channel, 'm')]).toEqual([true, true])
    expect([limit('k2', 7), health.waitMs(channel, 'm'), health.isUsable(channel, 'n')]).toEqual([
      false,
      7000,
      true,
    ])
    expect(told).toEqual([
      ['m', { all: 2, forMs: [30_000] }, 'rate'],
      ['m', { all: 2, forMs: [30_000, 7000] }, 'rate'],
    ])
    clock.passes(7000)
    expect([health.isUsable(channel, 'm'), channel.nextKey('m')]).toEqual([true, 'k2'])
  })

  test('of which one is of no use tells that of itself, as long as others are left', () => {
    const { clock, health } = several()
    const three = sampleChannel({ key: 'k1\nk2\nk3', clock })
    health.failed(three, 'm', { kind: 'rate', retryAfter: 30 }, 'k1')
    three.setAside('k2', 9000)
    health.keysRest(three, { kind: 'auth' })
    expect(told.slice(1)).toEqual([['', { all: 3, forMs: [9000] }, 'auth']])
  })

  test('has none left for a model once the others are of no use', () => {
    const { channel, health, limit } = several()
    limit('k1', 30)
    channel.setAside('k2', 9000)
    health.keysRest(channel, { kind: 'auth' })
    expect([health.waitMs(channel, 'm'), health.isUsable(channel, 'n')]).toEqual([9000, true])
    expect(told.slice(1)).toEqual([
      ['', { all: 2, forMs: [9000] }, 'auth'],
      ['m', { all: 2, forMs: [30_000, 9000] }, 'auth'],
    ])
  })

  test('that keeps failing is opened as a whole, and a probe whose key is limited leaves the next to another', () => {
    const { clock, channel, health, limit } = several()
    for (const _ of untilItOpens) health.failed(channel, 'm', { kind: 'server' }, 'k1')
    expect([health.waitMs(channel, 'm'), channel.nextKey('m')]).toEqual([10_000, 'k1'])
    clock.passes(10_000)
    expect([health.begin(channel, 'm'), health.isUsable(channel, 'm')]).toEqual([true, false])
    expect([limit('k1', 30), health.isUsable(channel, 'm'), health.begin(channel, 'm')]).toEqual([
      true,
      true,
      true,
    ])
  })
})

test('the seconds until the first one is back are rounded up', () => {
  const { health, channel, fail } = healthOf()
  const other = sampleChannel({ id: 2 })
  fail('rate', 30)
  health.failed(other, 'm', { kind: 'rate', retryAfter: 2.1 })
  expect(health.soonest([channel, other], 'm')).toBe(3)
})

test('only so many troubles of one channel are remembered, and the oldest goes first', () => {
  const { health, channel } = healthOf()
  for (let model = 0; model <= 500; model++) health.failed(channel, `m${model}`, { kind: 'rate' })
  expect([0, 1, 500].map(model => health.isUsable(channel, `m${model}`))).toEqual([true, false, false])
})
