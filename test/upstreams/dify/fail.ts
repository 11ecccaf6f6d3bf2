import { askToWait, type FailureKind, type Fixed } from '../failure.ts'
import { Refusal } from '../upstream.ts'

const FAILURES: Record<FailureKind, readonly [status: number, code: string, message: string]> = {
  'bad-request': [400, 'invalid_param', 'query is required in input form'],
  'too-long': [
    400,
    'completion_request_error',
    'Query or prefix prompt is too long, you can reduce the prefix prompt.',
  ],
  'bad-key': [401, 'unauthorized', 'Access token is invalid'],
  'account-off': [401, 'unauthorized', 'The workspace has been archived'],
  'no-balance': [
    400,
    'provider_quota_exceeded',
    'Your quota for Dify Hosted OpenAI has been exhausted. Please go to Settings -> Model Provider.',
  ],
  forbidden: [403, 'forbidden', "The app's API service has been disabled."],
  'not-found': [404, 'not_found', 'Conversation Not Exists.'],
  'no-model': [400, 'not_chat_app', 'Please check if your app mode matches the right API route.'],
  'too-large': [413, 'file_too_large', 'File size exceeded.'],
  'rate-limit': [429, 'too_many_requests', 'Too many requests. Please try again later.'],
  quota: [429, 'rate_limit_error', 'Rate limit exceeded'],
  filtered: [400, 'invalid_param', 'Your content violates our usage policy.'],
  'server-error': [500, 'internal_server_error', 'Internal Server Error, please contact support.'],
  overloaded: [400, 'app_unavailable', 'App unavailable, please check your app configurations.'],
  timeout: [504, 'gateway_timeout', 'The request timed out.'],
}

export function failDify(kind: FailureKind, message?: string): Fixed {
  const [status, code, usual] = FAILURES[kind]
  const body = { code, message: message ?? usual, status }
  return askToWait(kind, { status, body })
}

export function refuseDify(message: string): never {
  throw new Refusal(message, failDify('bad-request', message))
}
