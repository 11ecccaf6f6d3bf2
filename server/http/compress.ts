import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Written } from './write-output.ts'

/** Shorter answers cost more to squeeze than to send. */
const WORTH_IT = 2048
/** Longer ones are squeezed by another thread: the streams of this one do not wait for it. */
const AT_ONCE = 16 * 1024
/** What is very long is squeezed less, so that it is there sooner. */
const VERY_LONG = 512 * 1024

const gzipElsewhere = promisify(gzip)

interface Squeezed {
  readonly body: Written | Uint8Array<ArrayBuffer>
  readonly headers: Record<string, string>
}

/** The body of a JSON answer, gzipped when the caller takes that and it is long enough to matter. */
export function squeeze(body: Written, request: Request): Squeezed | Promise<Squeezed> {
  const accepted = request.headers.get('accept-encoding')
  if (body.length < WORTH_IT || !accepted || !/\bgzip\b/.test(accepted)) return { body, headers: {} }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  if (body.length <= AT_ONCE) return gzipped(Bun.gzipSync(bytes, { level: 5 }))
  return gzipElsewhere(bytes, { level: body.length > VERY_LONG ? 1 : 5 }).then(gzipped)
}

function gzipped(body: Uint8Array<ArrayBuffer>): Squeezed {
  return { body, headers: { 'content-encoding': 'gzip', vary: 'accept-encoding' } }
}
