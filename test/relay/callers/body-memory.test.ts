import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { until } from '../../program.ts'
import { openRig, type Rig } from '../rig.ts'
import { type RawAnswer, rawRequest, sendRaw } from '../streams/raw-socket.ts'
import { ask, chat, problemIn, type Way, ways } from '../ways.ts'

const MEGABYTE = 1024 * 1024
/** A quarter of it is for one user. */
const ROOM = 64

let rig: Rig
let upstream: Awaited<ReturnType<Way['start']>>
const keys: string[] = []

beforeAll(async () => {
  upstream = await chat.start()
  rig = await openRig(
    async books => {
      for (let user = 0; user < 6; user++)
        keys.push((await books.addToken({ userId: await books.addUser({ quota: 1e12 }) })).key)
      await books.addChannel({
        type: chat.channelType,
        baseUrl: upstream.url,
        key: upstream.key,
        models: ways.map(({ model }) => model),
      })
    },
    { BODY_MEMORY: String(ROOM) },
  )
})
afterAll(async () => {
  expect(await rig.differences()).toEqual([])
  await rig.close()
  await upstream.stop()
})

const keyOf = (user: number): string => keys[user] ?? ''

/** A request whose body is not all that it says it is. One that stands still is ended after twelve seconds. */
function begin(user: number, megabytes: number): Socket {
  const { hostname, port } = new URL(rig.url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  socket.write(headOf(chat.path(chat.model, false), user, `Content-Length: ${megabytes * MEGABYTE + 1}`))
  socket.write(Buffer.alloc(megabytes * MEGABYTE, ' '))
  return socket
}

function headOf(path: string, user: number, framing: string): string {
  return rawRequest([
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${keyOf(user)}`,
    'Content-Type: application/json',
    'Accept-Language: en',
    framing,
  ])
}

/** All of a call, of as many megabytes of blanks as are asked for. */
function send(user: number, megabytes: number, way = chat, isAnnounced = true): Promise<RawAnswer> {
  const body = JSON.stringify(way.body(way.model, 'hi', false)) + ' '.repeat(megabytes * MEGABYTE)
  const head = headOf(
    way.path(way.model, false),
    user,
    isAnnounced ? `Content-Length: ${body.length}` : 'Transfer-Encoding: chunked',
  )
  const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  return sendRaw(rig.url, [head, isAnnounced ? body : chunked])
}

/** What is held of all bodies, as the program tells it. */
async function held(): Promise<number> {
  const text = await (await fetch(`${rig.url}/metrics`)).text()
  return Number(/^tollgate_http_body_bytes(?:\{.*\})? (\S+)$/m.exec(text)?.[1] ?? Number.NaN) / MEGABYTE
}

const isHeld = (megabytes: number) => until(async () => Math.round(await held()) === megabytes)

test('what one user has begun to send leaves room for that much less of theirs, and for all of others', async () => {
  for (const isAnnounced of [true, false])
    for (const way of ways) {
      const begun = begin(0, 10)
      await isHeld(10)
      const answer = await send(0, 10, way, isAnnounced)
      expect([way.name, answer.status]).toEqual([way.name, 429])
      expect(answer.text).toMatch(/\r\nretry-after: 5\r\n/i)
      const { message } = problemIn(way, answer.text.slice(answer.text.indexOf('\r\n\r\n') + 4)) ?? {}
      expect(message).toStartWith(
        'What you are sending at once comes to more than 16 MB: try again in 5 seconds',
      )
      await isHeld(10)
      begun.destroy()
      await isHeld(0)
    }
  const begun = begin(0, 10)
  await isHeld(10)
  expect((await send(0, 4)).status).toBe(200)
  expect((await ask(rig.url, chat, { key: keyOf(0) })).status).toBe(200)
  expect((await send(1, 10)).status).toBe(200)

  begun.destroy()
  await isHeld(0)
  expect((await send(0, 10)).status).toBe(200)
  await isHeld(0)
})

test('a body for which there is never room is told so', async () => {
  for (const isAnnounced of [true, false]) {
    const answer = await send(0, 17, chat, isAnnounced)
    expect(answer.status).toBe(413)
    expect(answer.text).toContain(`at most ${16 * MEGABYTE} bytes`)
  }
  await isHeld(0)
})

test('where all users have begun to send as much as there is room for, nobody sends more, and all call with little', async () => {
  const begun = [0, 1, 2, 3].map(user => begin(user, 15))
  await isHeld(60)
  const answer = await send(4, 10)
  expect(answer.status).toBe(503)
  expect(answer.text).toMatch(/\r\nretry-after: 5\r\n/i)
  expect(answer.text).toContain('"code":"service_unavailable"')
  expect((await ask(rig.url, chat, { key: keyOf(4) })).status).toBe(200)

  begun[0]?.destroy()
  await isHeld(45)
  expect((await send(4, 10)).status).toBe(200)
  for (const socket of begun) socket.destroy()
  await isHeld(0)
})
