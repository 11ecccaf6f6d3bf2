import { describe, expect, test } from 'bun:test'
import type { StatisticsRow } from '../../../contract/statistics.ts'
import type { Measure } from './choices.ts'
import {
  dollarDigits,
  hasCosts,
  noFigures,
  readChange,
  readFigure,
  showFigure,
  showTicks,
  uncosted,
} from './figures.ts'
import { logAddress } from './log-address.ts'
import { readHealth } from './read-health.ts'
import { buildSeries, MOST_SERIES, OTHERS, rankRows, reachOf, stackOf, trendOf } from './series.ts'

const dollars = { quota_per_unit: 500_000, display_in_currency: true }
const plain = { ...dollars, display_in_currency: false }

function row(key: string, time: number, figures: Partial<StatisticsRow> = {}): StatisticsRow {
  return { ...noFigures, time, key, name: key, requests: 1, ...figures }
}

describe('figures', () => {
  const figures = {
    ...noFigures,
    requests: 8,
    errors: 2,
    quota: 750_000,
    prompt_tokens: 5,
    completion_tokens: 6,
  }

  test.each([
    ['spend', 1.5, '$1.50'],
    ['requests', 8, '8'],
    ['tokens', 11, '11'],
    ['errors', 0.25, '25.0%'],
    ['latency95', null, '–'],
  ] as const)('%s', (measure, value, text) => {
    expect(readFigure(figures, measure, dollars)).toBe(value)
    expect(showFigure(value, measure, dollars)).toBe(text)
  })

  test('what is left over is of what was charged at a known cost, and may be a loss', () => {
    const costed = { ...figures, cost: 450_000, costed_quota: 400_000 }
    expect([readFigure(costed, 'cost', dollars), readFigure(costed, 'margin', dollars)]).toEqual([0.9, -0.1])
    expect(showFigure(-0.1, 'margin', dollars)).toBe('-$0.1000')
    expect(showFigure(readFigure(costed, 'margin', plain), 'margin', plain)).toBe('-50.0k')
    expect([hasCosts(costed), uncosted(costed)]).toEqual([true, 350_000])
    const own = { ...figures, cost: 0, costed_quota: 750_000 }
    expect([readFigure(own, 'cost', dollars), readFigure(own, 'margin', dollars)]).toEqual([0, 1.5])
  })

  test.each([{}, { cost: 0, costed_quota: 0 }])('where no cost is known there is neither: %p', none => {
    const unknown = { ...figures, ...none }
    expect(hasCosts(unknown)).toBe(false)
    expect([readFigure(unknown, 'cost', dollars), readFigure(unknown, 'margin', dollars)]).toEqual([
      null,
      null,
    ])
  })

  test('spend is in units where the site counts in units', () => {
    expect(showFigure(readFigure(figures, 'spend', plain), 'spend', plain)).toBe('750.0k')
  })

  test('no calls have no error rate', () => {
    expect(readFigure(noFigures, 'errors', dollars)).toBeNull()
  })

  test.each([
    ['latency95', 0, '0'],
    ['spend', 0.5, '$0.50'],
    ['spend', 0.00002, '$0.00002'],
    ['spend', 20_000, '$20k'],
    ['requests', 40, '40'],
    ['tokens', 2_000_000, '2M'],
    ['errors', 0.2, '20%'],
    ['latency50', 2000, '2 s'],
    ['latency50', 500, '500 ms'],
  ] as const)('on the axis %s %d is %s', (measure, value, text) => {
    expect(showTicks([value], measure, dollars)).toEqual([text])
  })

  test('the dollars of one axis have as many digits each', () => {
    expect(showTicks([0, 1, 1.5, 2], 'spend', dollars)).toEqual(['0', '$1.00', '$1.50', '$2.00'])
    expect(showTicks([0, 10, 20], 'spend', dollars)).toEqual(['0', '$10', '$20'])
    expect(showTicks([-0.5, 0, 1], 'margin', dollars)).toEqual(['-$0.50', '0', '$1.00'])
  })

  test('the dollars of one column have as many digits each, and what is too small says so', () => {
    const column = (...values: number[]) =>
      values.map(value => showFigure(value, 'margin', dollars, dollarDigits(values)))
    expect(column(10.69, 1.34, 0.8932, 0, -0.05)).toEqual([
      '$10.6900',
      '$1.3400',
      '$0.8932',
      '$0',
      '-$0.0500',
    ])
    expect(column(3.5, 1.25)).toEqual(['$3.50', '$1.25'])
    expect(column(1234.5, 0.8932, 0.001, -0.001)).toEqual(['$1,234.50', '$0.89', '<$0.01', '>-$0.01'])
    expect(column(0.5, 0.00002)).toEqual(['$0.500000', '$0.000020'])
    expect(column(25_000, 5)).toEqual(['$25.0k', '$5.00'])
  })

  test('a change is a share, of shares it is points, and of nothing there is none', () => {
    expect(readChange(120, 100, 'requests')).toEqual({ direction: 'up', text: '20%' })
    expect(readChange(50, 200, 'latency95')).toEqual({ direction: 'down', text: '75%' })
    expect(readChange(0.05, 0.02, 'errors')).toEqual({ direction: 'up', text: '3 pp' })
    expect(readChange(7, 7, 'tokens')).toEqual({ direction: 'same', text: '0%' })
    expect(readChange(5000, 1, 'tokens')).toEqual({ direction: 'up', text: '>999%' })
    expect(readChange(7, 0, 'tokens')).toBeUndefined()
    expect(readChange(null, 3, 'first50')).toBeUndefined()
  })
})

describe('series', () => {
  const buckets = [0, 3600, 7200]
  const keys = Array.from({ length: 10 }, (_, at) => `m${at}`)
  const totals = keys.map((key, at) => row(key, 0, { requests: 10 * (10 - at) }))
  const rows = keys.map((key, at) => row(key, 3600, { requests: 10 * (10 - at) }))

  test('the biggest have their own, the rest are added up, and nothing is lost', () => {
    const series = buildSeries(rows, totals, buckets, 'requests', dollars)
    expect(series.map(({ key }) => key)).toEqual([...keys.slice(0, MOST_SERIES), OTHERS])
    expect(series.at(-1)?.values).toEqual([0, 60, 0])
    expect(reachOf(series, true)).toEqual([0, 550])
    expect(stackOf(series, 1).at(-1)).toEqual({ key: OTHERS, low: 490, high: 550 })
    expect(stackOf(series, 0)).toEqual([])
  })

  test('whatever is measured, the same have the same colour, and no two share one', () => {
    const used = keys.map((key, at) => row(key, 0, { requests: at + 1, quota: 100 - at, prompt_tokens: 9 }))
    const colours = (measure: Measure) =>
      new Map(buildSeries(used, used, [0], measure, dollars).map(({ key, colour }) => [key, colour]))
    const [spend, requests] = [colours('spend'), colours('requests')]
    const both = [...spend.keys()].filter(key => requests.has(key) && key !== OTHERS)
    expect(both.length).toBeGreaterThan(2)
    expect(both.map(key => requests.get(key))).toEqual(both.map(key => spend.get(key)))
    expect(new Set(requests.values()).size).toBe(MOST_SERIES + 1)
    expect(requests.get(OTHERS)).toBe(spend.get(OTHERS))
  })

  test('losses hang below what is gained, and the big ones have their own', () => {
    const margins = { gain: 900, loss: -600, small: 30 }
    const made = Object.entries(margins).map(([key, margin]) =>
      row(key, 3600, { quota: 1000, costed_quota: 1000, cost: 1000 - margin }),
    )
    const series = buildSeries([...made, row('unknown', 3600, { quota: 5 })], made, buckets, 'margin', plain)
    expect(series.map(({ key }) => key)).toEqual(['gain', 'loss', 'small'])
    expect(stackOf(series, 1)).toEqual([
      { key: 'gain', low: 0, high: 900 },
      { key: 'loss', low: -600, high: 0 },
      { key: 'small', low: 900, high: 930 },
    ])
    expect(reachOf(series, true)).toEqual([-600, 930])
  })

  test('what does not add up has gaps instead of zeros, and no rest', () => {
    const series = buildSeries([row('m0', 7200, { latency_p50: 80 })], totals, buckets, 'latency50', dollars)
    expect(series[0]).toMatchObject({ key: 'm0', name: 'm0', values: [null, null, 80] })
    expect(series.some(({ key }) => key === OTHERS)).toBe(false)
    expect(reachOf(series, false)).toEqual([0, 80])
  })

  test('rows of a time that is not shown are left out', () => {
    expect(buildSeries([row('m0', 1800)], totals, buckets, 'requests', dollars)[0]?.values).toEqual([0, 0, 0])
  })

  test('the trend has a figure for every bucket', () => {
    const trend = [row('', 3600, { requests: 4, errors: 1 })]
    expect(trendOf(trend, buckets, 'requests', dollars)).toEqual([0, 4, 0])
    expect(trendOf(trend, buckets, 'errors', dollars)).toEqual([null, 0.25, null])
  })

  test('those without a figure come last, whichever way it is sorted', () => {
    const some = [row('a', 0), row('b', 0, { latency_p95: 5 }), row('c', 0, { latency_p95: 9 })]
    const order = (ascending: boolean) =>
      rankRows(some, 'latency95', dollars, ascending).map(({ key }) => key)
    expect([order(false), order(true)]).toEqual([
      ['c', 'b', 'a'],
      ['b', 'c', 'a'],
    ])
  })
})

describe('the way to the log', () => {
  const stretch = { from: 100, to: 199 }

  test.each([
    [
      'spend',
      { by: 'model', key: 'gpt-4o', name: 'gpt-4o' },
      '/log?type=2&model=%22gpt-4o%22&start=100&end=199',
    ],
    ['requests', { by: 'channel', key: '7', name: 'east' }, '/log?channel=7&start=100&end=199'],
    ['errors', { by: 'user', key: '7', name: 'lin' }, '/log?type=5&user=lin&start=100&end=199'],
    ['tokens', { by: 'token', key: '7', name: '12' }, '/log?type=2&token=12&start=100&end=199'],
    ['requests', { by: 'group', key: 'vip', name: 'vip' }, '/log?group=vip&start=100&end=199'],
    ['requests', undefined, '/log?start=100&end=199'],
    ['spend', { by: 'token', key: '7', name: '7' }, undefined],
    ['spend', { by: 'channel', key: '0', name: '0' }, undefined],
    ['spend', { by: 'model', key: '', name: '' }, undefined],
  ] as const)('%s of %p', (measure, subject, address) => {
    expect(logAddress(stretch, measure, subject)).toBe(address)
  })
})

test('the health of channels: the worst first, hours in their places, those without a call left out', () => {
  const now = 1_700_003_599
  const hour = Math.floor(now / 3600) * 3600
  const totals = [
    row('1', 0, { name: 'east', requests: 10, errors: 0, latency_p95: 900 }),
    row('2', 0, { name: 'west', requests: 4, errors: 2 }),
    row('3', 0, { name: 'gone', requests: 0 }),
    row('0', 0, { requests: 5, errors: 5 }),
  ]
  const hourly = [
    row('2', hour, { requests: 4, errors: 2, latency_p95: 40 }),
    row('1', hour - 23 * 3600, { requests: 10 }),
  ]
  const [west, east, ...none] = readHealth(hourly, totals, now)
  expect(none).toEqual([])
  expect([west?.name, west?.errorRate, west?.errorRates[23], west?.latencies[23]]).toEqual([
    'west',
    0.5,
    0.5,
    40,
  ])
  expect([east?.name, east?.errorRates[0], east?.errorRates[1], east?.latency]).toEqual([
    'east',
    0,
    null,
    900,
  ])
})
