import { crc32 } from 'node:zlib'

/** One message of the binary event stream. */
function packMessage(headers: Readonly<Record<string, string>>, payload: string): Buffer {
  const head = Buffer.concat(
    Object.entries(headers).flatMap(([name, value]) => [
      Buffer.from([name.length]),
      Buffer.from(name),
      Buffer.from([7, value.length >> 8, value.length & 255]),
      Buffer.from(value),
    ]),
  )
  const body = Buffer.from(payload)
  const prelude = Buffer.alloc(8)
  prelude.writeUInt32BE(12 + head.length + body.length + 4, 0)
  prelude.writeUInt32BE(head.length, 4)
  const most = Buffer.concat([prelude, sum(prelude), head, body])
  return Buffer.concat([most, sum(most)])
}

export function packEvent(event: string): Buffer {
  const headers = { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' }
  return packMessage(headers, JSON.stringify({ bytes: Buffer.from(event).toString('base64') }))
}

export function packException(name: string, message: string): Buffer {
  const headers = {
    ':exception-type': name,
    ':content-type': 'application/json',
    ':message-type': 'exception',
  }
  return packMessage(headers, JSON.stringify({ message }))
}

function sum(bytes: Buffer): Buffer {
  const packed = Buffer.alloc(4)
  packed.writeUInt32BE(crc32(bytes))
  return packed
}
