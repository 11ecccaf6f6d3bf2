import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { serveLoopback } from '../../serve-loopback.ts'

export const client = { id: 'gate client', secret: 'a+secret/with=signs' }

interface Left {
  readonly challenge: string
  readonly nonce: string
  readonly redirectUri: string
}

/** What an attacker or a broken provider would say instead. */
export interface Lies {
  readonly claims?: Record<string, unknown>
  readonly userInfo?: Record<string, unknown>
  readonly idToken?: string
}

/** A provider of OpenID Connect, which insists on all that the standard asks for. */
export function startOidcProvider(path = '/realms/main') {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const codes = new Map<string, Left>()
  const tokens = new Set<string>()
  const refusals: string[] = []
  const about = {
    /** Who sits before the authorize page. */
    person: { sub: 'nobody' } as Record<string, unknown>,
    /** What is only told to those who ask for it. */
    more: {} as Record<string, unknown>,
    lies: {} as Lies,
    methods: ['client_secret_basic', 'client_secret_post'],
    issuer: '',
    isPublic: false,
  }

  function refuse(why: string, status = 400): Response {
    refusals.push(why)
    return Response.json({ error: why }, { status })
  }

  function authorize(query: URLSearchParams): Response {
    const {
      client_id,
      redirect_uri,
      response_type,
      scope,
      state,
      nonce,
      code_challenge,
      code_challenge_method,
    } = Object.fromEntries(query)
    if (client_id !== client.id) return refuse('client')
    if (response_type !== 'code' || !scope?.split(' ').includes('openid')) return refuse('request')
    if (!redirect_uri?.endsWith('/oauth/oidc') || !state || !nonce) return refuse('request')
    if (!code_challenge || code_challenge_method !== 'S256') return refuse('challenge')
    const code = randomBytes(600).toString('hex')
    codes.set(code, { challenge: code_challenge, nonce, redirectUri: redirect_uri })
    return new Response(null, {
      status: 302,
      headers: { location: `${redirect_uri}?code=${code}&state=${state}` },
    })
  }

  async function exchange(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text())
    const pair = [client.id, client.secret].map(encodeURIComponent).join(':')
    const byHeader =
      request.headers.get('authorization') === `Basic ${btoa(pair)}` && !form.has('client_secret')
    const byField = form.get('client_id') === client.id && form.get('client_secret') === client.secret
    const byName = form.get('client_id') === client.id && !form.has('client_secret')
    const isKnown = about.isPublic
      ? byName
      : about.methods.includes('client_secret_basic')
        ? byHeader
        : byField && !request.headers.has('authorization')
    if (!isKnown) return refuse('client', 401)
    const left = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    if (!left || form.get('grant_type') !== 'authorization_code') return refuse('code')
    if (form.get('redirect_uri') !== left.redirectUri) return refuse('redirect')
    const verifier = form.get('code_verifier') ?? ''
    if (createHash('sha256').update(verifier).digest('base64url') !== left.challenge)
      return refuse('verifier')
    const access_token = randomBytes(16).toString('hex')
    tokens.add(access_token)
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: url + path,
      aud: client.id,
      exp: now + 300,
      iat: now,
      nonce: left.nonce,
      ...about.person,
      ...about.lies.claims,
    }
    return Response.json({ access_token, token_type: 'Bearer', id_token: about.lies.idToken ?? sign(claims) })
  }

  function sign(claims: object): string {
    const parts = [{ alg: 'RS256', typ: 'JWT' }, claims].map(part =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    const signature = createSign('RSA-SHA256').update(parts.join('.')).sign(privateKey, 'base64url')
    return [...parts, signature].join('.')
  }

  function userInfo(request: Request): Response {
    const token = (request.headers.get('authorization') ?? '').replace(/^Bearer /, '')
    if (!tokens.has(token)) return refuse('token', 401)
    return Response.json({ sub: about.person.sub, ...about.more, ...about.lies.userInfo })
  }

  const server = serveLoopback((request): Response | Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url)
    switch (`${request.method} ${pathname}`) {
      case `GET ${path}/.well-known/openid-configuration`:
        return Response.json({
          issuer: about.issuer || url + path,
          authorization_endpoint: `${url}${path}/auth?kc_locale=en`,
          token_endpoint: `${url}${path}/token`,
          userinfo_endpoint: `${url}${path}/userinfo`,
          token_endpoint_auth_methods_supported: about.methods,
          jwks_uri: `${url}${path}/certs`,
        })
      case `GET ${path}/auth`:
        return authorize(searchParams)
      case `POST ${path}/token`:
        return exchange(request)
      case `GET ${path}/userinfo`:
        return userInfo(request)
    }
    return refuse(`${request.method} ${pathname}`, 404)
  })
  const url: string = `http://127.0.0.1:${server.port}`
  return {
    issuer: url + path,
    about,
    refusals,
    /** The person agrees; what the browser comes back with. */
    async consent(address: string): Promise<string> {
      const answer = await fetch(address, { redirect: 'manual' })
      return new URL(answer.headers.get('location') ?? 'http://refused.invalid').search
    },
    stop: () => server.stop(true),
  }
}
