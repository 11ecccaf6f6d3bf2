import { askToWait, type FailureKind, type Fixed } from '../failure.ts'
import { Refusal } from '../upstream.ts'

interface Problem {
  readonly message: string
  readonly type: string
  readonly param?: string | null
  readonly code?: string | null
}

export function openaiError(status: number, problem: Problem): Fixed {
  const { message, type, param = null, code = null } = problem
  return {
    status,
    headers: { 'x-request-id': 'req_0123456789abcdef' },
    body: { error: { message, type, param, code } },
  }
}

const INVALID = 'invalid_request_error'

const FAILURES: Record<FailureKind, readonly [status: number, problem: Problem]> = {
  'bad-request': [400, { message: 'Invalid request.', type: INVALID }],
  'too-long': [
    400,
    {
      message:
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 200000 tokens. Please reduce the length of the messages.",
      type: INVALID,
      param: 'messages',
      code: 'context_length_exceeded',
    },
  ],
  'bad-key': [
    401,
    {
      message:
        'Incorrect API key provided: sk-wrong****key. You can find your API key at https://platform.openai.com/account/api-keys.',
      type: INVALID,
      code: 'invalid_api_key',
    },
  ],
  'account-off': [
    401,
    {
      message:
        'The OpenAI account associated with this API key has been deactivated. Please check your email for more information.',
      type: INVALID,
      code: 'account_deactivated',
    },
  ],
  'no-balance': [
    402,
    { message: 'Payment required.', type: 'insufficient_quota', code: 'insufficient_quota' },
  ],
  forbidden: [
    403,
    {
      message: 'You have insufficient permissions for this operation.',
      type: INVALID,
      code: 'insufficient_permissions',
    },
  ],
  'not-found': [404, { message: 'Invalid URL (POST /v1/nothing)', type: INVALID }],
  'no-model': [
    404,
    {
      message: 'The model `gpt-none` does not exist or you do not have access to it.',
      type: INVALID,
      code: 'model_not_found',
    },
  ],
  'too-large': [413, { message: 'Maximum content size limit (26214400) exceeded.', type: 'server_error' }],
  'rate-limit': [
    429,
    {
      message:
        'Rate limit reached for gpt-4o in organization org-1 on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 7s.',
      type: 'requests',
      code: 'rate_limit_exceeded',
    },
  ],
  quota: [
    429,
    {
      message:
        'You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.',
      type: 'insufficient_quota',
      code: 'insufficient_quota',
    },
  ],
  filtered: [
    400,
    {
      message: 'Invalid prompt: your prompt was flagged as potentially violating our usage policy.',
      type: INVALID,
      code: 'invalid_prompt',
    },
  ],
  'server-error': [
    500,
    {
      message: 'The server had an error while processing your request. Sorry about that!',
      type: 'server_error',
    },
  ],
  overloaded: [
    503,
    { message: 'The engine is currently overloaded, please try again later', type: 'server_error' },
  ],
  timeout: [504, { message: 'Gateway Timeout', type: 'server_error' }],
}

export function failOpenai(kind: FailureKind, message?: string): Fixed {
  const [status, problem] = FAILURES[kind]
  const fixed = openaiError(status, { ...problem, message: message ?? problem.message })
  return askToWait(kind, fixed)
}

export function refuseOpenai(
  message: string,
  param: string | null = null,
  code: string | null = null,
): never {
  throw new Refusal(message, openaiError(400, { message, type: INVALID, param, code }))
}

export function refuseModel(model: string): never {
  const message = `The model \`${model}\` does not exist or you do not have access to it.`
  throw new Refusal(message, openaiError(404, { message, type: INVALID, code: 'model_not_found' }))
}
