import { askToWait, type FailureKind, type Fixed } from '../failure.ts'
import { Refusal } from '../upstream.ts'

const FAILURES: Record<FailureKind, readonly [status: number, code: number, message: string]> = {
  'bad-request': [400, 5006, "AiError: Bad input: Error: oneOf at '/' not met"],
  'too-long': [400, 5006, 'AiError: Bad input: This model has a maximum context length of 24000 tokens'],
  'bad-key': [401, 10000, 'Authentication error'],
  'account-off': [403, 3023, 'Account blocked'],
  'no-balance': [402, 3099, 'Payment required'],
  forbidden: [403, 10000, 'Authentication error'],
  'not-found': [
    404,
    7003,
    'Could not route to /client/v4/accounts, perhaps your object identifier is invalid?',
  ],
  'no-model': [400, 5007, 'No such model none or task'],
  'too-large': [413, 3006, 'Request is too large'],
  'rate-limit': [429, 3040, 'Capacity temporarily exceeded, please try again.'],
  quota: [429, 3036, 'you have used up your daily free allocation of 10,000 neurons'],
  filtered: [400, 3030, 'AiError: Input prompt contains NSFW content.'],
  'server-error': [500, 3028, 'AiError: Internal server error'],
  overloaded: [503, 3050, 'AiError: max retries exhausted'],
  timeout: [408, 3007, 'AiError: Request timeout'],
}

export function failCloudflare(kind: FailureKind, message?: string): Fixed {
  const [status, code, usual] = FAILURES[kind]
  const errors = [{ code, message: message ?? usual }]
  const body = { success: false, errors, messages: [], result: null }
  return askToWait(kind, { status, body })
}

export function refuseCloudflare(message: string): never {
  throw new Refusal(message, failCloudflare('bad-request', message))
}
