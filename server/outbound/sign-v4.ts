import { createHash, createHmac } from 'node:crypto'

/** A request as it is about to be sent; headers in lower case. */
interface Unsigned {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

export interface SigningKey {
  readonly accessKey: string
  readonly secretKey: string
  readonly sessionToken?: string | undefined
  readonly region: string
  readonly service: string
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
const S3 = 's3'

/** The headers that prove a request to AWS (Signature Version 4). `at`: milliseconds since 1970. */
export function signV4(request: Unsigned, key: SigningKey, at: number): Record<string, string> {
  const moment = new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = moment.slice(0, 8)
  const added: Record<string, string> = { 'x-amz-date': moment }
  if (key.sessionToken) added['x-amz-security-token'] = key.sessionToken
  // What is stored is checked against it, so S3 wants to be told.
  if (key.service === S3) added['x-amz-content-sha256'] = sha256(request.body)
  const { canonical, names } = canonicalRequest(request, added, key.service)
  const scope = `${day}/${key.region}/${key.service}/aws4_request`
  const toSign = `${ALGORITHM}\n${moment}\n${scope}\n${sha256(canonical)}`
  const steps = [day, key.region, key.service, 'aws4_request']
  const signing = steps.reduce<string | Buffer>((last, step) => hmac(last, step), `AWS4${key.secretKey}`)
  const signature = hmac(signing, toSign).toString('hex')
  const credential = `Credential=${key.accessKey}/${scope}`
  return {
    ...added,
    authorization: `${ALGORITHM} ${credential}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

export function canonicalRequest(
  { method, url, headers, body }: Unsigned,
  added: Readonly<Record<string, string>>,
  service: string,
): { canonical: string; names: string } {
  const { host, pathname, searchParams } = new URL(url)
  const type = headers['content-type']
  const signed: Record<string, string> = {
    host,
    ...added,
    ...(type !== undefined && { 'content-type': type }),
  }
  const sorted = Object.keys(signed).sort()
  const names = sorted.join(';')
  const lines = sorted.map(name => `${name}:${signed[name]?.trim()}\n`).join('')
  // Each segment as it is sent, encoded once more; S3 alone takes the name of an object as it is.
  const segments = pathname.split('/')
  const path = (service === S3 ? segments.map(decodeURIComponent) : segments).map(encode).join('/')
  const query = [...searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  return { canonical: [method, path, query, lines, names, sha256(body)].join('\n'), names }
}

function encode(text: string): string {
  const hex = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(text).replace(/[!'()*]/g, hex)
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

function hmac(key: string | Buffer, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest()
}
