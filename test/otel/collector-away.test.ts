import { expect, test } from 'bun:test'
import { until } from '../program.ts'
import { openRig } from '../relay/rig.ts'
import { chat } from '../relay/ways.ts'
import { freePort } from '../services/free-port.ts'
import { startOpenai } from '../upstreams/index.ts'
import { Collector } from './collector.ts'

test('calls go on while the collector is away, and every worker tells its own when it is back', async () => {
  const upstream = await startOpenai()
  const port = await freePort()
  let key = ''
  const rig = await openRig(
    async books => {
      key = (await books.addToken({ userId: await books.addUser() })).key
      const { url: baseUrl, key: vendorKey } = upstream
      await books.addChannel({ type: 1, baseUrl, key: vendorKey, models: [chat.model] })
    },
    { WORKERS: '2', OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` },
  )
  /** Connections are shared among the workers, so each call makes one. */
  const call = async (): Promise<void> => {
    const response = await fetch(rig.url + chat.path(chat.model, false), {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(chat.body(chat.model, 'good morning', false)),
      keepalive: false,
    })
    expect(response.status).toBe(200)
    await response.text()
  }
  const warned = (): string[] =>
    rig.program
      .output()
      .split('\n')
      .filter(line => line.includes('the collector of spans'))
  // The second comes a moment after the first.
  await until(async () => {
    const told = await (await fetch(`${rig.url}/metrics`)).text()
    return told.split('tollgate_otel_spans_exported_total{worker=').length === 3
  })
  const asked = 24
  for (let at = 0; at < asked; at++) await call()
  await until(() => warned().length > 0)

  const collector = new Collector({}, port)
  await until(() => collector.spans.length === 2 * asked)
  const instances = new Set(collector.spans.map(span => span.resource['service.instance.id']))
  expect(instances.size).toBe(2)
  expect(new Set(collector.spans.map(span => span.resource['service.name']))).toEqual(new Set(['tollgate']))
  expect(collector.complaints).toEqual([])
  await collector.stop()

  await call()
  expect(await rig.program.stop()).toBe(0)
  const lost = warned().map(line => Number(JSON.parse(line).dropped))
  expect(lost.reduce((sum, one) => sum + one)).toBe(2)
  await rig.store.close()
  await upstream.stop()
})
