import type { FailureKind, Fixed } from '../failure.ts'
import { Refusal } from '../upstream.ts'

const VALIDATION = 'ValidationException'

const FAILURES: Record<FailureKind, readonly [status: number, name: string, message: string]> = {
  'bad-request': [400, VALIDATION, 'Malformed input request, please reformat your input and try again.'],
  'too-long': [400, VALIDATION, 'Input is too long for requested model.'],
  'bad-key': [403, 'UnrecognizedClientException', 'The security token included in the request is invalid.'],
  'account-off': [
    403,
    'AccessDeniedException',
    'Your account is not authorized to invoke this API operation.',
  ],
  'no-balance': [403, 'AccessDeniedException', 'Model access is denied due to INVALID_PAYMENT_INSTRUMENT.'],
  forbidden: [
    403,
    'AccessDeniedException',
    "You don't have access to the model with the specified model ID.",
  ],
  'not-found': [404, 'UnknownOperationException', 'Not found'],
  'no-model': [
    404,
    'ResourceNotFoundException',
    'Could not resolve the foundation model from the model identifier',
  ],
  'too-large': [413, VALIDATION, 'Request body too large'],
  'rate-limit': [429, 'ThrottlingException', 'Too many requests, please wait before trying again.'],
  quota: [429, 'ServiceQuotaExceededException', 'Too many tokens per day, please wait before trying again.'],
  filtered: [400, VALIDATION, 'Output blocked by content filtering policy'],
  'server-error': [
    500,
    'InternalServerException',
    'The system encountered an unexpected error during processing.',
  ],
  overloaded: [503, 'ServiceUnavailableException', 'Bedrock is unable to process your request.'],
  timeout: [408, 'ModelTimeoutException', 'Model has timed out in processing the request.'],
}

export function failAws(kind: FailureKind, said?: string): Fixed {
  const [status, name, message] = FAILURES[kind]
  return {
    status,
    headers: { 'x-amzn-ErrorType': `${name}:http://internal.amazon.com/coral/com.amazon.bedrock/` },
    body: { message: said ?? message },
  }
}

export function refuseAws(message: string, kind: FailureKind = 'bad-request'): never {
  throw new Refusal(message, failAws(kind, message))
}
