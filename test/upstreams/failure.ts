import type { JsonObject } from '../../server/dialects/json.ts'

/** Ways in which every vendor fails, each in its own words. */
export type FailureKind =
  | 'bad-request'
  | 'too-long'
  | 'bad-key'
  | 'account-off'
  | 'no-balance'
  | 'forbidden'
  | 'not-found'
  | 'no-model'
  | 'too-large'
  | 'rate-limit'
  | 'quota'
  | 'filtered'
  | 'server-error'
  | 'overloaded'
  | 'timeout'

/** An answer to the byte. */
export interface Fixed {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: JsonObject
}

export const RETRY_AFTER = '7'

/** The same, with a time to wait where the limit was one of requests. */
export function askToWait(kind: FailureKind, fixed: Fixed): Fixed {
  if (kind !== 'rate-limit') return fixed
  return { ...fixed, headers: { ...fixed.headers, 'Retry-After': RETRY_AFTER } }
}
