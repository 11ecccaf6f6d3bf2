import { askToWait, type FailureKind, type Fixed } from '../failure.ts'
import { openaiError } from '../openai/fail.ts'
import { Refusal } from '../upstream.ts'

const INVALID = 'invalid_request_error'

const FAILURES: Record<FailureKind, readonly [status: number, message: string, type: string]> = {
  'bad-request': [400, 'Invalid request', INVALID],
  'too-long': [
    400,
    "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens (140000 in the messages, 0 in the completion). Please reduce the length of the messages or completion.",
    INVALID,
  ],
  'bad-key': [401, 'Authentication Fails, Your api key: ****0000 is invalid', 'authentication_error'],
  'account-off': [401, 'Authentication Fails (governor)', 'authentication_error'],
  'no-balance': [402, 'Insufficient Balance', 'unknown_error'],
  forbidden: [403, 'Forbidden', INVALID],
  'not-found': [404, 'Not Found', INVALID],
  'no-model': [400, 'Model Not Exist', INVALID],
  'too-large': [413, 'Request Entity Too Large', INVALID],
  'rate-limit': [429, 'Rate limit reached', 'rate_limit_error'],
  quota: [402, 'Insufficient Balance', 'unknown_error'],
  filtered: [400, 'Content Exists Risk', INVALID],
  'server-error': [500, 'Internal Server Error', 'server_error'],
  overloaded: [
    503,
    'Service is too busy. We advise users to temporarily switch to alternative LLM API service providers.',
    'service_unavailable_error',
  ],
  timeout: [504, 'Gateway Timeout', 'server_error'],
}

export function failDeepseek(kind: FailureKind, message?: string): Fixed {
  const [status, usual, type] = FAILURES[kind]
  const { body } = openaiError(status, { message: message ?? usual, type, code: INVALID })
  return askToWait(kind, { status, body })
}

export function refuseDeepseek(message: string): never {
  throw new Refusal(message, failDeepseek('bad-request', message))
}
