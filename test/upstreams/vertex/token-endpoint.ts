import { createVerify, generateKeyPairSync } from 'node:crypto'
import { parseObject } from '../../../server/dialects/json.ts'
import { serveLoopback } from '../../serve-loopback.ts'

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
export const PROJECT = 'fake-project-01'
const EMAIL = `relay@${PROJECT}.iam.gserviceaccount.com`
const KEY_ID = 'f0e1d2c3b4a5'

/** Google's exchange of a signed assertion for a token. */
export interface TokenEndpoint {
  /** The JSON of a service account that it knows. */
  readonly account: string
  /** How often a token was given. */
  exchanges(): number
  /** Whether a token is one that it gave and has not taken back. */
  isGood(token: string): boolean
  /** No token that was given so far is good any more. */
  revokeAll(): void
  stop(): Promise<void>
}

export function startTokenEndpoint(): TokenEndpoint {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const good = new Set<string>()
  let given = 0
  const server = serveLoopback(async (request): Promise<Response> => {
    const fault = await findFault(request)
    if (fault) return Response.json({ error: 'invalid_grant', error_description: fault }, { status: 400 })
    const access_token = `ya29.fake-${++given}`
    good.add(access_token)
    return Response.json({ access_token, expires_in: 3599, token_type: 'Bearer' })
  })
  const url = `http://127.0.0.1:${server.port}/token`

  async function findFault(request: Request): Promise<string | undefined> {
    const form = new URLSearchParams(await request.text())
    if (form.get('grant_type') !== GRANT) return 'Unsupported grant'
    const [head = '', body = '', signature = ''] = (form.get('assertion') ?? '').split('.')
    const header = decode(head)
    const claims = decode(body)
    if (header.alg !== 'RS256' || header.typ !== 'JWT' || header.kid !== KEY_ID) return 'Invalid JWT header'
    if (claims.iss !== EMAIL) return 'Invalid grant: account not found'
    const verify = createVerify('RSA-SHA256').update(`${head}.${body}`)
    if (!verify.verify(publicKey, signature, 'base64url')) return 'Invalid JWT Signature.'
    if (claims.aud !== url || claims.scope !== SCOPE) return 'Invalid audience or scope'
    const now = Date.now() / 1000
    const isTimely =
      Math.abs(now - Number(claims.iat)) < 60 && Number(claims.exp) - Number(claims.iat) <= 3600
    return isTimely ? undefined : 'Invalid JWT: Token must be a short-lived token'
  }

  return {
    account: JSON.stringify({
      ...{ type: 'service_account', project_id: PROJECT, private_key_id: KEY_ID, private_key: pem },
      ...{ client_email: EMAIL, token_uri: url },
    }),
    exchanges: () => given,
    isGood: token => good.has(token),
    revokeAll: () => good.clear(),
    stop: () => server.stop(true),
  }
}

function decode(part: string) {
  return parseObject(Buffer.from(part, 'base64url').toString()) ?? {}
}
