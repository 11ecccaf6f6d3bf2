import { expect, test } from 'bun:test'
import { atMost, collectMetrics, counter, gauge, histogram, renderMetrics } from './metrics.ts'

test('families of several processes are put together under one heading', () => {
  const calls = counter('test_calls_total', 'Calls.')
  calls.increment({ door: 'api' })
  calls.bound({ door: 'api' })(2)
  calls.bound({ door: 'never' })
  const count = calls.byPairs('door', 'status')
  for (const status of [200, 404, 200]) count('relay', status)
  gauge('test_size', 'Size.', () => 7)
  const seconds = histogram('test_seconds', 'Seconds.', [1, 5]).bound({ door: 'api' })
  for (const value of [0.5, 3, 30]) seconds(value)
  const families = collectMetrics().filter(family => family.name.startsWith('test_'))
  const text = renderMetrics([
    { worker: '0', families },
    { worker: '1', families },
  ])
  expect(text.match(/# TYPE test_calls_total counter/g)).toHaveLength(1)
  expect(text).toContain('test_calls_total{worker="0",door="api"} 3')
  expect(text).toContain('test_calls_total{worker="1",door="api"} 3')
  expect(text).toContain('test_calls_total{worker="0",door="relay",status="200"} 2')
  expect(text).toContain('test_calls_total{worker="0",door="relay",status="404"} 1')
  expect(text).not.toContain('never')
  expect(text).toContain('test_size{worker="0"} 7')
  expect(text).toContain('test_seconds_bucket{worker="0",door="api",le="1"} 1')
  expect(text).toContain('test_seconds_bucket{worker="0",door="api",le="5"} 2')
  expect(text).toContain('test_seconds_bucket{worker="0",door="api",le="+Inf"} 3')
  expect(text).toContain('test_seconds_sum{worker="0",door="api"} 33.5')
})

test('a label that people choose stays within bounds', () => {
  const label = atMost(2)
  expect(['a', 'b', 'c', 'a', 'd'].map(label)).toEqual(['a', 'b', 'other', 'a', 'other'])
})
