import { createHmac } from 'node:crypto'

const LIFE_MS = 3_600_000

/** The JWT that an `id.secret` becomes. `at`: milliseconds since 1970, and so are its own moments. */
export function writeToken(key: string, at: number): string {
  const dot = key.indexOf('.')
  const claims = { api_key: key.slice(0, dot), exp: at + LIFE_MS, timestamp: at }
  const unsigned = `${encode({ alg: 'HS256', sign_type: 'SIGN' })}.${encode(claims)}`
  const signature = createHmac('sha256', key.slice(dot + 1))
    .update(unsigned)
    .digest('base64url')
  return `${unsigned}.${signature}`
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
