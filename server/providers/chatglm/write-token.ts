import { signJwt } from '../kit/keys/sign-jwt.ts'

const LIFE_MS = 3_600_000

/** The JWT that an `id.secret` becomes. `at`: milliseconds since 1970, and so are its own moments. */
export function writeToken(key: string, at: number): string {
  const dot = key.indexOf('.')
  const claims = { api_key: key.slice(0, dot), exp: at + LIFE_MS, timestamp: at }
  return signJwt({ sign_type: 'SIGN' }, claims, key.slice(dot + 1))
}
