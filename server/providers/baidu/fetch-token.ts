import { asNumber, asText } from '../../dialects/json.ts'
import { wordsOr } from '../../dialects/own-words.ts'
import type { Destination, Proof, Signer, SigningTools } from '../define.ts'
import { ProofRefused, readTokenAnswer, type Token, TokenCache } from '../kit/keys/token-cache.ts'
import { tokenUrl } from './address.ts'
import { readKey } from './read-key.ts'

const LIFE_SECONDS = 30 * 24 * 3600
const EARLY_MS = 3_600_000

const tokens = new TokenCache(EARLY_MS)

/** The old pair is exchanged for a token, which stands in the address. */
export const baiduSigner: Signer = {
  sign({ url }, to, tools): Proof | Promise<Proof> {
    const token = tokens.get(cacheKey(to), tools.now(), () => exchange(to, tools))
    const prove = (value: string): Proof => ({ url: `${url}?access_token=${encodeURIComponent(value)}` })
    return typeof token === 'string' ? prove(token) : token.then(prove)
  },
  forget(to) {
    tokens.forget(cacheKey(to))
    return true
  },
}

function cacheKey(to: Destination): string {
  return `${tokenUrl(to)} ${to.key}`
}

async function exchange(to: Destination, { ask, now }: SigningTools): Promise<Token> {
  const began = now()
  const key = readKey(to.key)
  const query = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: key.apiKey,
    client_secret: key.kind === 'pair' ? key.secretKey : '',
  })
  const response = await ask(`${tokenUrl(to)}?${query}`, { method: 'POST', headers: {} })
  const answer = await readTokenAnswer(response)
  const value = asText(answer.access_token)
  if (response.ok && value)
    return { value, expiresAt: began + (asNumber(answer.expires_in) ?? LIFE_SECONDS) * 1000 }
  const code = asText(answer.error)
  throw new ProofRefused({
    status: code === 'invalid_client' ? 401 : response.ok ? 502 : response.status,
    ...wordsOr(asText(answer.error_description) ?? code, 'upstream.no-token'),
    code,
  })
}
