import { isIP } from 'node:net'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { AppError } from '../../errors.ts'
import { signV4 } from '../../outbound/sign-v4.ts'
import type { Settings } from '../../store/settings-snapshot.ts'
import { hand } from './hand.ts'
import type { Parts, Sink } from './sink.ts'

/** On another thread: the streams of this process do not wait for it. */
const pack = promisify(gzip)

/** A bucket of S3, or of whoever speaks as it does. */
export const s3: Sink = {
  name: 's3',
  mostRows: 10_000,
  mostBytes: 8 * 1024 * 1024,
  isOn: settings => settings.get('LogS3Enabled'),
  secondsToWait: settings => settings.get('LogS3Seconds'),
  async send(app, { from, to, at, lines }, signal) {
    const day = new Date(at * 1000).toISOString().slice(0, 10).replaceAll('-', '/')
    const body = await pack(`${lines.join('\n')}\n`)
    await put(app, `${day}/${sortable(from)}-${sortable(to)}.jsonl.gz`, body, 'application/gzip', signal)
  },
  async test(app) {
    const { settings } = app
    const needed = ['LogS3Endpoint', 'LogS3Bucket', 'LogS3AccessKeyId', 'LogS3SecretKey'] as const
    if (needed.some(key => settings.get(key) === '')) throw new AppError('log.s3-first')
    const body = Buffer.from(`${JSON.stringify({ type: 'test', at: app.now() })}\n`)
    await put(app, 'test.json', body, 'application/json')
  },
}

/** Names of objects are listed by their letters, and so in the order of their rows. */
function sortable(id: number): string {
  return String(id).padStart(12, '0')
}

/** Under a name that was used before it takes the place of what is there. */
async function put(
  app: Parts,
  name: string,
  body: Uint8Array<ArrayBuffer>,
  type: string,
  signal?: AbortSignal,
): Promise<void> {
  const { settings, outbound, now } = app
  const url = addressOf(settings, name)
  const headers = { 'content-type': type }
  const key = {
    accessKey: settings.get('LogS3AccessKeyId'),
    secretKey: settings.get('LogS3SecretKey'),
    region: settings.get('LogS3Region'),
    service: 's3',
  }
  const proof = signV4({ method: 'PUT', url: url.href, headers, body }, key, now() * 1000)
  const answer = await hand(outbound, url, { method: 'PUT', headers: { ...headers, ...proof }, body, signal })
  // Every S3 names what it has stored: a page that answers to anything has stored nothing.
  if (!answer.headers.get('etag')) throw new AppError('log.sink-refused', { detail: 'no ETag' })
}

function addressOf(settings: Settings, name: string): URL {
  const bucket = settings.get('LogS3Bucket')
  const prefix = settings.get('LogS3Prefix')
  const url = new URL(settings.get('LogS3Endpoint'))
  // No name can stand before an address of numbers.
  const isInPath = settings.get('LogS3PathStyle') || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0
  if (!isInPath) url.hostname = `${bucket}.${url.hostname}`
  const parts = [url.pathname.replace(/\/+$/, ''), ...(isInPath ? [bucket] : []), prefix, name]
  url.pathname = parts.filter((part, at) => at === 0 || part !== '').join('/')
  return url
}
