import { askToWait, type FailureKind, type Fixed } from '../failure.ts'
import { Refusal } from '../upstream.ts'

const OLD: Record<FailureKind, readonly [code: number, message: string]> = {
  'bad-request': [336003, 'messages must be an array and can not be empty'],
  'too-long': [336103, 'the max length of current question is 8000'],
  'bad-key': [110, 'Access token invalid or no longer valid'],
  'account-off': [14, 'IAM Certification failed'],
  'no-balance': [17, 'Open api daily request limit reached'],
  forbidden: [6, 'No permission to access data'],
  'not-found': [3, 'Unsupported openapi method'],
  'no-model': [3, 'Unsupported openapi method'],
  'too-large': [336007, 'the max input characters is 24000'],
  'rate-limit': [18, 'Open api qps request limit reached'],
  quota: [336502, 'Rate limit reached for TPM'],
  filtered: [336104, 'user content is unsafe'],
  'server-error': [336000, 'Internal error'],
  overloaded: [336100, 'try again'],
  timeout: [2, 'Service temporarily unavailable'],
}

/** With status 200, whatever it is. */
export function failBaidu(kind: FailureKind, message?: string): Fixed {
  const [error_code, usual] = OLD[kind]
  return { status: 200, body: { error_code, error_msg: message ?? usual, id: 'as-0123456789' } }
}

export function refuseBaidu(message: string, kind: FailureKind = 'bad-request'): never {
  throw new Refusal(message, failBaidu(kind, message))
}

const INVALID = 'invalid_request_error'
const NEW: Record<FailureKind, readonly [status: number, code: string, message: string, type: string]> = {
  'bad-request': [400, 'invalid_argument', 'Invalid Argument', INVALID],
  'too-long': [400, 'tokens_too_long', 'Prompt tokens too long', INVALID],
  'bad-key': [401, 'invalid_iam_token', 'IAM Certification failed', INVALID],
  'account-off': [401, 'invalid_iam_token', 'IAM Certification failed', INVALID],
  'no-balance': [403, 'access_denied', 'account overdue', 'access_denied'],
  forbidden: [401, 'no_parameter_permission', 'no permission to use this parameter', 'access_denied'],
  'not-found': [404, 'not_found', 'Not Found', INVALID],
  'no-model': [401, 'invalid_model', 'No permission to use the model', INVALID],
  'too-large': [400, 'characters_too_long', 'the max input characters is 24000', INVALID],
  'rate-limit': [429, 'rpm_rate_limit_exceeded', 'Rate limit reached for RPM', 'rate_limit_exceeded'],
  quota: [429, 'tpm_rate_limit_exceeded', 'Rate limit reached for TPM', 'rate_limit_exceeded'],
  filtered: [400, 'system_unsafe', 'the content of system field is invalid', 'unsafe_request'],
  'server-error': [500, 'internal_error', 'Internal error', 'internal_error'],
  overloaded: [503, 'server_busy', 'try again', 'internal_error'],
  timeout: [504, 'dispatch_internal_error', 'Internal error', 'internal_error'],
}

export function failQianfan(kind: FailureKind, message?: string): Fixed {
  const [status, code, usual, type] = NEW[kind]
  const body = { error: { code, message: message ?? usual, type }, id: 'as-t2z8xi6mm8' }
  return askToWait(kind, { status, body })
}
