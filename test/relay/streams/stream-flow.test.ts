import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { until } from '../../program.ts'
import { endlessStream, megabytes, type Script, silence } from '../../upstreams/index.ts'
import { ask, readUntil, requestIdOf } from '../ways.ts'
import { openStreamHouse, type Pair, pairs, passing, type StreamHouse } from './stream-house.ts'

const MEGABYTE = 1024 * 1024
/** What the kernel may take in on both connections of a stream that nobody reads. */
const MOST_UNREAD = 24 * MEGABYTE
/** Whom it hears out it hears for longer than this. */
const AT_ONCE_MS = 25_000

let house: StreamHouse
beforeAll(async () => {
  house = await openStreamHouse()
})
afterAll(() => house.close())

/** Of all processes of the program, in bytes. */
function residentBytes(): number {
  const { pid, workerPids } = house.rig.program
  const pages = [pid, ...workerPids()].map(one =>
    Number(readFileSync(`/proc/${one}/statm`, 'utf8').split(' ')[1]),
  )
  return pages.reduce((sum, one) => sum + one, 0) * 4096
}

async function chargesOf(requestId: string): Promise<number[]> {
  const rows = await house.rig.store.db
    .selectFrom('ledger_entries')
    .select('user_amount')
    .where('kind', '=', 'charge')
    .where('ref', '=', requestId)
    .execute()
  return rows.map(row => -row.user_amount)
}

describe.each(pairs)('$name: a client that leaves', ({ client, vendor }: Pair) => {
  test('in the middle ends the upstream’s work and pays once', async () => {
    const fake = house.vendorOf(vendor)
    fake.next({ ...(endlessStream as object), gapMs: 5 })
    const leave = new AbortController()
    const asking = { key: house.key, model: vendor.model, stream: true, signal: leave.signal }
    const response = await ask(house.rig.url, client, asking)
    await readUntil(response, 'You')
    const left = performance.now()
    leave.abort()
    const served = fake.served.at(-1)
    await served?.done
    expect(performance.now() - left).toBeLessThan(AT_ONCE_MS)
    expect(served?.aborted).toBe(true)
    const requestId = requestIdOf(response)
    const row = await house.rig.logOf(requestId)
    expect(row.completion_tokens).toBeGreaterThan(0)
    expect(await chargesOf(requestId)).toEqual([row.quota])
  })

  test('before anything came pays nothing', async () => {
    const fake = house.vendorOf(vendor)
    const balance = await house.rig.balance(house.userId)
    fake.next(silence)
    const before = fake.served.length
    const leave = new AbortController()
    const asking = { key: house.key, model: vendor.model, stream: true, signal: leave.signal }
    const gone = ask(house.rig.url, client, asking).catch(() => 'gone')
    const served = await until(() => fake.served[before])
    const left = performance.now()
    leave.abort()
    expect(await gone).toBe('gone')
    await served.done
    expect(performance.now() - left).toBeLessThan(AT_ONCE_MS)
    expect(served.aborted).toBe(true)
    // On a busy machine the hold may reach the disk after the client has left; it comes back.
    await until(async () => (await house.rig.balance(house.userId)) === balance)
    expect(await house.rig.differences()).toEqual([])
  })

  test('a plain call pays nothing either', async () => {
    const fake = house.vendorOf(vendor)
    const balance = await house.rig.balance(house.userId)
    fake.next(silence)
    const before = fake.served.length
    const leave = new AbortController()
    const gone = ask(house.rig.url, client, {
      key: house.key,
      model: vendor.model,
      signal: leave.signal,
    }).catch(() => 'gone')
    const served = await until(() => fake.served[before])
    leave.abort()
    expect(await gone).toBe('gone')
    await served.done
    expect(served.aborted).toBe(true)
    await until(async () => (await house.rig.balance(house.userId)) === balance)
    expect(await house.rig.differences()).toEqual([])
  })
})

/** A client that asks and then reads nothing. */
async function stalledClient(pair: Pair): Promise<Socket> {
  const { hostname, port } = new URL(house.rig.url)
  const body = JSON.stringify(pair.client.body(pair.vendor.model, 'go on', true))
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  socket.pause()
  await new Promise(resolve => socket.once('connect', resolve))
  socket.write(
    `POST ${pair.client.path(pair.vendor.model, true)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${house.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  return socket
}

const stalled = [passing[0], pairs[4]].filter(pair => pair !== undefined)
test.each(stalled)('$name: who reads nothing holds the upstream still, and nobody else', async pair => {
  const fake = house.vendorOf(pair.vendor)
  const text = 'x'.repeat(64 * 1024)
  const before = fake.served.length
  const atFirst = residentBytes()
  fake.next({ ...(endlessStream as object), reply: { text }, pieceChars: text.length })
  const socket = await stalledClient(pair)
  const served = await until(() => fake.served[before])
  let frames = -1
  await until(async () => {
    const still = served.frames === frames && frames > 1
    frames = served.frames
    await Bun.sleep(400)
    return still && served.frames === frames
  })
  expect(frames * text.length).toBeLessThan(MOST_UNREAD)
  expect(residentBytes() - atFirst).toBeLessThan(60 * MEGABYTE)
  expect((await house.stream(pair)).status).toBe(200)
  socket.destroy()
  await served.done
  expect(served.aborted).toBe(true)
})

function long(megabyteCount: number): Script {
  return {
    ...(megabytes(megabyteCount) as object),
    usage: usage => ({ ...usage, completion_tokens: 1_000_000 }),
  }
}

test('a hundred megabytes pass and none of them stay', async () => {
  const pair = passing[0]
  if (!pair) throw new Error('no pair')
  const fake = house.vendorOf(pair.vendor)
  // What is bounded but large, such as the vocabulary for counting tokens, is there from the first long stream on.
  await house.stream(pair, { script: long(40) })
  const before = residentBytes()
  let most = 0
  fake.next(long(100))
  const response = await ask(house.rig.url, pair.client, { key: house.key, stream: true })
  let bytes = 0
  let chunks = 0
  let tail = ''
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    tail = Buffer.from(chunk.subarray(-40)).toString()
    if (chunks++ % 200 === 0) most = Math.max(most, residentBytes() - before)
  }
  expect(bytes).toBeGreaterThan(100 * MEGABYTE)
  expect(tail).toEndWith('data: [DONE]\n\n')
  expect(most).toBeLessThan(60 * MEGABYTE)
  expect((await house.rig.logOf(requestIdOf(response))).completion_tokens).toBe(1_000_000)
})
