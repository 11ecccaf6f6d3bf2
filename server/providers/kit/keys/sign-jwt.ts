import { createHmac } from 'node:crypto'

/** A token that proves a shared secret (HS256). */
export function signJwt(header: object, claims: object, secret: string): string {
  const unsigned = `${encode({ alg: 'HS256', ...header })}.${encode(claims)}`
  return `${unsigned}.${createHmac('sha256', secret).update(unsigned).digest('base64url')}`
}

/** A part of a token, as it stands in one. */
export function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
