import { asNumber, asObject, asText, type JsonObject, parseObject } from '../../dialects/json.ts'

/** What a ChatGPT subscription is shown by. */
export interface CodexKey {
  readonly accessToken: string
  /** It can be used once; another comes with the next access token. */
  readonly refreshToken: string
  readonly accountId: string
  /** Of the access token, in seconds since 1970; undefined when it does not say. */
  readonly issuedAt: number | undefined
  readonly expiresAt: number | undefined
}

/** Flat, or as the CLI keeps it in its file, with all in `tokens`. */
export function readKey(key: string): CodexKey {
  const whole = parseObject(key) ?? {}
  const given = asObject(whole.tokens) ?? whole
  const accessToken = asText(given.access_token) ?? ''
  const claims = claimsOf(accessToken)
  const account = asObject(claims['https://api.openai.com/auth'])?.chatgpt_account_id
  return {
    accessToken,
    refreshToken: asText(given.refresh_token) ?? '',
    accountId: asText(given.account_id) || asText(account) || '',
    issuedAt: asNumber(claims.iat),
    expiresAt: asNumber(claims.exp),
  }
}

/** The same key with what was exchanged for its refresh token; all else that is in it stays. */
export function withTokens(key: string, tokens: JsonObject): string {
  const whole = parseObject(key) ?? {}
  const inner = asObject(whole.tokens)
  return JSON.stringify(inner ? { ...whole, tokens: { ...inner, ...tokens } } : { ...whole, ...tokens })
}

function claimsOf(token: string): JsonObject {
  const payload = token.split('.')[1]
  return (payload && parseObject(Buffer.from(payload, 'base64url').toString())) || {}
}
