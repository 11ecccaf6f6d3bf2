import { expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { atRest } from '../../at-rest.ts'
import { until } from '../../program.ts'
import { serveLoopback } from '../../serve-loopback.ts'
import { passHouse } from './pass-house.ts'

const house = passHouse({ RetryTimes: '3', UpstreamAnswerSeconds: '5' })
const MEGABYTE = 1024 * 1024

/** A client that sends as much of a body as it is told to, when it is told to. */
function uploads(path: string, length: number | undefined) {
  const { hostname, port } = new URL(house.rig.url)
  const socket: Socket = connect({ host: hostname, port: Number(port) })
  const { promise: status, resolve } = Promise.withResolvers<number>()
  let text = ''
  socket.on('data', chunk => {
    text += chunk.toString('latin1')
    const told = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]
    if (told) resolve(Number(told))
  })
  for (const sign of ['close', 'error']) socket.on(sign, () => resolve(0))
  const size = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  const lines = [`PUT /pass/${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${house.key}`, size]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  return { socket, status }
}

test('who sends slowly, or breaks off, takes the service from nobody', async () => {
  const slow = [1, 2, 3].map(() => uploads('echo/up', 2 * MEGABYTE))
  for (const { socket } of slow) socket.write('begun')
  const leaving = uploads('echo/up', 2 * MEGABYTE)
  leaving.socket.write('begun')
  await until(() => house.api.begun >= 4)
  leaving.socket.destroy()
  expect(await Promise.all(slow.map(({ status }) => status))).toEqual([408, 408, 408])
  for (const { socket } of slow) socket.destroy()
  expect((await house.call('echo/x')).status).toBe(200)
}, 20_000)

test('who breaks off while it sends is not waited for, and pays nothing', async () => {
  const before = await house.rig.balance(house.userId)
  const { begun, brokenOff } = house.api
  const { socket } = uploads('echo/up', 2 * MEGABYTE)
  socket.write('begun')
  await until(() => house.api.begun > begun)
  socket.destroy()
  await until(() => house.api.brokenOff > brokenOff)
  expect((await house.call('gift/x')).status).toBe(200)
  expect(await house.rig.balance(house.userId)).toBe(before)
}, 20_000)

test('what comes after one channel has refused goes to the next, from its first byte', async () => {
  let asked = 0
  // Has nothing against its channel: another key may be let in.
  const early = serveLoopback(() => {
    asked++
    return new Response('who are you?', { status: 401 })
  })
  const baseUrl = `http://127.0.0.1:${early.port}/base`
  await house.channel({ models: ['gift'], baseUrl, priority: 20 })
  await until(async () => (await house.call('gift/x')).ok && asked > 0)
  const before = [asked, house.api.begun] as const
  const { socket, status } = uploads('gift/up', undefined)
  await until(() => asked > before[0] && house.api.begun > before[1])
  socket.write('5\r\nfirst\r\n')
  await atRest()
  socket.write('6\r\nsecond\r\n0\r\n\r\n')
  expect(await status).toBe(200)
  expect(house.api.seen.at(-1)?.text).toBe('firstsecond')
  socket.destroy()
  await early.stop(true)
}, 20_000)
