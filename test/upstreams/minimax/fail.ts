import { askToWait, type FailureKind, type Fixed } from '../failure.ts'
import { Refusal } from '../upstream.ts'

const FAILURES: Record<FailureKind, readonly [code: number, message: string]> = {
  'bad-request': [2013, 'invalid params'],
  'too-long': [2013, 'invalid params, context window exceeds limit'],
  'bad-key': [
    1004,
    "login fail: Please carry the API secret key in the 'Authorization' field of the request header",
  ],
  'account-off': [2049, 'invalid api key'],
  'no-balance': [1008, 'insufficient balance'],
  forbidden: [2061, 'your current token plan not support model, MiniMax-M3'],
  'not-found': [2013, 'invalid params, unknown path'],
  'no-model': [2013, 'invalid params, unknown model'],
  'too-large': [2013, 'invalid params, request too large'],
  'rate-limit': [1002, 'rate limit exceeded(RPM)'],
  quota: [2056, 'usage limit exceeded'],
  filtered: [1026, 'input new_sensitive'],
  'server-error': [1000, 'unknown error, 794'],
  overloaded: [1041, 'conn limit'],
  timeout: [1001, 'request timeout'],
}

/** With status 200, whatever it is. */
export function failMinimax(kind: FailureKind, message?: string): Fixed {
  const [status_code, usual] = FAILURES[kind]
  const fixed = { status: 200, body: { base_resp: { status_code, status_msg: message ?? usual } } }
  return askToWait(kind, fixed)
}

export function refuseMinimax(message: string, kind: FailureKind = 'bad-request'): never {
  throw new Refusal(message, failMinimax(kind, message))
}
