import { asText, type JsonObject } from '../../dialects/json.ts'
import type { KeyRenewal, SigningTools } from '../define.ts'
import { readTokenAnswer } from '../kit/keys/token-cache.ts'
import { ProofRefused } from '../proof-refused.ts'
import { readKey, withTokens } from './read-key.ts'
import { readProblem } from './read-problem.ts'

export const HOME = 'https://chatgpt.com'
const CLIENT_ID = 'app_EMoamEEZ73f0CkXaXp7hrann'
/** So long before its end a token is exchanged, or a quarter of its life before it. */
const EARLY_SECONDS = 3600

export const tokenRenewal: KeyRenewal = { isDue, renew }

function isDue(key: string, now: number): boolean {
  const { refreshToken, issuedAt, expiresAt } = readKey(key)
  if (refreshToken === '' || expiresAt === undefined) return false
  const life = issuedAt === undefined ? Number.POSITIVE_INFINITY : expiresAt - issuedAt
  return expiresAt - now < Math.min(EARLY_SECONDS, life / 4)
}

/** The key with new tokens. */
async function renew(key: string, baseUrl: string, { ask }: Pick<SigningTools, 'ask'>): Promise<string> {
  const response = await ask(tokenUrl(baseUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      client_id: CLIENT_ID,
      grant_type: 'refresh_token',
      refresh_token: readKey(key).refreshToken,
      scope: 'openid profile email',
    }),
  })
  const answer = await readTokenAnswer(response)
  if (!response.ok || !asText(answer.access_token))
    throw new ProofRefused(readProblem(response.status, answer))
  return withTokens(key, tokensIn(answer))
}

const given = ['access_token', 'refresh_token', 'id_token'] as const

function tokensIn(answer: JsonObject): JsonObject {
  const tokens: JsonObject = {}
  for (const name of given) if (asText(answer[name])) tokens[name] = answer[name]
  return tokens
}

/** Whoever stands in for the vendor has both at one address. */
function tokenUrl(baseUrl: string): string {
  return `${baseUrl === HOME ? 'https://auth.openai.com' : baseUrl}/oauth/token`
}
