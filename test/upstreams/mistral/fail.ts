import type { Json } from '../../../server/dialects/json.ts'
import { askToWait, type FailureKind, type Fixed } from '../failure.ts'
import { Refusal } from '../upstream.ts'

function mistralError(status: number, message: Json, type: string, code: string | null): Fixed {
  return { status, body: { object: 'error', message, type, param: null, code } }
}

const INVALID = 'invalid_request_error'

const FAILURES: Record<FailureKind, readonly [status: number, message: string, type: string, code: string]> =
  {
    'bad-request': [400, 'Invalid request', INVALID, '3001'],
    'too-long': [
      400,
      'Prompt contains 140000 tokens and 0 draft tokens, too large for model with 131072 maximum context length',
      'invalid_request_prompt',
      '3051',
    ],
    'bad-key': [401, 'Unauthorized', INVALID, '1000'],
    'account-off': [401, 'Unauthorized', INVALID, '1000'],
    'no-balance': [402, 'Payment required', INVALID, '1910'],
    forbidden: [403, 'Forbidden', INVALID, '1000'],
    'not-found': [404, 'no Route matched with those values', INVALID, '1000'],
    'no-model': [400, 'Invalid model: mistral-none', 'invalid_model', '1500'],
    'too-large': [413, 'Request entity too large', INVALID, '1000'],
    'rate-limit': [429, 'Rate limit exceeded', 'rate_limited', '1300'],
    quota: [429, 'Service tier capacity exceeded for this model.', 'service_tier_capacity_exceeded', '3505'],
    filtered: [403, 'Request blocked by guardrails', INVALID, '3900'],
    'server-error': [500, 'Internal server error', 'internal_server_error', '1000'],
    overloaded: [503, 'Service unavailable.', 'internal_server_error', '1000'],
    timeout: [504, 'The upstream server is timing out', 'internal_server_error', '1000'],
  }

export function failMistral(kind: FailureKind, message?: string): Fixed {
  const [status, usual, type, code] = FAILURES[kind]
  const said = message ?? usual
  // The door in front of the vendor speaks more briefly than the vendor.
  if (status === 401 || status === 404 || status === 503)
    return { status, body: { message: said, request_id: '0123456789abcdef' } }
  const fixed = mistralError(status, said, type, code)
  return askToWait(kind, fixed)
}

export function refuseMistral(message: string, type: string, code: string): never {
  throw new Refusal(message, mistralError(400, message, type, code))
}

export function refuseDetail(
  type: string,
  loc: readonly (string | number)[],
  msg: string,
  input: Json,
): never {
  const detail = [{ type, loc: ['body', ...loc], msg, input }]
  throw new Refusal(`${loc.join('.')}: ${msg}`, mistralError(422, { detail }, INVALID, null))
}
