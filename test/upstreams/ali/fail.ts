import { askToWait, type FailureKind, type Fixed } from '../failure.ts'
import { Refusal } from '../upstream.ts'

const REQUEST = '7e9ac6f0-1f5b-9f8c-a3c4-1b2f3d4e5f60'
const INVALID = 'invalid_request_error'

/** The code of its own API; that of compatible mode where it is another. */
const FAILURES: Record<
  FailureKind,
  readonly [status: number, message: string, own: string, compatible?: string]
> = {
  'bad-request': [
    400,
    'Required parameter(s) missing or invalid, please check the request parameters.',
    'InvalidParameter',
    'invalid_parameter_error',
  ],
  'too-long': [
    400,
    'Range of input length should be [1, 129024]',
    'InvalidParameter',
    'invalid_parameter_error',
  ],
  'bad-key': [401, 'Invalid API-key provided.', 'InvalidApiKey', 'invalid_api_key'],
  'account-off': [401, 'Invalid API-key provided.', 'InvalidApiKey', 'invalid_api_key'],
  'no-balance': [400, 'Access denied, please make sure your account is in good standing.', 'Arrearage'],
  forbidden: [
    403,
    'Access to model denied. Please make sure you are eligible for using the model.',
    'AccessDenied.Unpurchased',
  ],
  'not-found': [404, 'Invalid URL provided in your request.', 'InvalidURL'],
  'no-model': [404, 'Model can not be found.', 'ModelNotFound', 'model_not_found'],
  'too-large': [413, 'Payload Too Large', 'BadRequest.TooLarge'],
  'rate-limit': [
    429,
    'Requests rate limit exceeded, please try again later.',
    'Throttling.RateQuota',
    'limit_requests',
  ],
  quota: [
    429,
    'Allocated quota exceeded, please increase your quota limit.',
    'Throttling.AllocationQuota',
    'limit_burst_rate',
  ],
  filtered: [
    400,
    'Input data may contain inappropriate content.',
    'DataInspectionFailed',
    'data_inspection_failed',
  ],
  'server-error': [
    500,
    'An internal error has occured, please try again later or contact service support.',
    'InternalError',
    'internal_error',
  ],
  overloaded: [
    503,
    'Too many requests. Your requests are being throttled due to system capacity limits.',
    'ServiceUnavailable',
  ],
  timeout: [408, 'Request timed out, please try again later.', 'RequestTimeOut'],
}

/** As its own API words it. */
export function failNative(kind: FailureKind, message?: string): Fixed {
  const [status, usual, code] = FAILURES[kind]
  return withPause(kind, { status, body: { code, message: message ?? usual, request_id: REQUEST } })
}

/** As compatible mode words it. */
export function failCompatible(kind: FailureKind, message?: string): Fixed {
  const [status, usual, own, code = own] = FAILURES[kind]
  const type = status === 400 && code !== 'Arrearage' ? INVALID : code
  const error = { message: message ?? usual, type, param: null, code }
  return withPause(kind, { status, body: { error, request_id: REQUEST } })
}

function withPause(kind: FailureKind, fixed: Fixed): Fixed {
  return askToWait(kind, fixed)
}

export function refuseNative(message: string): never {
  throw new Refusal(message, failNative('bad-request', message))
}

export function refuseCompatible(message: string): never {
  throw new Refusal(message, failCompatible('bad-request', message))
}
