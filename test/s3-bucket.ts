import { createHash, createHmac } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { AnyJson } from './any-json.ts'
import { serveLoopback } from './serve-loopback.ts'

const key = { access: 'AKIATESTTESTTEST', secret: 'wJalr/XUtnFEMI+bPxRfiCY', region: 'eu-test-1' }

/** What a program needs to be told to write into it. */
export const s3Options = {
  LogS3Bucket: 'our-logs',
  LogS3Region: key.region,
  LogS3AccessKeyId: key.access,
  LogS3SecretKey: key.secret,
  LogS3PathStyle: 'true',
  LogS3Seconds: '1',
}

interface Stored {
  readonly bytes: Uint8Array
  readonly type: string
  /** How often something was put there. */
  readonly times: number
}

/** An S3 with one bucket, which takes nothing that the real one would refuse, and proves every signature by itself. */
export class S3Bucket {
  readonly objects = new Map<string, Stored>()
  readonly complaints: string[] = []
  /** Its clock, in milliseconds: what was signed at another time is refused. */
  now: () => number = Date.now
  /** Before anything else, what it answers instead. */
  answer: (name: string) => Response | undefined | Promise<Response | undefined> = () => undefined
  readonly #server: Bun.Server<unknown>

  constructor() {
    this.#server = serveLoopback(request => this.#take(request))
  }

  get port(): number {
    return this.#server.port ?? 0
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** All rows, in the order of the objects' names. */
  rows(): AnyJson[] {
    const names = [...this.objects.keys()].filter(name => name.endsWith('.jsonl.gz')).sort()
    return names.flatMap(name => this.read(name))
  }

  read(name: string): AnyJson[] {
    const bytes = this.objects.get(name)?.bytes ?? new Uint8Array()
    const text = new TextDecoder().decode(gunzipSync(bytes))
    if (!text.endsWith('\n')) throw new Error('the last line has no end')
    return text
      .slice(0, -1)
      .split('\n')
      .map(line => JSON.parse(line))
  }

  async close(): Promise<void> {
    await this.#server.stop(true)
  }

  async #take(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    const bytes = new Uint8Array(await request.arrayBuffer())
    const isInHost = /^our-logs\.s3\.test(:\d+)?$/.test(request.headers.get('host') ?? '')
    if (!isInHost && !pathname.startsWith('/our-logs/')) return this.#refuse(404, 'NoSuchBucket')
    const name = decodeURIComponent(isInHost ? pathname.slice(1) : pathname.slice('/our-logs/'.length))
    const instead = await this.answer(name)
    if (instead) return instead
    const wrong = wrongIn(request, pathname, bytes, this.now())
    if (wrong) return this.#refuse(wrong === 'MissingContentLength' ? 411 : 403, wrong)
    const times = (this.objects.get(name)?.times ?? 0) + 1
    this.objects.set(name, { bytes, times, type: request.headers.get('content-type') ?? '' })
    const etag = `"${createHash('md5').update(bytes).digest('hex')}"`
    return new Response(null, { status: 200, headers: { etag } })
  }

  #refuse(status: number, code: string): Response {
    this.complaints.push(code)
    return refusal(status, code)
  }
}

/** As S3 writes it; the real one repeats the key that it was given too. */
export function refusal(status: number, code: string): Response {
  const words = `<?xml version="1.0"?><Error><Code>${code}</Code><AWSAccessKeyId>${key.access}</AWSAccessKeyId></Error>`
  return new Response(words, { status, headers: { 'content-type': 'application/xml' } })
}

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
const hmac = (secret: string | Buffer, data: string): Buffer =>
  createHmac('sha256', secret).update(data).digest()
const shape =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/

function wrongIn(request: Request, pathname: string, bytes: Uint8Array, now: number): string | undefined {
  const { method, headers } = request
  if (method !== 'PUT') return 'MethodNotAllowed'
  if (headers.get('content-length') !== String(bytes.byteLength)) return 'MissingContentLength'
  const [, access, day, region, names = '', signature] = shape.exec(headers.get('authorization') ?? '') ?? []
  if (!signature) return 'AccessDenied'
  if (access !== key.access) return 'InvalidAccessKeyId'
  if (region !== key.region) return 'AuthorizationHeaderMalformed'
  const moment = headers.get('x-amz-date') ?? ''
  const at = Date.parse(moment.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!moment.startsWith(day ?? '-') || !(Math.abs(at - now) < 900_000)) return 'RequestTimeTooSkewed'
  const digest = headers.get('x-amz-content-sha256')
  if (digest !== sha256(bytes)) return 'XAmzContentSHA256Mismatch'
  const signed = names.split(';')
  const must = [...headers.keys()].filter(name => name === 'host' || name.startsWith('x-amz-'))
  if (must.some(name => !signed.includes(name)) || signed.join() !== [...signed].sort().join())
    return 'AccessDenied'
  const lines = signed.map(name => `${name}:${headers.get(name)?.trim()}\n`).join('')
  const path = pathname.split('/').map(decodeURIComponent).map(strictly).join('/')
  const canonical = [method, path, '', lines, names, digest].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  let secret = hmac(`AWS4${key.secret}`, day ?? '')
  for (const step of [region ?? '', 's3', 'aws4_request']) secret = hmac(secret, step)
  const expected = hmac(secret, `AWS4-HMAC-SHA256\n${moment}\n${scope}\n${sha256(canonical)}`).toString('hex')
  return expected === signature ? undefined : 'SignatureDoesNotMatch'
}

function strictly(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
