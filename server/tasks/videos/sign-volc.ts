import { createHash, createHmac } from 'node:crypto'
import type { SignedRequest } from '../define.ts'

interface Account {
  readonly access: string
  readonly secret: string
  readonly region: string
  readonly service: string
}

const names = 'content-type;host;x-content-sha256;x-date'

/** The headers that prove who asks for exactly this, as VolcEngine's older services want it. `at`: milliseconds. */
export function signVolc(
  { access, secret, region, service }: Account,
  { method, url, body, type }: SignedRequest,
  at: number,
): Record<string, string> {
  const { host, pathname, searchParams } = new URL(url)
  const date = `${new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')}`
  const day = date.slice(0, 8)
  const digest = sha256(body)
  const scope = `${day}/${region}/${service}/request`
  const headers = `content-type:${type}\nhost:${host}\nx-content-sha256:${digest}\nx-date:${date}\n`
  searchParams.sort()
  const canonical = [method, pathname, searchParams.toString(), headers, names, digest].join('\n')
  const key = [day, region, service, 'request'].reduce<string | Buffer>(hmac, secret)
  const signature = hmac(key, ['HMAC-SHA256', date, scope, sha256(canonical)].join('\n')).toString('hex')
  return {
    'x-date': date,
    'x-content-sha256': digest,
    authorization: `HMAC-SHA256 Credential=${access}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
