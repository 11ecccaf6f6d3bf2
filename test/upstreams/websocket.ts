import { createHash } from 'node:crypto'
import { asObject, type JsonObject } from '../../server/dialects/json.ts'
import { atRest } from '../at-rest.ts'
import type { Connection, Exchange } from './http.ts'
import type { Answer } from './script.ts'
import type { Call, Served, Vendor } from './upstream.ts'

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const TEXT = 1
const CLOSE = 8
const PING = 9
const PONG = 10

/** Shakes hands and lets the vendor talk until one side leaves. */
export async function talkSocket(
  vendor: Vendor,
  call: Call,
  exchange: Exchange,
  answer: Answer,
  served: Served,
): Promise<void> {
  const { connection } = exchange
  exchange.reusable = false
  served.status = 101
  const accept = createHash('sha1')
    .update(`${call.seen.headers['sec-websocket-key']}${GUID}`)
    .digest('base64')
  const [protocol] = (call.seen.headers['sec-websocket-protocol'] ?? '').split(', ')
  await connection.write(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      `Sec-WebSocket-Accept: ${accept}\r\n${protocol ? `Sec-WebSocket-Protocol: ${protocol}\r\n` : ''}\r\n`,
  )
  await vendor.socket?.talk({
    call,
    answer,
    served,
    say: async event => {
      if (served.frames === answer.cutAfterFrames) {
        if (answer.onceRead) await atRest()
        await exchange.cut(answer.reset)
        return false
      }
      if (answer.gapMs !== undefined) await Bun.sleep(answer.gapMs)
      const bytes = Buffer.from(JSON.stringify(event))
      served.frames += 1
      exchange.sent += bytes.length
      return connection.write(frameOf(TEXT, bytes))
    },
    hear: async () => {
      const text = await hearText(connection)
      const heard = text === undefined ? undefined : asObject(parse(text))
      if (heard !== undefined) call.seen.messages.push(heard)
      return text === undefined ? undefined : (heard ?? {})
    },
  })
  connection.socket.end()
}

function parse(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The next whole message; pings are answered, a close is returned and ends it. */
async function hearText(connection: Connection): Promise<string | undefined> {
  const parts: Buffer[] = []
  for (;;) {
    const head = await connection.read(2)
    if (head === undefined) return undefined
    const opcode = (head[0] ?? 0) & 15
    const last = ((head[0] ?? 0) & 128) !== 0
    const payload = await readPayload(connection, head[1] ?? 0)
    if (payload === undefined) return undefined
    if (opcode === CLOSE) {
      await connection.write(frameOf(CLOSE, payload))
      return undefined
    }
    if (opcode === PING) await connection.write(frameOf(PONG, payload))
    if (opcode >= CLOSE) continue
    parts.push(payload)
    if (last) return Buffer.concat(parts).toString()
  }
}

async function readPayload(connection: Connection, second: number): Promise<Buffer | undefined> {
  let length = second & 127
  if (length === 126) length = (await connection.read(2))?.readUInt16BE() ?? 0
  else if (length === 127) length = Number((await connection.read(8))?.readBigUInt64BE() ?? 0n)
  // A client has to mask what it sends.
  if ((second & 128) === 0) return undefined
  const mask = await connection.read(4)
  const masked = await connection.read(length)
  if (mask === undefined || masked === undefined) return undefined
  const payload = Buffer.from(masked)
  for (let at = 0; at < payload.length; at++) payload[at] = (payload[at] ?? 0) ^ (mask[at & 3] ?? 0)
  return payload
}

function frameOf(opcode: number, payload: Buffer): Buffer {
  const { length } = payload
  const head = Buffer.alloc(length < 126 ? 2 : length < 65536 ? 4 : 10)
  head[0] = 128 | opcode
  if (length < 126) head[1] = length
  else if (length < 65536) {
    head[1] = 126
    head.writeUInt16BE(length, 2)
  } else {
    head[1] = 127
    head.writeBigUInt64BE(BigInt(length), 2)
  }
  return Buffer.concat([head, payload])
}
