import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { asObject } from '../../server/dialects/json.ts'
import { atRest } from '../at-rest.ts'
import { until } from '../program.ts'
import { socketHeaders, type Talk } from '../realtime/house.ts'
import { endlessStream, megabytes } from '../upstreams/index.ts'
import { ask, CONVERTED, create, type House, MODEL, openHouse, saidIn, send } from './house.ts'

const MEGABYTE = 1024 * 1024
/** What the kernel may take in on both connections of a stream that nobody reads, and what the program holds of it. */
const MOST_UNREAD = 2 * (mostOf('tcp_rmem') + mostOf('tcp_wmem')) + 8 * MEGABYTE

function mostOf(buffer: 'tcp_rmem' | 'tcp_wmem'): number {
  return Number(readFileSync(`/proc/sys/net/ipv4/${buffer}`, 'utf8').trim().split(/\s+/)[2])
}

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const vendorOf = (model: string) => (model === MODEL ? house.openai : house.anthropic)

test.each([MODEL, CONVERTED])(
  '%s: a client that leaves ends the upstream’s work and pays once',
  async model => {
    const { userId, token } = await house.addCaller()
    const fake = vendorOf(model)
    fake.next({ ...(endlessStream as object), gapMs: 5 })
    const talk = house.connect(token.key)
    await send(talk, create('Go on', { model }))
    // It never runs: who is gone asks nothing any more.
    await send(talk, create('And then', { model }))
    await talk.until('response.output_text.delta')
    const asked = fake.requests.length
    talk.socket.terminate()
    const served = fake.served.at(-1)
    await served?.done
    expect(served?.aborted).toBe(true)
    await until(async () => (await house.chargesOf(userId)).length > 0)
    const [charge = 0] = await house.chargesOf(userId)
    expect(charge).toBeGreaterThan(0)
    expect(await house.rig.differences()).toEqual([])
    expect(await house.chargesOf(userId)).toEqual([charge])
    expect(fake.requests.length).toBe(asked)
  },
)

test('a client that leaves before anything came pays nothing', async () => {
  const { userId, token } = await house.addCaller()
  const before = house.openai.served.length
  house.openai.next({ silent: true })
  const talk = house.connect(token.key)
  await send(talk, create('Hello'))
  const served = await until(() => house.openai.served[before])
  talk.socket.close()
  await served.done
  expect(served.aborted).toBe(true)
  expect(await house.rig.differences()).toEqual([])
  expect(await house.chargesOf(userId)).toEqual([])
})

test.each([MODEL, CONVERTED])(
  '%s: an upstream that breaks off is told, paid for, and no end of the socket',
  async model => {
    const { userId, token } = await house.addCaller()
    const talk = house.connect(token.key)
    const fake = vendorOf(model)
    const { promise, resolve } = Promise.withResolvers<void>()
    fake.next({ cutAfterFrames: 6, hold: { afterFrames: 6, until: promise } })
    await send(talk, create('one two three four five six seven', { model, stream_id: 'a' }))
    await talk.until('response.output_text.delta')
    resolve()
    const error = await talk.until('error')
    expect(error).toMatchObject({ stream_id: 'a', error: { code: 'upstream_interrupted' } })
    expect(await talk.until('response.failed')).toMatchObject({ stream_id: 'a' })
    expect(await house.chargesOf(userId)).toHaveLength(1)
    const { response } = await ask(talk, create('Again', { model }))
    expect(saidIn(response)).toContain('You said: Again')
    expect(await house.chargesOf(userId)).toHaveLength(2)
  },
)

/** A client that asks over a socket and then reads nothing. */
async function stalledClient(key: string): Promise<Socket> {
  const { hostname, port } = new URL(house.rig.url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  await new Promise(resolve => socket.once('connect', resolve))
  const headers = Object.entries(socketHeaders).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(
    `GET /v1/responses HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${headers.join('')}\r\n`,
  )
  await new Promise(resolve => socket.once('data', resolve))
  socket.pause()
  const text = Buffer.from(JSON.stringify(create('Go on')))
  // A text in one piece; a mask of zeros leaves it as it is.
  socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]))
  return socket
}

function residentBytes(): number {
  const { pid, workerPids } = house.rig.program
  const pages = [pid, ...workerPids()].map(one =>
    Number(readFileSync(`/proc/${one}/statm`, 'utf8').split(' ')[1]),
  )
  return pages.reduce((sum, one) => sum + one, 0) * 4096
}

test('who reads nothing holds the upstream still, and nobody else', async () => {
  const { userId, token } = await house.addCaller()
  const text = 'x'.repeat(64 * 1024)
  const before = house.openai.served.length
  const atFirst = residentBytes()
  house.openai.next({ ...(endlessStream as object), reply: { text }, pieceChars: text.length })
  const socket = await stalledClient(token.key)
  const served = await until(() => house.openai.served[before])
  let frames = -1
  await until(async () => {
    const still = served.frames === frames && frames > 1
    frames = served.frames
    await Bun.sleep(400)
    return still && served.frames === frames
  })
  expect(frames * text.length).toBeLessThan(MOST_UNREAD)
  expect(residentBytes() - atFirst).toBeLessThan(60 * MEGABYTE)
  await ask(house.connect(token.key), create('Meanwhile'))
  // It waits, and is not given up.
  expect(served.aborted).toBe(false)
  expect(await house.chargesOf(userId)).toHaveLength(1)
  socket.destroy()
  await served.done
  expect(served.aborted).toBe(true)
  await until(async () => (await house.chargesOf(userId)).length === 2)
})

test('who reads late gets all of it', async () => {
  const { userId, token } = await house.addCaller()
  const before = house.openai.served.length
  // More than waits anywhere, and less than the last event, which repeats it, may be.
  house.openai.next(megabytes(12))
  const socket = await stalledClient(token.key)
  const served = await until(() => house.openai.served[before])
  await until(() => served.frames > 1)
  let bytes = 0
  let end = ''
  socket.on('data', piece => {
    bytes += piece.length
    end = (end + piece.toString('latin1')).slice(-200_000)
  })
  socket.resume()
  await until(() => end.includes('"total_tokens"'))
  // In its pieces, and then as a whole more than once.
  expect(bytes).toBeGreaterThan(24 * MEGABYTE)
  expect(await house.chargesOf(userId)).toHaveLength(1)
  socket.destroy()
})

async function openSockets(): Promise<number> {
  const text = await (await fetch(`${house.rig.url}/metrics`)).text()
  return Number(/^tollgate_relay_responses_sockets\S* (\d+)/m.exec(text)?.[1])
}

test('a thousand that say nothing are in nobody’s way, and are counted', async () => {
  const { token } = await house.addCaller({ limits: { concurrency: 1, rpm: 10 } })
  // Who has just left may still be among them.
  await atRest()
  const before = await openSockets()
  const idle: Talk[] = []
  for (let round = 0; round < 10; round++) {
    const talks = Array.from({ length: 100 }, () => house.connect(token.key))
    await Promise.all(
      talks.map(
        talk => new Promise(resolve => talk.socket.addEventListener('open', resolve, { once: true })),
      ),
    )
    idle.push(...talks)
  }
  await until(async () => (await openSockets()) === before + idle.length)
  const [one] = idle
  if (!one) throw new Error('none')
  expect(saidIn((await ask(one, create('Hello'))).response)).toContain('You said: Hello')
  for (const talk of idle) talk.socket.terminate()
  await until(async () => (await openSockets()) <= before)
})

test('a program that ends finishes what is under way, and takes nothing new', async () => {
  const other = await openHouse()
  const { userId, token } = await other.addCaller()
  const idle = other.connect(token.key)
  await ask(idle, create('Hello'))
  const busy = other.connect(token.key)
  const { promise, resolve } = Promise.withResolvers<void>()
  other.openai.next({ hold: { afterFrames: 4, until: promise } })
  await send(busy, create('Take your time'))
  await busy.until('response.created')
  await send(busy, create('Waits'))
  const stopped = other.rig.program.stop()
  expect((await idle.closed).code).toBe(1001)
  expect(await busy.until('error')).toMatchObject({ status: 503 })
  await send(busy, create('One more'))
  expect(await busy.until('error')).toMatchObject({ status: 503 })
  resolve()
  const { response } = await busy.until('response.completed')
  expect(saidIn(asObject(response) ?? {})).toContain('You said: Take your time')
  expect((await busy.closed).code).toBe(1001)
  expect(await stopped).toBe(0)
  expect(await other.chargesOf(userId)).toHaveLength(2)
  await other.close()
})
