import { askToWait, type FailureKind, type Fixed } from '../failure.ts'
import { Refusal } from '../upstream.ts'

const FAILURES: Record<FailureKind, readonly [status: number, message: string]> = {
  'bad-request': [400, 'invalid request: please check the API reference'],
  'too-long': [400, 'too many tokens: total number of tokens in the prompt cannot exceed 256000'],
  'bad-key': [401, 'invalid api token'],
  'account-off': [401, 'no api key supplied'],
  'no-balance': [402, 'Please add or update your payment method to continue'],
  forbidden: [403, 'your organization does not have access to this model'],
  'not-found': [404, '404 page not found'],
  'no-model': [
    404,
    "model 'none' not found, make sure the correct model ID was used and that you have access to the model.",
  ],
  'too-large': [413, 'request entity too large'],
  'rate-limit': [429, 'You are using a Trial key, which is limited to 20 API calls / minute.'],
  quota: [429, 'You are using a Trial key, which is limited to 1000 API calls / month.'],
  filtered: [498, 'blocked output: please adjust your prompt'],
  'server-error': [500, 'internal server error'],
  overloaded: [503, 'service unavailable'],
  timeout: [504, 'request timed out'],
}

export function failCohere(kind: FailureKind, message?: string): Fixed {
  const [status, usual] = FAILURES[kind]
  const body = { id: 'c0a80001-0000-4000-8000-000000000000', message: message ?? usual }
  return askToWait(kind, { status, body })
}

export function refuseCohere(message: string): never {
  throw new Refusal(message, failCohere('bad-request', message))
}
