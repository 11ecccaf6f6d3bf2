import { askToWait, type FailureKind, type Fixed } from '../failure.ts'
import { Refusal } from '../upstream.ts'

const FAILURES: Record<FailureKind, readonly [status: number, message: string]> = {
  'bad-request': [400, 'invalid request'],
  'too-long': [400, 'input length exceeds maximum context length'],
  'bad-key': [401, 'unauthorized'],
  'account-off': [401, 'unauthorized'],
  'no-balance': [402, 'payment required'],
  forbidden: [403, 'this model requires a subscription'],
  'not-found': [404, '404 page not found'],
  'no-model': [404, "model 'none' not found"],
  'too-large': [413, 'request too large'],
  'rate-limit': [429, 'too many concurrent requests'],
  quota: [429, 'you have reached your hourly usage limit'],
  filtered: [400, 'blocked'],
  'server-error': [500, 'model runner has unexpectedly stopped'],
  overloaded: [503, 'server busy, please try again. maximum pending requests exceeded'],
  timeout: [504, 'timed out waiting for llama runner to start'],
}

export function failOllama(kind: FailureKind, message?: string): Fixed {
  const [status, usual] = FAILURES[kind]
  const body = { error: message ?? usual }
  return askToWait(kind, { status, body })
}

export function refuseOllama(message: string): never {
  throw new Refusal(message, failOllama('bad-request', message))
}
