import * as z from 'zod/mini'
import { AppError } from '../../../errors.ts'
import { log } from '../../../log.ts'
import type { App } from '../../app.ts'
import { askProvider } from './ask-provider.ts'
import { challengeOf, type Identity, type OauthSource, parameters } from './provider.ts'

const KEPT_MS = 600_000
/** How far our clock may be ahead of the provider's. */
const AHEAD_SECONDS = 60

const address = z.url({ protocol: /^https?$/ })
const text = z.string().check(z.minLength(1), z.maxLength(255))
const discovery = z.object({
  issuer: text,
  authorization_endpoint: address,
  token_endpoint: address,
  userinfo_endpoint: z.optional(address),
  token_endpoint_auth_methods_supported: z.optional(z.array(z.string())),
})
type Discovery = z.output<typeof discovery>

const grant = z.object({
  id_token: z.string().check(z.maxLength(50_000)),
  access_token: z.optional(z.string()),
})
const person = { sub: text, name: z.nullish(z.string()), preferred_username: z.nullish(z.string()) }
const claims = z.object({
  ...person,
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  azp: z.optional(z.string()),
  exp: z.number(),
  nonce: z.optional(z.string()),
})
type Claims = z.output<typeof claims>
const userInfo = z.object(person)

/** Any provider of OpenID Connect: Keycloak, Authentik, Entra, Google, Okta and so on. */
export const oidc: OauthSource = {
  name: 'OIDC',
  binding: 'oidc_id',
  prefix: 'oidc',
  off: 'oauth.oidc-off',
  taken: 'oauth.oidc-taken',
  takesPkce: true,
  isOn: settings => settings.OIDCEnabled && settings.OIDCIssuer !== '',
  async authorizeUrl(app, { state, redirectUri, challenge }) {
    const { authorization_endpoint } = await discover(app)
    const url = new URL(authorization_endpoint)
    const query = parameters({
      response_type: 'code',
      scope: 'openid profile',
      client_id: app.settings.get('OIDCClientId'),
      redirect_uri: redirectUri,
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      // As good as any: only who left with it knows what it was made from.
      nonce: challenge,
    })
    for (const [name, value] of query) url.searchParams.set(name, value)
    return url.href
  },
  async identify(app, { code, redirectUri, verifier }) {
    // Who began without a proof key did not begin here.
    if (!verifier) throw new AppError('oauth.state')
    const known = await discover(app)
    const body = parameters({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    })
    const { id_token, access_token } = await askProvider(
      app,
      oidc.name,
      known.token_endpoint,
      { method: 'POST', ...authenticate(app, known, body) },
      grant,
    )
    const vouched = readClaims(app, known, id_token, challengeOf(verifier))
    const named = nameOf(vouched) ?? (await askName(app, known, vouched, access_token))
    return identityOf(app, vouched.sub, named)
  },
}

let kept: { readonly at: string; readonly known: Discovery; readonly until: number } | undefined

/** Where the provider does what; asked again every few minutes. */
async function discover(app: App): Promise<Discovery> {
  const issuer = app.settings.get('OIDCIssuer')
  if (kept?.at === issuer && kept.until > performance.now()) return kept.known
  const url = `${issuer}/.well-known/openid-configuration`
  const known = await askProvider(app, oidc.name, url, { headers: { accept: 'application/json' } }, discovery)
  if (known.issuer.replace(/\/+$/, '') !== issuer) throw refused('another issuer', known.issuer)
  kept = { at: issuer, known, until: performance.now() + KEPT_MS }
  return known
}

/** By a header unless the provider takes nothing but fields; a public client has only its name. */
function authenticate(app: App, known: Discovery, body: URLSearchParams) {
  const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }
  const { OIDCClientId: id, OIDCClientSecret: secret } = app.settings.all
  const ways = known.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  if (secret !== '' && ways.includes('client_secret_basic')) {
    const pair = [id, secret].map(encodeURIComponent).join(':')
    const authorization = `Basic ${Buffer.from(pair).toString('base64')}`
    return { headers: { ...headers, authorization }, body: body.toString() }
  }
  body.set('client_id', id)
  if (secret !== '') body.set('client_secret', secret)
  return { headers, body: body.toString() }
}

/**
 * The token has come from the provider itself, over the connection we made: its signature would prove nothing
 * more. What it is about is looked at all the same.
 */
function readClaims(app: App, known: Discovery, token: string, nonce: string): Claims {
  const read = claims.safeParse(parsePayload(token))
  if (!read.success) throw refused('no such claims')
  const { iss, aud, azp, exp, nonce: given } = read.data
  const clientId = app.settings.get('OIDCClientId')
  const audience = [aud].flat()
  if (iss !== known.issuer) throw refused('another issuer', iss)
  if (!audience.includes(clientId)) throw refused('for another client')
  if (audience.length > 1 && azp !== clientId) throw refused('for another client')
  if (exp + AHEAD_SECONDS < app.now()) throw refused('expired')
  if (given !== nonce) throw refused('another nonce')
  return read.data
}

function parsePayload(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  } catch {
    return undefined
  }
}

/** Some tell names only when asked for them; who has none is called by the name we make. */
async function askName(
  app: App,
  { userinfo_endpoint }: Discovery,
  { sub }: Claims,
  accessToken: string | undefined,
): Promise<string> {
  if (!userinfo_endpoint || !accessToken) return ''
  const headers = { accept: 'application/json', authorization: `Bearer ${accessToken}` }
  const info = await askProvider(app, oidc.name, userinfo_endpoint, { headers }, userInfo)
  if (info.sub !== sub) throw refused('about somebody else')
  return nameOf(info) ?? ''
}

function nameOf(about: Pick<Claims, 'name' | 'preferred_username'>): string | undefined {
  return about.name || about.preferred_username || undefined
}

/** An id says who someone is at one provider only; another could give the same to somebody else. */
function identityOf({ settings }: App, sub: string, displayName: string): Identity {
  return { id: `${settings.get('OIDCIssuer')}#${sub}`, displayName }
}

function refused(why: string, given?: string): AppError {
  log.warn('a sign-in was not confirmed', { provider: oidc.name, why, given })
  return new AppError('oauth.refused', { provider: oidc.name })
}
