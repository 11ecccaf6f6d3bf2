import { expect, test } from 'bun:test'
import { Collector } from '../../test/otel/collector.ts'
import { until } from '../../test/program.ts'
import { collectMetrics } from '../metrics.ts'
import { createOutbound } from '../outbound/client.ts'
import { SpanExporter } from './exporter.ts'
import { Attributes, nanos, type Span, spanKinds } from './span.ts'

const sample: Span = {
  traceId: 'ab'.repeat(16),
  spanId: 'cd'.repeat(8),
  flags: 0x101,
  name: 'sample',
  kind: spanKinds.server,
  startTimeUnixNano: nanos(1_800_000_000_000),
  endTimeUnixNano: nanos(1_800_000_000_000.25),
  attributes: new Attributes().text('said', 'ü\n"').real('after', 1).flag('is', false).list,
}
const many = (count: number): Span[] => Array.from({ length: count }, () => sample)

function open(collector: Collector): SpanExporter {
  const url = `${collector.url}/v1/traces`
  const resource = new Attributes().text('service.name', 'sample')
  return new SpanExporter(createOutbound(), {
    url,
    headers: {},
    resource,
    scope: { name: 's', version: '1' },
  })
}

function dropped(reason: string): number {
  const samples = collectMetrics()
    .filter(({ name }) => name === 'tollgate_otel_spans_dropped_total')
    .flatMap(family => family.samples)
  return samples.filter(({ labels }) => labels.includes(reason)).reduce((sum, { value }) => sum + value, 0)
}

test('as many as a batch holds go at once, the others with the next second', async () => {
  const collector = new Collector()
  const exporter = open(collector)
  for (let at = 0; at < 12; at++) exporter.add(many(100))
  await until(() => collector.spans.length === 1200)
  expect(collector.sizes).toEqual([512, 512, 176])
  expect(collector.spans[0]).toMatchObject({
    start: 1_800_000_000_000_000_000n,
    end: 1_800_000_000_000_250_000n,
  })
  expect(collector.spans[0]?.attributes).toEqual({ said: 'ü\n"', after: 1, is: false })
  await exporter.close(1000)
  expect(collector.complaints).toEqual([])
  await collector.stop()
})

test('who ends cuts off a collector that has been silent for a while', async () => {
  const collector = new Collector()
  const exporter = open(collector)
  const before = dropped('unreachable')
  collector.answers.push(() => new Promise(() => {}))
  exporter.add(many(512))
  await until(() => collector.sizes.length === 1)
  exporter.add(many(10))
  // Otherwise it would have ten seconds.
  expect(await Promise.race([exporter.close(50).then(() => 'ended'), Bun.sleep(9000)])).toBe('ended')
  expect(dropped('unreachable') - before).toBe(522)
  await collector.stop()
})

test('so many are kept for a collector that says nothing, and who ends does not wait for it', async () => {
  const collector = new Collector()
  const exporter = open(collector)
  const before = dropped('unreachable')
  collector.answers.push(() => new Promise(() => {}))
  for (let at = 0; at < 100; at++) exporter.add(many(100))
  // One batch is on its way, and 8192 wait.
  const kept = 600 + 8100
  expect(dropped('queue')).toBe(10_000 - kept)
  const ended = Promise.race([exporter.close(100).then(() => 'ended'), Bun.sleep(20_000)])
  expect(await ended).toBe('ended')
  expect(dropped('unreachable') - before).toBe(kept)
  await collector.stop()
})

test('of long texts fewer are kept', async () => {
  const collector = new Collector()
  const exporter = open(collector)
  const before = dropped('queue')
  const long = new Attributes()
  for (let at = 0; at < 40; at++) long.text(`said.${at}`, 'x'.repeat(300))
  for (let at = 0; at < 40; at++) exporter.add(many(100).map(span => ({ ...span, attributes: long.list })))
  expect(dropped('queue') - before).toBeGreaterThan(1000)
  await collector.stop()
  await exporter.close(0)
})
