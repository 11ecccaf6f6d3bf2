import { asArray, asObject, asText, type Json } from '../../dialects/json.ts'

/** What an upstream said when it refused, as far as it said anything. */
export interface Refusal {
  /** After the channel's status mapping; 0 when no answer came. */
  readonly status: number
  readonly message?: string | undefined
  readonly code?: string | null | undefined
  readonly type?: string | undefined
  readonly details?: Json | undefined
}

/** One way in which a vendor says that a key is of no use any more. What is named must all be so. */
interface KeySignal {
  /** Channel types; absent: all of them. */
  readonly types?: readonly number[]
  readonly statuses?: readonly number[]
  /** The code, type or reason is one of these; with `*` at its end, begins so. */
  readonly codes?: readonly string[]
  /** The message begins with one of these. Not "contains": a message may repeat what the caller wrote. */
  readonly messages?: readonly string[]
  /** Unless the message begins so, because there the caller named something that is not the channel's. */
  readonly unless?: readonly string[]
}

const signals: readonly KeySignal[] = [
  { statuses: [401] },
  {
    codes: [
      'invalid_api_key',
      'account_deactivated',
      'billing_not_active',
      'insufficient_quota',
      'insufficient_user_quota',
      'authentication_error',
    ],
  },
  // Anthropic; that a key lacks a permission is about one model or feature, which a caller chooses
  { types: [14], statuses: [402] },
  {
    types: [14],
    statuses: [400, 403],
    messages: [
      'Your credit balance is too low',
      'This organization has been disabled',
      'OAuth token has been revoked',
      'OAuth authentication is currently not',
    ],
  },
  // Gemini
  { types: [24], statuses: [400], codes: ['API_KEY_INVALID'] },
  { types: [24], statuses: [400], messages: ['API key not valid', 'API key expired'] },
  {
    types: [24],
    statuses: [403],
    unless: ['You do not have permission to access the', 'CachedContent not found'],
  },
  // PaLM
  { types: [11], statuses: [400], codes: ['API_KEY_INVALID'] },
  { types: [11], statuses: [403] },
  // Vertex: what its token endpoint says
  { types: [41], statuses: [400], codes: ['invalid_grant'] },
  // Bedrock
  { types: [33], statuses: [403], codes: ['UnrecognizedClient*'] },
  {
    types: [33],
    statuses: [403],
    codes: ['AccessDenied*'],
    // One model among others, which nobody has asked AWS for.
    unless: ["You don't have access to the model"],
  },
  {
    types: [33],
    statuses: [403],
    codes: ['InvalidSignature*', 'ExpiredToken*', 'InvalidClientTokenId*'],
    // A clock that is wrong says nothing of the key.
    unless: ['Signature expired', 'Signature not yet current'],
  },
  { types: [33], statuses: [403], messages: ['The security token included in the request is invalid'] },
  {
    types: [33],
    statuses: [400, 403],
    messages: ['Operation not allowed', 'Your account is not authorized'],
  },
  // DeepSeek, Tencent
  { types: [43, 23], statuses: [402] },
  { types: [23], codes: ['AuthFailure*'] },
  // Moonshot
  { types: [25], codes: ['exceeded_current_quota_error'] },
  // Ali: the account owes money
  { types: [17], codes: ['Arrearage'] },
  // MiniMax: not authorised, no balance
  { types: [35], codes: ['1004', '1008'] },
  // Zhipu's third API: no balance
  { types: [16], codes: ['1113'] },
  // Cloudflare: the account is blocked
  { types: [39], codes: ['3023'] },
]

export function saysKeyIsUnusable(channelType: number, refusal: Refusal): boolean {
  const codes = codesOf(refusal)
  const message = refusal.message?.trimStart() ?? ''
  const startsMessage = (text: string): boolean => message.startsWith(text)
  return signals.some(
    ({ types, statuses, codes: known, messages, unless }) =>
      (types?.includes(channelType) ?? true) &&
      (statuses?.includes(refusal.status) ?? true) &&
      (known?.some(code => codes.some(said => matches(code, said))) ?? true) &&
      (messages?.some(startsMessage) ?? true) &&
      !unless?.some(startsMessage),
  )
}

/** Vendors put it in `code`, in `type`, or in the `reason` of a detail. */
export function codesOf({ code, type, details }: Refusal): readonly string[] {
  const reasons = asArray(details).map(detail => asText(asObject(detail)?.reason))
  return [code, type, ...reasons].filter(said => typeof said === 'string')
}

function matches(known: string, said: string): boolean {
  return known.endsWith('*') ? said.startsWith(known.slice(0, -1)) : said === known
}
