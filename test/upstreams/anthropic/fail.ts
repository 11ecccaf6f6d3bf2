import { type FailureKind, type Fixed, RETRY_AFTER } from '../failure.ts'
import { Refusal } from '../upstream.ts'

const REQUEST_ID = 'req_011CSHoEeqs5C35K2UUqR7Fy'

export function anthropicError(status: number, type: string, message: string): Fixed {
  return {
    status,
    headers: { 'request-id': REQUEST_ID },
    body: { type: 'error', error: { type, message }, request_id: REQUEST_ID },
  }
}

const INVALID = 'invalid_request_error'

const FAILURES: Record<FailureKind, readonly [status: number, type: string, message: string]> = {
  'bad-request': [400, INVALID, 'Invalid request'],
  'too-long': [400, INVALID, 'prompt is too long: 210000 tokens > 200000 maximum'],
  'bad-key': [401, 'authentication_error', 'invalid x-api-key'],
  'account-off': [403, 'permission_error', 'This organization has been disabled.'],
  'no-balance': [402, 'billing_error', 'There is an issue with your billing or payment information.'],
  forbidden: [
    403,
    'permission_error',
    'Your API key does not have permission to use the specified resource.',
  ],
  'not-found': [404, 'not_found_error', 'Not found'],
  'no-model': [404, 'not_found_error', 'model: claude-none'],
  'too-large': [413, 'request_too_large', 'Request exceeds the maximum size'],
  'rate-limit': [
    429,
    'rate_limit_error',
    "This request would exceed your organization's rate limit of 50 requests per minute. For details, refer to: https://docs.claude.com/en/api/rate-limits.",
  ],
  quota: [
    400,
    INVALID,
    'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
  ],
  filtered: [400, INVALID, 'Output blocked by content filtering policy'],
  'server-error': [500, 'api_error', 'Internal server error'],
  overloaded: [529, 'overloaded_error', 'Overloaded'],
  timeout: [504, 'timeout_error', 'Request timed out'],
}

export function failAnthropic(kind: FailureKind, message?: string): Fixed {
  const [status, type, usual] = FAILURES[kind]
  const fixed = anthropicError(status, type, message ?? usual)
  return kind === 'rate-limit'
    ? { ...fixed, headers: { ...fixed.headers, 'retry-after': RETRY_AFTER } }
    : fixed
}

export function refuseAnthropic(message: string): never {
  throw new Refusal(message, anthropicError(400, INVALID, message))
}
