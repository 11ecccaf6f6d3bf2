import { createSign } from 'node:crypto'
import { asNumber, asText } from '../../dialects/json.ts'
import { ownWords, wordsOr } from '../../dialects/own-words.ts'
import type { Destination, Proof, Signer, SigningTools } from '../define.ts'
import { encode } from '../kit/keys/sign-jwt.ts'
import { ProofRefused, readTokenAnswer, type Token, TokenCache } from '../kit/keys/token-cache.ts'
import { readServiceAccount, type ServiceAccount } from './read-key.ts'

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const LIFE_SECONDS = 3600
const EARLY_MS = 300_000

const tokens = new TokenCache(EARLY_MS)

/** A service account's key is exchanged for a token; an API key stands in the address. */
export const vertexSigner: Signer = {
  sign(_request, to, tools): Proof | Promise<Proof> {
    const account = readServiceAccount(to.key)
    if (!account) return {}
    const token = tokens.get(cacheKey(account, to), tools.now(), () => exchange(account, tools))
    return typeof token === 'string' ? bearer(token) : token.then(bearer)
  },
  forget(to) {
    const account = readServiceAccount(to.key)
    if (account) tokens.forget(cacheKey(account, to))
    return account !== undefined
  },
}

function bearer(token: string): Proof {
  return { headers: { authorization: `Bearer ${token}` } }
}

function cacheKey({ tokenUrl }: ServiceAccount, { key }: Destination): string {
  return `${tokenUrl} ${key}`
}

async function exchange(account: ServiceAccount, { ask, now }: SigningTools): Promise<Token> {
  const began = now()
  const assertion = writeAssertion(account, Math.floor(began / 1000))
  const response = await ask(account.tokenUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: GRANT, assertion }).toString(),
  })
  const answer = await readTokenAnswer(response)
  const value = asText(answer.access_token)
  if (response.ok && value)
    return { value, expiresAt: began + (asNumber(answer.expires_in) ?? LIFE_SECONDS) * 1000 }
  const code = asText(answer.error)
  throw new ProofRefused({
    status: response.ok ? 502 : response.status,
    ...wordsOr(asText(answer.error_description) ?? code, 'upstream.no-token'),
    code,
  })
}

/** A JWT that says who asks, signed with the account's key. `at`: seconds since 1970. */
export function writeAssertion({ email, privateKey, keyId, tokenUrl }: ServiceAccount, at: number): string {
  const header = { alg: 'RS256', typ: 'JWT', ...(keyId && { kid: keyId }) }
  const claims = { iss: email, scope: SCOPE, aud: tokenUrl, iat: at, exp: at + LIFE_SECONDS }
  const unsigned = `${encode(header)}.${encode(claims)}`
  try {
    return `${unsigned}.${createSign('RSA-SHA256').update(unsigned).sign(privateKey, 'base64url')}`
  } catch {
    // What is wrong with it is the key itself, and that is not for a log.
    throw new ProofRefused({
      status: 400,
      ...ownWords('upstream.private-key'),
      code: 'invalid_grant',
    })
  }
}
