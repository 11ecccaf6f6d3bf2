import type { JsonObject } from '../../../server/dialects/json.ts'
import type { FailureKind, Fixed } from '../failure.ts'
import { Refusal } from '../upstream.ts'

const RPC = 'type.googleapis.com/google.rpc'

export function geminiError(code: number, status: string, message: string, details?: JsonObject[]): Fixed {
  return {
    status: code,
    headers: { 'Content-Type': 'application/json; charset=UTF-8' },
    body: { error: { code, message, status, ...(details === undefined ? {} : { details }) } },
  }
}

const KEY_INVALID = [
  {
    '@type': `${RPC}.ErrorInfo`,
    reason: 'API_KEY_INVALID',
    domain: 'googleapis.com',
    metadata: { service: 'generativelanguage.googleapis.com' },
  },
  {
    '@type': `${RPC}.LocalizedMessage`,
    locale: 'en-US',
    message: 'API key not valid. Please pass a valid API key.',
  },
]
const QUOTA = [
  {
    '@type': `${RPC}.QuotaFailure`,
    violations: [
      {
        quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests',
        quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier',
      },
    ],
  },
  { '@type': `${RPC}.RetryInfo`, retryDelay: '7.4s' },
]

type Failure = readonly [code: number, status: string, message: string, details?: JsonObject[]]

const FAILURES: Record<FailureKind, Failure> = {
  'bad-request': [400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.'],
  'too-long': [
    400,
    'INVALID_ARGUMENT',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
  ],
  'bad-key': [400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', KEY_INVALID],
  'account-off': [403, 'PERMISSION_DENIED', "Permission denied: Consumer 'api_key:AIza' has been suspended."],
  'no-balance': [402, 'FAILED_PRECONDITION', 'Your prepayment credits are depleted.'],
  forbidden: [403, 'PERMISSION_DENIED', 'The caller does not have permission'],
  'not-found': [404, 'NOT_FOUND', 'Requested entity was not found.'],
  'no-model': [
    404,
    'NOT_FOUND',
    'models/gemini-none is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.',
  ],
  'too-large': [413, 'INVALID_ARGUMENT', 'Request payload size exceeds the limit: 20971520 bytes.'],
  'rate-limit': [
    429,
    'RESOURCE_EXHAUSTED',
    'You exceeded your current quota, please check your plan and billing details. Please retry in 7.4s.',
    QUOTA,
  ],
  quota: [
    429,
    'RESOURCE_EXHAUSTED',
    'You exceeded your current quota, please check your plan and billing details.',
    QUOTA.slice(0, 1),
  ],
  filtered: [400, 'INVALID_ARGUMENT', 'The prompt was blocked.'],
  'server-error': [
    500,
    'INTERNAL',
    'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
  ],
  overloaded: [503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'],
  timeout: [504, 'DEADLINE_EXCEEDED', 'Deadline expired before operation could complete.'],
}

export function failGemini(kind: FailureKind, message?: string): Fixed {
  const [code, status, usual, details] = FAILURES[kind]
  return geminiError(code, status, message ?? usual, details)
}

export function refuseGemini(message: string): never {
  throw new Refusal(message, geminiError(400, 'INVALID_ARGUMENT', message))
}

/** The words of Google's JSON reader for a field that is not in the message. */
export function refuseUnknown(name: string, where: string): never {
  const message = `Invalid JSON payload received. Unknown name "${name}"${where === '' ? '' : ` at '${where}'`}: Cannot find field.`
  const violation = { ...(where === '' ? {} : { field: where }), description: message }
  const details = [{ '@type': `${RPC}.BadRequest`, fieldViolations: [violation] }]
  throw new Refusal(message, geminiError(400, 'INVALID_ARGUMENT', message, details))
}

export function refuseModel(model: string, version: string): never {
  const message = `models/${model} is not found for API version ${version}, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`
  throw new Refusal(message, geminiError(404, 'NOT_FOUND', message))
}
