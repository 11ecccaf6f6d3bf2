import type { FailureKind, Fixed } from '../failure.ts'
import { Refusal } from '../upstream.ts'

const FAILURES: Record<FailureKind, readonly [status: number, code: number, message: string]> = {
  'bad-request': [400, 10163, 'ParamSchemaError'],
  'too-long': [400, 10907, 'TokenNumOverLimitError'],
  'bad-key': [401, 0, 'HMAC signature cannot be verified: fail to retrieve credential'],
  'account-off': [401, 10015, 'AppIdInBlackList'],
  'no-balance': [403, 10016, 'AppIdAuthError'],
  forbidden: [403, 11200, 'AppIdNoAuthError'],
  'not-found': [404, 0, 'Not Found'],
  'no-model': [400, 10005, 'invalid param model:none'],
  'too-large': [400, 10907, 'TokenNumOverLimitError'],
  'rate-limit': [429, 11202, 'AppIdQpsOverFlowError'],
  quota: [429, 11201, 'AppIdDailyOverFlowError'],
  filtered: [400, 10013, 'InputAuditError'],
  'server-error': [500, 10012, 'EngineInternalError'],
  overloaded: [503, 10110, 'EngineBusyError'],
  timeout: [500, 10010, 'EngineRecvError'],
}

/** What answers a request, and a handshake that is refused. */
export function failSpark(kind: FailureKind, message?: string): Fixed {
  const [status, code, usual] = FAILURES[kind]
  const words = message ?? usual
  if (code === 0) return { status, body: { message: words } }
  const error = {
    message: `${words} (sid: cha000b9019@dx196bacca051b8f2532)`,
    type: 'api_error',
    param: null,
    code: String(code),
  }
  return { status, body: { error } }
}

/** A message in a socket that is an error; undefined when the handshake would have been refused. */
export function errorMessage(kind: FailureKind, message?: string): string | undefined {
  const [, code, usual] = FAILURES[kind]
  if (code === 0) return undefined
  return JSON.stringify({
    header: { code, message: message ?? usual, sid: 'cht000704fa@dx16ade44e4d87a1c802', status: 2 },
  })
}

export function refuseSpark(message: string, kind: FailureKind = 'bad-request'): never {
  throw new Refusal(message, failSpark(kind, message))
}
