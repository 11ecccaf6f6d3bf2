import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import type { Written } from './write-output.ts'

/** Shorter answers cost more to squeeze than to send. */
const WORTH_IT = 2048
/** Longer ones are squeezed by another thread: the streams of this one do not wait for it. */
const AT_ONCE = 16 * 1024
/** What is very long is squeezed less, so that it is there sooner. */
const VERY_LONG = 512 * 1024
const CHUNK = 64 * 1024

const gzipElsewhere = promisify(gzip)

interface Squeezed {
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly headers: Record<string, string>
}

/** The body of a JSON answer, gzipped when the caller takes that and it is long enough to matter. */
export function squeeze(body: Written, request: Request): Squeezed | Promise<Squeezed> {
  const isTaken = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
  if (typeof body !== 'string')
    return isTaken ? gzipParts(body).then(gzipped) : { body: Buffer.concat(body), headers: {} }
  if (body.length < WORTH_IT || !isTaken) return { body, headers: {} }
  const bytes = Buffer.from(body)
  if (body.length <= AT_ONCE) return gzipped(Bun.gzipSync(bytes, { level: 5 }))
  return gzipElsewhere(bytes, { level: levelFor(body.length) }).then(gzipped)
}

function levelFor(length: number): number {
  return length > VERY_LONG ? 1 : 5
}

/** One part after the other, so that neither they nor what becomes of them is copied at one go. */
async function gzipParts(parts: readonly Buffer[]): Promise<Buffer<ArrayBuffer>> {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const squeezer = createGzip({ level: levelFor(length), chunkSize: CHUNK })
  const chunks: Buffer[] = []
  squeezer.on('data', (chunk: Buffer) => chunks.push(chunk))
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  squeezer.once('end', resolve).once('error', reject)
  for (const part of parts) {
    const { promise: taken, resolve: take } = Promise.withResolvers<unknown>()
    squeezer.write(part, take)
    await Promise.race([taken, ended])
  }
  squeezer.end()
  await ended
  return Buffer.concat(chunks)
}

function gzipped(body: Uint8Array<ArrayBuffer>): Squeezed {
  return { body, headers: { 'content-encoding': 'gzip', vary: 'accept-encoding' } }
}
