import { afterAll, beforeAll, expect, test } from 'bun:test'
import { serveLoopback } from '../serve-loopback.ts'
import {
  type FakeMessageBatches,
  startAnthropicBatches,
} from '../upstreams/anthropic-batches/start-anthropic-batches.ts'
import { openTaskHouse, type TaskHouse } from './house.ts'
import { MODEL, requests } from './message-batch-house.ts'

// One that answers before it has heard everything: the next is told all of it, and nobody anything twice.

let house: TaskHouse
let upstream: FakeMessageBatches
let asked: () => void
const wasAsked = new Promise<void>(resolve => {
  asked = resolve
})
const early = serveLoopback(() => {
  asked()
  const error = { type: 'authentication_error', message: 'invalid x-api-key' }
  return Response.json({ type: 'error', error }, { status: 401 })
})

beforeAll(async () => {
  upstream = startAnthropicBatches()
  house = await openTaskHouse(async rig => {
    const models = [MODEL]
    await rig.addChannel({ type: 14, baseUrl: early.url.origin, key: 'k', models, priority: 10 })
    await rig.addChannel({ type: 14, baseUrl: upstream.url, key: upstream.key, models, priority: 1 })
    await rig.setOption('ModelRatio', `{"${MODEL}":1}`)
    await rig.setOption('RetryTimes', '2')
  })
})
afterAll(async () => {
  expect(upstream.complaints).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
  await upstream.stop()
  await early.stop(true)
})

test('a channel refuses while the requests still come', async () => {
  const all = requests(400)
  const text = JSON.stringify({ requests: all })
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(Buffer.from(text.slice(0, 20_000)))
      await wasAsked
      controller.enqueue(Buffer.from(text.slice(20_000)))
      controller.close()
    },
  })
  const response = await fetch(`${house.url}/v1/messages/batches`, {
    method: 'POST',
    headers: { 'x-api-key': house.payer.key, 'content-type': 'application/json' },
    body,
  })
  const { id } = (await response.json()) as { id: string }
  expect(response.status).toBe(200)
  const [batch] = upstream.batches.values()
  if (!batch) throw new Error('nobody has it')
  expect(upstream.batches.size).toBe(1)
  const sent = upstream.requestsOf(batch)
  expect(sent.map(({ custom_id }) => custom_id)).toEqual([id, ...all.slice(1).map(one => one.custom_id)])
  upstream.end(batch, { errored: all.length })
  await house.poll()
  expect(await house.spent()).toBe(0)
})
