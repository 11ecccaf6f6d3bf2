import { createHash, createHmac } from 'node:crypto'

export interface Tc3Request {
  readonly host: string
  /** As it is sent, byte for byte. */
  readonly contentType: string
  readonly body: string | Uint8Array
  /** Signed too where it is given. */
  readonly action?: string | undefined
}

export interface Tc3Key {
  readonly secretId: string
  readonly secretKey: string
  readonly service: string
}

const ALGORITHM = 'TC3-HMAC-SHA256'

/** The `Authorization` of a request to Tencent Cloud. `at`: seconds since 1970. */
export function signTc3(request: Tc3Request, key: Tc3Key, at: number): string {
  const { host, contentType, body, action } = request
  const signed = [
    ['content-type', contentType],
    ['host', host],
    ...(action ? [['x-tc-action', action.toLowerCase()]] : []),
  ]
  const names = signed.map(([name]) => name).join(';')
  const lines = signed.map(([name, value]) => `${name}:${value}\n`).join('')
  const canonical = `POST\n/\n\n${lines}\n${names}\n${sha256(body)}`
  const day = new Date(at * 1000).toISOString().slice(0, 10)
  const scope = `${day}/${key.service}/tc3_request`
  const toSign = `${ALGORITHM}\n${at}\n${scope}\n${sha256(canonical)}`
  const signing = [day, key.service, 'tc3_request'].reduce<string | Buffer>(hmac, `TC3${key.secretKey}`)
  const signature = hmac(signing, toSign).toString('hex')
  return `${ALGORITHM} Credential=${key.secretId}/${scope}, SignedHeaders=${names}, Signature=${signature}`
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

function hmac(key: string | Buffer, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest()
}
