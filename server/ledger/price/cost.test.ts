import { describe, expect, test } from 'bun:test'
import { AppError } from '../../errors.ts'
import { type Bounds, cost, highestCost, listedCost } from './cost.ts'
import { type Exact, multiply } from './decimal.ts'
import type { PriceSnapshot, RatioPrice, Usage } from './price-snapshot.ts'

function byRatio(ratios: Partial<RatioPrice> & { groupRatio?: number } = {}): PriceSnapshot {
  return {
    kind: 'ratio',
    model: 'm',
    group: 'default',
    modelRatio: 1,
    completionRatio: 1,
    cacheRatio: 1,
    cacheWriteRatio: 1,
    cacheWriteHourRatio: 1,
    imageRatio: 1,
    audioRatio: 1,
    audioCompletionRatio: 1,
    groupRatio: 1,
    ...ratios,
  }
}
function byCall(price: number, groupRatio = 1, quotaPerUnit = 500_000): PriceSnapshot {
  return { kind: 'call', model: 'm', group: 'default', price, groupRatio, quotaPerUnit }
}

/** The same numbers in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

describe('by ratio', () => {
  const claude = byRatio({
    modelRatio: 1.5,
    completionRatio: 5,
    cacheRatio: 0.1,
    cacheWriteRatio: 1.25,
    cacheWriteHourRatio: 2,
    groupRatio: 0.8,
  })
  const audio = byRatio({
    modelRatio: 1.25,
    completionRatio: 4,
    imageRatio: 2,
    audioRatio: 16,
    audioCompletionRatio: 2,
  })
  test.each<[string, PriceSnapshot, Usage, number]>([
    ['ratio 1 is 2 dollars per million', byRatio(), { input: 1_000_000 }, 1_000_000],
    // (1,204 + 310 × 4) × 0.075 = 183.3
    [
      'the ledger line',
      byRatio({ modelRatio: 0.075, completionRatio: 4 }),
      { input: 1204, output: 310 },
      183,
    ],
    // (100 + 1000×0.1 + 200×1.25 + 50×2 + 30×5) × 1.5 × 0.8 = 700 × 1.2
    [
      'cache reads and writes',
      claude,
      { input: 100, cacheRead: 1000, cacheWrite: 200, cacheWriteHour: 50, output: 30 },
      840,
    ],
    // (10 + 7×2 + 5×16 + 3×4 + 2×16×2) × 1.25 = 180 × 1.25
    ['images and audio', audio, { input: 10, imageInput: 7, audioInput: 5, output: 3, audioOutput: 2 }, 225],
    ['half a unit rounds up', byRatio({ modelRatio: 0.5 }), { input: 5 }, 3],
    ['less than half rounds down', byRatio({ modelRatio: 0.49 }), { input: 5 }, 2],
    ['rounded once, not per term', byRatio({ modelRatio: 0.3 }), { input: 1, cacheRead: 1, output: 1 }, 1],
    // 100 × 1.005 is 100.49999999999999 in binary.
    ['no binary fractions', byRatio({ modelRatio: 1.005 }), { input: 100 }, 101],
    ['at least 1', byRatio({ modelRatio: 0.000001 }), { input: 1 }, 1],
    ['at least 1 for use that is free within a price', byRatio({ completionRatio: 0 }), { output: 9 }, 1],
    ['nothing used', byRatio(), {}, 0],
    ['zero tokens', byRatio(), { input: 0, output: 0, audioOutput: 0 }, 0],
    ['model ratio 0', byRatio({ modelRatio: 0 }), { input: 1_000_000 }, 0],
    ['group ratio 0', byRatio({ groupRatio: 0 }), { input: 1_000_000 }, 0],
    ['calls are not what is paid for', byRatio(), { calls: 5 }, 0],
    ['a repeating quotient', byRatio({ modelRatio: '1/3' }), { input: 3_000_000 }, 1_000_000],
    ['the largest cost', byRatio(), { input: Number.MAX_SAFE_INTEGER }, Number.MAX_SAFE_INTEGER],
  ])('%s', (_name, snapshot, usage, quota) => {
    expect(cost(snapshot, usage)).toBe(quota)
  })
})

describe('by call', () => {
  const little = { name: 'web_search', count: 1, price: 0.0005, quotaPerUnit: 500_000 }
  test.each<[string, PriceSnapshot, Usage, number]>([
    ['one call unless said otherwise', byCall(0.04), {}, 20_000],
    ['several', byCall(0.04), { calls: 3 }, 60_000],
    ['tokens do not matter', byCall(0.04), { input: 1_000_000 }, 20_000],
    ['price × quota per dollar × group', byCall(0.1, 1.5), {}, 75_000],
    ['another quota per dollar', byCall(0.1, 1, 1000), {}, 100],
    ['rounded once', byCall(0.000003), { calls: 3 }, 5],
    ['at least 1', byCall(0.0000001), {}, 1],
    ['no calls', byCall(0.1), { calls: 0 }, 0],
    ['at least 1 for what comes on top alone', byCall(0.1), { calls: 0, fees: [little] }, 1],
    ['free', byCall(0), {}, 0],
    ['free for a group', byCall(0.1, 0), {}, 0],
  ])('%s', (_name, snapshot, usage, quota) => {
    expect(cost(snapshot, usage)).toBe(quota)
  })
})

describe('what cannot be counted or paid is refused', () => {
  const bad = [
    -1,
    0.5,
    2 ** 53,
    Number('18446744073686646784'),
    Number('1e400'),
    Number.NaN,
    '5',
    null,
  ] as number[]
  test.each(bad)('%p', value => {
    for (const snapshot of [byRatio(), byCall(1)])
      for (const usage of [{ input: value }, { audioOutput: value }, { calls: value }])
        expect(() => cost(snapshot, usage)).toThrow(AppError)
    expect(() => highestCost(byRatio(), { inputAtMost: value, outputAtMost: 1 })).toThrow(AppError)
    expect(() => highestCost(byCall(1), { inputAtMost: 1, outputAtMost: value })).toThrow(AppError)
  })

  test('a cost that no balance can hold', () => {
    const most = Number.MAX_SAFE_INTEGER
    expect(() => cost(byRatio(), { input: most, output: 1 })).toThrow('too high')
    expect(() => cost(byRatio({ modelRatio: 1e9 }), { input: 1e9 })).toThrow('too high')
    expect(() => cost(byCall(1e9, 1e9, 1e9), {})).toThrow('too high')
    expect(() => highestCost(byRatio(), { inputAtMost: most, outputAtMost: most })).toThrow('too high')
  })
})

describe('against a plain calculation', () => {
  const SCALE = 1_000_000
  const scaled = (random: (below: number) => number): number =>
    [0, SCALE, random(SCALE), random(20 * SCALE), random(100) * 10_000][random(5)] ?? 0
  const kinds = [
    'modelRatio',
    'groupRatio',
    'completionRatio',
    'cacheRatio',
    'cacheWriteRatio',
    'cacheWriteHourRatio',
    'imageRatio',
    'audioRatio',
    'audioCompletionRatio',
  ] as const
  const draw = (random: (below: number) => number) => {
    const parts = Object.fromEntries(kinds.map(kind => [kind, scaled(random)])) as Record<
      (typeof kinds)[number],
      number
    >
    return { parts, snapshot: byRatio(Object.fromEntries(kinds.map(kind => [kind, parts[kind] / SCALE]))) }
  }
  const drawLong = (random: (below: number) => number) => ({
    over: amount(random),
    modelRatio: scaled(random) / SCALE,
    completionRatio: scaled(random) / SCALE,
    audioCompletionRatio: scaled(random) / SCALE,
  })
  const amount = (random: (below: number) => number): number =>
    [0, 1, random(10), random(5000), random(2_000_000)][random(5)] ?? 0

  test('cost', () => {
    const random = numbers(1)
    const whole = BigInt(SCALE)
    for (let round = 0; round < 3000; round++) {
      const { parts, snapshot } = draw(random)
      const usage = {
        input: amount(random),
        cacheRead: amount(random),
        cacheWrite: amount(random),
        cacheWriteHour: amount(random),
        imageInput: amount(random),
        audioInput: amount(random),
        output: amount(random),
        audioOutput: amount(random),
      }
      const part = (kind: (typeof kinds)[number]): bigint => BigInt(parts[kind])
      const sum =
        BigInt(usage.input) * whole * whole +
        BigInt(usage.cacheRead) * part('cacheRatio') * whole +
        BigInt(usage.cacheWrite) * part('cacheWriteRatio') * whole +
        BigInt(usage.cacheWriteHour) * part('cacheWriteHourRatio') * whole +
        BigInt(usage.imageInput) * part('imageRatio') * whole +
        BigInt(usage.audioInput) * part('audioRatio') * whole +
        BigInt(usage.output) * part('completionRatio') * whole +
        BigInt(usage.audioOutput) * part('audioRatio') * part('audioCompletionRatio')
      const under = whole ** 4n
      const plain = (sum * part('modelRatio') * part('groupRatio') + under / 2n) / under
      const least = part('modelRatio') * part('groupRatio') > 0n && Object.values(usage).some(Boolean)
      expect([snapshot, usage, cost(snapshot, usage)]).toEqual([
        snapshot,
        usage,
        plain === 0n && least ? 1 : Number(plain),
      ])
      expect(cost(JSON.parse(JSON.stringify(snapshot)), usage)).toBe(cost(snapshot, usage))
    }
  })

  test('no usage within the bounds costs more than the highest cost, and the text of them costs no less', () => {
    const random = numbers(2)
    for (let round = 0; round < 3000; round++) {
      const drawn = draw(random).snapshot
      const snapshot = round % 2 === 0 ? drawn : { ...drawn, long: drawLong(random) }
      const may = { image: random(2) > 0, audio: random(2) > 0, audioOutput: random(2) > 0 }
      const cacheWrites = (['none', 'minutes', 'hour'] as const)[random(3)] ?? 'hour'
      const inputAtMost = amount(random)
      const outputAtMost = amount(random)
      const share = (left: number): number => (left === 0 ? 0 : random(left + 1))
      let left = inputAtMost
      const take = (possible: boolean): number => {
        const taken = possible ? share(left) : 0
        left -= taken
        return taken
      }
      const audioOutput = may.audioOutput ? share(outputAtMost) : 0
      const usage = {
        cacheRead: take(true),
        cacheWrite: take(cacheWrites !== 'none'),
        cacheWriteHour: take(cacheWrites === 'hour'),
        imageInput: take(may.image),
        audioInput: take(may.audio),
        input: share(left),
        audioOutput,
        output: share(outputAtMost - audioOutput),
      }
      const bounds: Bounds = { inputAtMost, outputAtMost, ...may, cacheWrites }
      const highest = highestCost(snapshot, bounds)
      expect(highest).toBeGreaterThanOrEqual(cost(snapshot, usage))
      expect(highest).toBeGreaterThanOrEqual(cost(snapshot, { input: inputAtMost, output: outputAtMost }))
      const { cacheWrites: _unsaid, ...unsaid } = bounds
      expect(highestCost(snapshot, unsaid)).toBeGreaterThanOrEqual(highest)
    }
  })
})

test('the highest cost takes the dearest of what the request may bring', () => {
  const snapshot = byRatio({
    cacheWriteRatio: 1.25,
    cacheWriteHourRatio: 2,
    imageRatio: 3,
    audioRatio: 16,
    completionRatio: 4,
    audioCompletionRatio: 2,
  })
  const bound = (more: Partial<Bounds>) =>
    highestCost(snapshot, { inputAtMost: 100, outputAtMost: 10, cacheWrites: 'none', ...more })
  expect(bound({})).toBe(140)
  expect(bound({ cacheWrites: 'minutes' })).toBe(165)
  expect(bound({ cacheWrites: 'hour' })).toBe(240)
  expect(bound({ image: true })).toBe(340)
  expect(bound({ audio: true })).toBe(1640)
  expect(bound({ audio: true, audioOutput: true })).toBe(1920)
  expect(highestCost(byCall(0.1), { inputAtMost: 9, outputAtMost: 9, calls: 2 })).toBe(100_000)
  const long = byRatio({ long: { over: 100, modelRatio: 2, completionRatio: 1, audioCompletionRatio: 1 } })
  expect(highestCost(long, { inputAtMost: 100, outputAtMost: 0 })).toBe(100)
  expect(highestCost(long, { inputAtMost: 101, outputAtMost: 0 })).toBe(202)
})

test('sums in ordinary numbers are what exact fractions say', () => {
  const random = numbers(11)
  const ratios: Exact[] = [0, 0.075, 0.1, '1/3', 1.25, 2.5, 7, 15.000001, 1e-9, '22/7', 456.789]
  const pick = (): Exact => ratios[random(ratios.length)] ?? 1
  for (let round = 0; round < 5000; round++) {
    const [modelRatio, completionRatio, cacheRatio, groupRatio] = [pick(), pick(), pick(), pick()]
    const price = { ...byRatio({ modelRatio, completionRatio, cacheRatio }), groupRatio }
    const size = 10 ** random(8)
    const [input, output, cacheRead] = [random(size), random(size), random(size)]
    const base = multiply(modelRatio, groupRatio)
    const terms = [
      multiply(base, { over: BigInt(input), under: 1n }),
      multiply(base, completionRatio, { over: BigInt(output), under: 1n }),
      multiply(base, cacheRatio, { over: BigInt(cacheRead), under: 1n }),
    ]
    const under = terms.reduce((so, term) => so * term.under, 1n)
    const over = terms.reduce((so, term) => so + term.over * (under / term.under), 0n)
    const rounded = Number((2n * over + under) / (2n * under))
    const isFree = base.over === 0n || input + output + cacheRead === 0
    expect(cost(price, { input, output, cacheRead })).toBe(rounded === 0 && !isFree ? 1 : rounded)
  }
})

describe('at so many times the listed price', () => {
  const usage = { input: 1000, cacheRead: 333, output: 77 }
  const priced = byRatio({ modelRatio: '1/3', completionRatio: 4, cacheRatio: 0.1 })

  test('whatever the group pays, and rounded once', () => {
    for (const groupRatio of [0, 0.1, 1, 7])
      expect(listedCost({ ...priced, groupRatio }, usage, 0.35)).toBe(
        // (1000 + 33.3 + 308) / 3 * 0.35 = 156.485
        156,
      )
    expect(listedCost(byCall(0.04, 3), { calls: 3 }, 0.5)).toBe(30_000)
    expect(listedCost(priced, usage, 0)).toBe(0)
    expect(listedCost(priced, { input: 3 }, 1000)).toBe(1000)
  })

  test('nothing for next to nothing, where a charge is one at least', () => {
    expect([cost(priced, { input: 1 }), listedCost(priced, { input: 1 })]).toEqual([1, 0])
    expect(listedCost(priced, { input: 1 }, 1.5)).toBe(1)
  })

  test('with what comes on top, and dearer for long input', () => {
    const fees = [{ name: 'web_search', count: 3, price: 10, quotaPerUnit: 500_000 }]
    expect(listedCost(priced, { ...usage, fees }, 0.35)).toBe(156 + 5250)
    const little = [{ name: 'web_search', count: 1, price: 0.0005, quotaPerUnit: 500_000 }]
    expect(listedCost(priced, { fees: little })).toBe(0)
    const long = { over: 100, modelRatio: 2, completionRatio: 1, audioCompletionRatio: 1 }
    expect(listedCost(byRatio({ long }), { input: 100, output: 1 }, 0.5)).toBe(51)
    expect(listedCost(byRatio({ long }), { input: 101, output: 1 }, 0.5)).toBe(102)
  })

  test('in the same digits with numbers as with fractions', () => {
    const next = numbers(19)
    for (let at = 0; at < 2000; at++) {
      const times = (next(1_000_000_000) + 1) / 1e6
      const modelRatio = (next(100_000) + 1) / 1e3
      const input = next(3_000_000)
      const over = BigInt(Math.round(modelRatio * 1e3)) * BigInt(Math.round(times * 1e6)) * BigInt(input)
      const exact = (2n * over + 1_000_000_000n) / 2_000_000_000n
      expect(listedCost(byRatio({ modelRatio, groupRatio: 0 }), { input }, times)).toBe(Number(exact))
    }
  })

  test('is not known where it is more than any call costs', () => {
    expect(listedCost(byRatio({ modelRatio: 1e6 }), { input: 1e6 })).toBe(1e12)
    expect(listedCost(byRatio({ modelRatio: 1e6 }), { input: 1e6 + 1 })).toBeUndefined()
    expect(listedCost(byRatio({ modelRatio: 1e12 }), { input: 1e6 }, 1000)).toBeUndefined()
  })
})
