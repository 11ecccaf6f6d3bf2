import { describe, expect, test } from 'bun:test'
import { atRest } from '../../at-rest.ts'
import { until } from '../../program.ts'
import { requestIdOf } from '../ways.ts'
import { PRICE, passHouse } from './pass-house.ts'

const house = passHouse({ RetryTimes: '3' })
const MEGABYTE = 1024 * 1024

describe('bodies', () => {
  test('a large answer comes piece by piece, whole, and is paid once', async () => {
    const response = await house.call(`echo/large/${40 * MEGABYTE}`)
    let bytes = 0
    for await (const chunk of response.body ?? []) bytes += chunk.byteLength
    expect([response.headers.get('content-type'), bytes]).toEqual(['application/octet-stream', 40 * MEGABYTE])
    expect(await house.charged(response)).toBe(PRICE)
  })

  test('a large upload keeps its length, and one without a length comes in pieces', async () => {
    const told = await house.call('echo/up', { method: 'POST', body: new Uint8Array(20 * MEGABYTE) })
    expect([told.status, house.api.seen.at(-1)?.bytes]).toEqual([200, 20 * MEGABYTE])
    expect(house.api.seen.at(-1)?.headers.get('content-length')).toBe(String(20 * MEGABYTE))
    const untold = await house.call('echo/up', { method: 'PUT', body: piecesOf(5 * MEGABYTE) })
    expect([untold.status, house.api.seen.at(-1)?.bytes]).toEqual([200, 5 * MEGABYTE])
    expect(house.api.seen.at(-1)?.headers.get('transfer-encoding')).toBe('chunked')
  })

  test('what is packed stays packed', async () => {
    const packed = Bun.gzipSync(Buffer.from('{"a":1}'))
    const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' }
    await house.call('echo/up', { method: 'POST', body: packed, headers })
    const { bytes, headers: seen } = house.api.seen.at(-1) ?? {}
    expect([bytes, seen?.get('content-encoding')]).toEqual([packed.byteLength, 'gzip'])
  })

  test('what is too large is refused, also when only its bytes tell', async () => {
    const asked = house.api.seen.length
    const told = await house.call('echo/up', { method: 'POST', body: new Uint8Array(129 * MEGABYTE) })
    expect([told.status, house.api.seen.length]).toEqual([413, asked])
    const untold = await house.call('echo/up', { method: 'POST', body: piecesOf(129 * MEGABYTE) })
    expect([untold.status, await house.charged(untold)]).toEqual([413, undefined])
  })
})

/** A call whose answer has begun with one event, and goes on. */
async function listen(signal?: AbortSignal) {
  const calling = house.call('events/events', { ...(signal && { signal }) })
  await until(() => house.api.isListenedTo())
  house.api.tell('data: one\n\n')
  const response = await calling
  const reader = response.body?.getReader()
  const next = async () => new TextDecoder().decode((await reader?.read().catch(() => undefined))?.value)
  expect(await next()).toBe('data: one\n\n')
  return { response, next }
}

describe('answers that go on', () => {
  test('each piece passes at once, before there is another', async () => {
    const { response, next } = await listen()
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    house.api.tell('data: two\n\n')
    expect(await next()).toBe('data: two\n\n')
    house.api.tell(undefined)
    expect(await next()).toBe('')
    expect(await house.charged(response)).toBe(PRICE)
  })

  test('who leaves in the middle has paid, once', async () => {
    const leaving = new AbortController()
    const { response } = await listen(leaving.signal)
    leaving.abort()
    const row = await house.rig.logOf(requestIdOf(response))
    expect([row.quota, row.details.broke_off]).toEqual([PRICE, 'client'])
    expect(await house.charged(response)).toBe(PRICE)
    await until(() => !house.api.isListenedTo())
  })

  test('who leaves before anything has come has not', async () => {
    const before = await house.rig.balance(house.userId)
    const leaving = new AbortController()
    const calling = house.call('events/pieces', { signal: leaving.signal }).catch(() => 'left')
    await until(() => house.api.isListenedTo())
    leaving.abort()
    expect(await calling).toBe('left')
    await until(() => !house.api.isListenedTo())
    expect(await house.rig.differences()).toEqual([])
    expect(await house.rig.balance(house.userId)).toBe(before)
  })

  test('who asks for something to be done has it done, and pays, whether or not it stays', async () => {
    for (const [kind, method] of [
      ['events', 'POST'],
      ['pieces', 'DELETE'],
    ] as const) {
      const before = await house.rig.balance(house.userId)
      const leaving = new AbortController()
      const calling = house.call(`events/${kind}`, { method, signal: leaving.signal }).catch(() => 'left')
      await until(() => house.api.isListenedTo())
      leaving.abort()
      expect(await calling).toBe('left')
      // Until that is known.
      await atRest()
      expect(house.api.isListenedTo()).toBe(true)
      house.api.tell('done')
      expect(await until(async () => before - (await house.rig.balance(house.userId)) || undefined)).toBe(
        PRICE,
      )
      await until(() => !house.api.isListenedTo())
    }
  })

  test('whose process is killed in the middle is paid, once, by whoever comes after it', async () => {
    const { response } = await listen()
    const workers = house.rig.program.workerPids()
    for (const worker of workers) process.kill(worker, 'SIGKILL')
    expect(await until(() => house.charged(response))).toBe(PRICE)
    await until(() => house.rig.program.workerPids().some(pid => !workers.includes(pid)))
    await until(async () => (await house.call('echo/x').catch(() => undefined))?.ok)
    house.api.tell(undefined)
  })
})

test.each([
  ['get', 500, { method: 'GET' }, 200],
  ['put', 500, { method: 'PUT', body: 'x' }, 200],
  // It may have been done.
  ['post', 500, { method: 'POST', body: 'x' }, 500],
  ['post-again', 503, { method: 'POST', body: 'x' }, 200],
  // What was handed on while it came is gone.
  ['streamed', 503, { method: 'PUT', body: new Uint8Array(2 * MEGABYTE) }, 503],
  // The caller's own fault is the same everywhere.
  ['wrong', 404, { method: 'GET' }, 404],
] as const)(
  'another channel takes over what can be sent again, and only that: %s, %d',
  async (name, status, init, told) => {
    const asked = house.api.seen.length
    const response = await house.call(`spared-${name}/${status}/x`, init)
    const targets = house.api.seen.slice(asked).map(({ target }) => target)
    const [first, ...others] = [`/base/refusing/${status}/x`, `/base/${status}/x`]
    expect([response.status, targets]).toEqual([told, told === 200 ? [first, ...others] : [first]])
    expect(await house.charged(response)).toBe(told === 200 ? PRICE : undefined)
  },
)

function piecesOf(size: number): ReadableStream<Uint8Array> {
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      if (sent >= size) return controller.close()
      sent += 65_536
      controller.enqueue(new Uint8Array(65_536))
    },
  })
}
