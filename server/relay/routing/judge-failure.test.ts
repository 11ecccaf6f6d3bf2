import { describe, expect, test } from 'bun:test'
import { type AttemptFailure, judgeFailure } from './judge-failure.ts'

const verdict = (type: number, failure: AttemptFailure) => {
  const { retry, cool, keyUnusable } = judgeFailure(type, failure)
  return { retry, cool, keyUnusable }
}

describe('whose fault a failure is', () => {
  test.each([
    [{ status: 0, without: 'connect' }, true, 'connect'],
    [{ status: 0, without: 'timeout' }, true, 'timeout'],
    [{ status: 200, without: 'empty' }, true, 'empty'],
    [{ status: 400 }, false, undefined],
    [{ status: 402 }, true, 'auth'],
    [{ status: 403 }, true, 'auth'],
    [{ status: 403, message: 'You do not have permission to access the File x' }, true, undefined],
    [{ status: 403, message: 'Content violates usage guidelines.' }, false, undefined],
    [{ status: 404 }, true, undefined],
    [{ status: 404, code: 'model_not_found' }, true, 'server'],
    [{ status: 404, code: 'DeploymentNotFound' }, true, 'server'],
    [{ status: 404, type: 'not_found_error', message: 'model: claude-9' }, true, 'server'],
    [{ status: 404, type: 'not_found_error', message: 'File not found: file_1' }, true, undefined],
    [{ status: 404, message: 'models/gemini-9 is not found for API version v1beta' }, true, 'server'],
    [{ status: 404, message: 'model "llama9" not found, try pulling it first' }, true, 'server'],
    [{ status: 405 }, false, undefined],
    [{ status: 408 }, true, 'timeout'],
    [{ status: 409 }, true, undefined],
    [{ status: 413 }, false, undefined],
    [{ status: 422 }, false, undefined],
    [{ status: 424 }, false, undefined],
    [{ status: 429, code: 'rate_limit_exceeded' }, true, 'rate'],
    [{ status: 500 }, true, 'server'],
    [{ status: 501 }, true, undefined],
    [{ status: 502 }, true, 'server'],
    [{ status: 503 }, true, 'server'],
    [{ status: 504 }, true, 'timeout'],
    [{ status: 524 }, true, 'timeout'],
    [{ status: 529, type: 'overloaded_error' }, true, 'server'],
    [{ status: 307 }, true, 'server'],
    [{ status: 200, message: 'an error in an answer of 200' }, true, 'server'],
  ] satisfies [AttemptFailure, boolean, string | undefined][])('%j', (failure, retry, cool) => {
    expect(verdict(1, failure)).toEqual({ retry, cool: cool as 'rate', keyUnusable: false })
  })

  test.each([
    [35, { status: 500, code: '1000' }, true, 'server'],
    [35, { status: 400, code: '1001' }, true, 'timeout'],
    [35, { status: 400, code: '1002' }, true, 'rate'],
    [35, { status: 400, code: '2013' }, false, undefined],
    [35, { status: 400, code: 'constructor' }, false, undefined],
    [1, { status: 400, code: '1002' }, false, undefined],
    [37, { status: 400, code: 'provider_quota_exceeded' }, true, 'server'],
    [37, { status: 400, code: 'invalid_param' }, false, undefined],
    [33, { status: 424, code: 'ModelErrorException' }, true, 'server'],
  ] satisfies [number, AttemptFailure, boolean, string | undefined][])(
    'of type %d: %j',
    (type, failure, retry, cool) => {
      expect(verdict(type, failure)).toEqual({ retry, cool: cool as 'rate', keyUnusable: false })
    },
  )
})

const lowCredit =
  'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.'
const badGoogleKey = [
  {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'API_KEY_INVALID',
    domain: 'googleapis.com',
  },
]

const organizationOff = 'This organization has been disabled.'
const noPermission = 'Your API key does not have permission to use the specified resource.'
const noAccess = "You don't have access to the model with the specified model ID."

describe('a key that is of no use any more', () => {
  test.each([
    ['OpenAI', 1, { status: 401, code: 'invalid_api_key', type: 'invalid_request_error' }],
    ['OpenAI', 1, { status: 403, code: 'account_deactivated' }],
    ['OpenAI', 1, { status: 429, code: 'insufficient_quota', type: 'insufficient_quota' }],
    ['OpenAI', 1, { status: 429, code: 'billing_not_active' }],
    ['any', 40, { status: 401 }],
    ['Azure', 3, { status: 401, message: 'Access denied due to invalid subscription key' }],
    ['Anthropic', 14, { status: 401, type: 'authentication_error' }],
    ['Anthropic', 14, { status: 402, type: 'billing_error' }],
    ['Anthropic', 14, { status: 403, type: 'permission_error', message: organizationOff }],
    ['Anthropic', 14, { status: 403, type: 'permission_error', message: 'OAuth token has been revoked.' }],
    ['Anthropic', 14, { status: 400, type: 'invalid_request_error', message: lowCredit }],
    ['Gemini', 24, { status: 400, code: 'INVALID_ARGUMENT', details: badGoogleKey }],
    ['Gemini', 24, { status: 400, message: 'API key not valid. Please pass a valid API key.' }],
    ['Gemini', 24, { status: 403, code: 'PERMISSION_DENIED' }],
    ['Vertex', 41, { status: 400, code: 'invalid_grant' }],
    ['Bedrock', 33, { status: 403, code: 'UnrecognizedClientException' }],
    ['Bedrock', 33, { status: 403, code: 'AccessDeniedException' }],
    ['Bedrock', 33, { status: 403, message: 'The security token included in the request is invalid.' }],
    ['DeepSeek', 43, { status: 402 }],
    ['TokenHub', 23, { status: 402 }],
    ['Tencent', 23, { status: 400, code: 'AuthFailure.SignatureFailure' }],
    ['Moonshot', 25, { status: 429, type: 'exceeded_current_quota_error' }],
    ['MiniMax', 35, { status: 400, code: '1004' }],
    ['MiniMax', 35, { status: 200, code: '1008' }],
    ['Dify', 37, { status: 401 }],
  ] satisfies [string, number, AttemptFailure][])('%s (%d): %j', (_name, type, failure) => {
    expect(verdict(type, failure)).toEqual({ retry: true, cool: 'auth', keyUnusable: true })
  })

  test.each([
    ['a rate limit', 1, { status: 429, code: 'rate_limit_exceeded' }],
    ['a rate limit that speaks of a quota', 24, { status: 429, message: 'You exceeded your current quota' }],
    ['a clock or an address that Spark refuses', 18, { status: 403 }],
    ['a model or a feature that an Anthropic key may not use', 14, { status: 403, type: 'permission_error' }],
    ['the same in words', 14, { status: 403, type: 'permission_error', message: noPermission }],
    [
      'a model that AWS was not asked for',
      33,
      { status: 403, code: 'AccessDeniedException', message: noAccess },
    ],
    ['a country or a model that OpenAI refuses', 1, { status: 403, type: 'permission_error' }],
    ['too little credit for this request alone', 20, { status: 402 }],
    [
      'a message that repeats what the caller wrote',
      14,
      { status: 400, message: `bad value: "${lowCredit}"` },
    ],
    ['words of one vendor from another', 1, { status: 400, message: lowCredit }],
    [
      'a plain 400 of Gemini',
      24,
      { status: 400, code: 'INVALID_ARGUMENT', details: [{ reason: 'X' }, null] },
    ],
    ['details of another kind', 24, { status: 400, details: { reason: 'API_KEY_INVALID' } }],
    [
      'a file of somebody else',
      24,
      { status: 403, message: 'You do not have permission to access the File x or it may not exist.' },
    ],
    ['an answer that never came', 1, { status: 401, without: 'timeout' }],
    ['codes of one vendor from another', 1, { status: 400, code: '1004' }],
  ] satisfies [string, number, AttemptFailure][])('is not shown by %s', (_name, type, failure) => {
    expect(judgeFailure(type, failure).keyUnusable).toBe(false)
  })
})

test.each([
  [
    { status: 429, code: 'insufficient_quota', message: 'No quota' },
    'status 429, insufficient_quota: No quota',
  ],
  [{ status: 403, code: null, type: 'permission_error' }, 'status 403, permission_error'],
  [{ status: 500 }, 'status 500'],
  [{ status: 0, without: 'connect', message: 'refused' }, 'connect, refused'],
] satisfies [AttemptFailure, string][])('the reason of %j', (failure, reason) => {
  expect(judgeFailure(1, failure).reason).toBe(reason)
})
