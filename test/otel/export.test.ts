import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '../program.ts'
import { openRig, type Rig } from '../relay/rig.ts'
import { ask, chat, requestIdOf } from '../relay/ways.ts'
import { type FakeUpstream, startOpenai } from '../upstreams/index.ts'
import { Collector } from './collector.ts'

let rig: Rig
let collector: Collector
let upstream: FakeUpstream
let key = ''

beforeAll(async () => {
  collector = new Collector()
  upstream = await startOpenai()
  rig = await openRig(
    async books => {
      key = (await books.addToken({ userId: await books.addUser() })).key
      const { url: baseUrl, key: vendorKey } = upstream
      await books.addChannel({ type: 1, baseUrl, key: vendorKey, models: [chat.model] })
    },
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9/not-this-one',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    },
  )
})
afterAll(async () => {
  await collector.stop()
  await rig.store.close()
  await upstream.stop()
})

/** A quarter of all traces end with a digit this high. */
const recorded = (name: string): string => name.padEnd(19, '0').padEnd(32, 'd')
const passedOver = (name: string): string => name.padEnd(19, '0').padEnd(32, 'b')

async function call(traceId: string, flags = '01'): Promise<string> {
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-${flags}` }
  const response = await ask(rig.url, chat, { key, headers })
  expect([response.status, (await response.text()).length > 0]).toEqual([200, true])
  return requestIdOf(response)
}

async function dropped(reason: string): Promise<number> {
  const told = await (await fetch(`${rig.url}/metrics`)).text()
  const sample = new RegExp(`^tollgate_otel_spans_dropped_total\\{[^}]*reason="${reason}"\\} (\\d+)$`, 'm')
  return Number(sample.exec(told)?.[1])
}

const warnings = (): string[] =>
  rig.program
    .output()
    .split('\n')
    .filter(line => line.includes('the collector of spans'))

/** When it was told first that the collector is busy. */
let refusedAt = 0
/** What was not taken, and that for good. */
const final: string[] = []

test('a part of all traces is told, whatever their callers record', async () => {
  const others = [await call(passedOver('1a')), await call(passedOver('1b'), '00')]
  const wanted = [await call(recorded('1c')), await call(recorded('1d'), '00')]
  await until(() => wanted.every(id => collector.find(id)))
  for (const id of others) expect(collector.find(id)).toBeUndefined()
})

test('a collector that is busy gets the same again, not before it wants to', async () => {
  collector.answers.push(() => {
    refusedAt = performance.now()
    return new Response(null, { status: 503, headers: { 'retry-after': '1' } })
  })
  const texts = collector.texts.length
  const id = await call(recorded('2a'))
  await until(() => collector.find(id))
  expect(performance.now() - refusedAt).toBeGreaterThanOrEqual(990)
  expect(collector.texts[texts + 1]).toBe(collector.texts[texts] ?? '')
  expect(await dropped('unreachable')).toBe(0)
})

test('what a collector refuses, or rejects of a batch, is counted and not sent again', async () => {
  collector.answers.push(
    () => Response.json({ message: 'no such tenant' }, { status: 400 }),
    () => Response.json({ partialSuccess: { rejectedSpans: '1', errorMessage: 'too old' } }),
  )
  const refused = await call(recorded('3a'))
  await until(async () => (await dropped('refused')) === 2)
  const rejected = await call(recorded('3b'))
  await until(async () => (await dropped('rejected')) === 1)
  final.push(refused, rejected)
  // Once a minute, and the first was that it is busy.
  const [first, ...others] = warnings().map(line => JSON.parse(line))
  expect(first).toMatchObject({ level: 'warn', status: 503 })
  expect(others.length).toBeLessThanOrEqual((performance.now() - refusedAt) / 60_000)
})

test('no call waits for a collector that says nothing, and who ends the program loses no span', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  collector.answers.push(() => promise)
  await call(recorded('4a'))
  await until(() => collector.answers.length === 0)
  const ids = [await call(recorded('4b')), await call(recorded('4c'))]
  resolve(Response.json({}))
  // The last of them is still here when the program is told to end.
  const more = await Promise.all(Array.from({ length: 20 }, (_, at) => call(recorded(`5${at}`))))
  expect(await rig.program.stop()).toBe(0)
  expect([...ids, ...more].filter(id => !collector.find(id))).toEqual([])
  const times = (id: string) => collector.texts.filter(text => text.includes(id)).length
  expect(final.map(times)).toEqual([1, 1])
  expect(collector.complaints).toEqual([])
})
