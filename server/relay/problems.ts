import type { ErrorCode } from '../../contract/errors.ts'
import type { Language } from '../../contract/language.ts'
import { isFieldCode } from '../dialects/refuse.ts'
import type { Problem } from '../dialects/spec.ts'
import { AppError } from '../errors.ts'
import { OperatorRefusal } from './override/operator-refusal.ts'
import type { Incoming } from './request/incoming.ts'
import { ClientGone } from './stream/client-gone.ts'
import { UpstreamFailure } from './upstream/upstream-failure.ts'

/** Our own errors in the words that clients of this family look for. */
const codes: Partial<Record<ErrorCode, string>> = {
  'relay.no-key': 'invalid_api_key',
  'relay.bad-key': 'invalid_api_key',
  'token.expired': 'invalid_api_key',
  'token.unavailable': 'invalid_api_key',
  'token.exhausted': 'insufficient_quota',
  'relay.model-denied': 'model_not_allowed',
  'relay.no-channel': 'model_not_found',
  'relay.model-unknown': 'model_not_found',
  'relay.unknown-response': 'previous_response_not_found',
  'relay.sensitive': 'sensitive_words_detected',
  'relay.model-required': 'model_required',
  'relay.invalid-json': 'invalid_json',
  'relay.upstream-failed': 'do_request_failed',
  'relay.upstream-busy': 'rate_limit_exceeded',
  'relay.upstream-slow': 'upstream_timeout',
  'relay.upstream-cut': 'upstream_interrupted',
  'relay.upstream-empty': 'bad_response_body',
  'relay.lack': 'service_unavailable',
  'relay.quota-ended': 'insufficient_user_quota',
  'ledger.user-quota': 'insufficient_user_quota',
  'ledger.token-quota': 'pre_consume_token_quota_failed',
  'ledger.member-limit': 'insufficient_user_quota',
  'ledger.member-limit-until': 'insufficient_user_quota',
  'ledger.spend-limit': 'insufficient_user_quota',
  'ledger.spend-limit-until': 'insufficient_user_quota',
  'auth.session-only': 'access_token_not_supported',
  'playground.group-denied': 'group_not_allowed',
  'price.unknown-model': 'model_price_error',
  'price.not-per-call': 'model_price_error',
  'prompt.unknown': 'prompt_not_found',
  'prompt.unknown-version': 'prompt_not_found',
  'prompt.unknown-label': 'prompt_not_found',
  'request.not-found': 'not_found',
  'limit.all-bodies': 'service_unavailable',
  'store.unavailable': 'service_unavailable',
}

/** The same of whole families of them. */
const kinds: Readonly<Record<string, string>> = {
  limit: 'rate_limit_exceeded',
  guard: 'guard_blocked',
  field: 'invalid_text_request',
  feature: 'unsupported_parameter',
  prompt: 'invalid_prompt',
  pass: 'pass_not_allowed',
}

const OWN_TYPE = 'new_api_error'

/** Any error as something a dialect can write: in the caller's language, and with nothing inside it. */
export function asProblem(
  error: unknown,
  { requestId, language }: Pick<Incoming, 'requestId' | 'language'>,
): Problem {
  if (error instanceof UpstreamFailure) {
    const { problem } = error
    if (problem) return { ...problem, own: undefined, message: signed(wordsOf(problem, language), requestId) }
    return asProblem(error.error, { requestId, language })
  }
  if (error instanceof OperatorRefusal)
    return { ...error.problem, message: signed(error.problem.message, requestId) }
  // Nobody is told; the log says it.
  if (error instanceof ClientGone)
    return asProblem(new AppError('relay.client-gone'), { requestId, language })
  const known = error instanceof AppError ? error : undefined
  if (known?.code === 'request.not-found') return unknownAddress(known)
  const shown = known ?? new AppError('server.internal', { requestId })
  return {
    // Business refusals of the management API are 200 there; here nothing that failed looks like a success.
    status: shown.status < 400 ? 400 : shown.status,
    message: signed(shown.text(language), requestId),
    code: codes[shown.code] ?? kinds[shown.code.slice(0, shown.code.indexOf('.'))] ?? null,
    param: isFieldCode(shown.code) ? String(shown.params.field) : null,
    type: OWN_TYPE,
    ...(retryAfterOf(shown) && { retryAfter: retryAfterOf(shown) }),
  }
}

/** The vendor's own words, or ours. */
export function wordsOf({ message, own }: Problem, language: Language): string {
  return own?.text(language) ?? message
}

/** In the words of the vendor's own: some clients probe for what is served. */
function unknownAddress({ message }: AppError): Problem {
  return { status: 404, message, type: 'invalid_request_error', param: '', code: '' }
}

function retryAfterOf(error: AppError): number | undefined {
  const { retryAfter } = error.params
  if (typeof retryAfter === 'number') return retryAfter
  return error.status === 503 && !isLasting(error) ? 2 : undefined
}

/** A 503, as this family has it, that asking again does not change: agents would do so for minutes without a word. */
export function isLasting(error: unknown): boolean {
  return error instanceof AppError && error.code === 'relay.no-channel'
}

/** People send us the text of an error more readily than its headers. */
function signed(message: string, requestId: string): string {
  return message.includes(requestId) ? message : `${message} (request id: ${requestId})`
}
