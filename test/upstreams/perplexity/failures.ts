import type { JsonObject } from '../../../server/dialects/json.ts'

/** Its words for what fails, whichever of its addresses is asked. */
export const failures = {
  'bad-key': [401, 'invalid_api_key', 'Invalid API key provided.'],
  'account-off': [401, 'insufficient_quota', 'You exceeded your current quota, please check your plan.'],
  'no-model': [400, 'invalid_model', "Invalid model 'nothing'. Permitted models can be found in the docs."],
  'too-long': [400, 'invalid_request', 'The total length of all messages is too long.'],
  'rate-limit': [429, 'request_rate_limit_exceeded', 'Request rate limit exceeded, please try again later.'],
} as const

export function tellFailure(code: number, type: string, message: string): JsonObject {
  return { error: { message, type, code } }
}
