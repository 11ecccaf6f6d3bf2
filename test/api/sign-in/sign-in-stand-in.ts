import { createHash, randomBytes } from 'node:crypto'
import { Client } from '../../client.ts'
import { serveLoopback } from '../../serve-loopback.ts'

export const secrets = {
  github: { id: 'github-client', secret: 'github-secret' },
  discord: { id: 'discord-client', secret: 'discord-secret' },
  linuxdo: { id: 'linuxdo-client', secret: 'linuxdo-secret' },
  wechatToken: 'wechat-token',
}

interface Grant {
  provider: 'github' | 'discord' | 'linuxdo'
  person: Record<string, unknown>
  challenge: string | null
  redirectUri: string | null
}

/** GitHub, Discord (below /discord), LinuxDO and a WeChat server in one, as strict as they are about what they are sent. */
export function startProviders() {
  const codes = new Map<string, Grant>()
  const tokens = new Map<string, Grant>()
  const followers = new Map<string, string>()
  const refusals: string[] = []
  /** Whom the next authorize page belongs to. */
  let person: Record<string, unknown> = {}

  function refuse(why: string, answer: Response): Response {
    refusals.push(why)
    return answer
  }

  function authorize(provider: Grant['provider'], query: URLSearchParams): Response {
    const known = secrets[provider].id
    if (query.get('client_id') !== known)
      return refuse('client', new Response('unknown client', { status: 404 }))
    if (provider !== 'github' && query.get('response_type') !== 'code')
      return refuse('response type', new Response('bad request', { status: 400 }))
    if (provider === 'discord' && query.get('scope') !== 'identify')
      return refuse('scope', new Response('bad request', { status: 400 }))
    const challenge = query.get('code_challenge')
    if (challenge && query.get('code_challenge_method') !== 'S256')
      return refuse('challenge', new Response('bad request', { status: 400 }))
    const code = randomBytes(10).toString('hex')
    codes.set(code, { provider, person, challenge, redirectUri: query.get('redirect_uri') })
    const back = `${query.get('redirect_uri') ?? 'http://registered.example/oauth'}?code=${code}&state=${query.get('state')}`
    return new Response(null, { status: 302, headers: { location: back } })
  }

  async function exchange(provider: Grant['provider'], request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text())
    const wrong = (why: string) =>
      refuse(
        why,
        provider === 'github'
          ? Response.json({ error: 'bad_verification_code', error_description: why })
          : Response.json({ error: 'invalid_grant' }, { status: 400 }),
      )
    if (request.headers.get('content-type') !== 'application/x-www-form-urlencoded')
      return wrong('content type')
    if (request.headers.get('accept') !== 'application/json') return wrong('accept')
    const { id, secret } = secrets[provider]
    const proven =
      provider === 'linuxdo'
        ? request.headers.get('authorization') === `Basic ${btoa(`${id}:${secret}`)}`
        : form.get('client_id') === id && form.get('client_secret') === secret
    if (!proven) return wrong('client')
    if (provider !== 'github' && form.get('grant_type') !== 'authorization_code') return wrong('grant type')
    const grant = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    if (grant?.provider !== provider) return wrong('code')
    const verifier = form.get('code_verifier')
    const shown = verifier && createHash('sha256').update(verifier).digest('base64url')
    if (shown !== grant.challenge) return wrong('verifier')
    if (provider === 'discord' && verifier !== null && !/^[\w.~-]{43,128}$/.test(verifier))
      return wrong('verifier length')
    if (provider === 'discord' && !form.get('redirect_uri')) return wrong('redirect')
    if (grant.redirectUri !== null && form.get('redirect_uri') !== grant.redirectUri) return wrong('redirect')
    const token = randomBytes(16).toString('hex')
    tokens.set(token, grant)
    return Response.json({ access_token: token, token_type: 'bearer', scope: '' })
  }

  function profile(provider: Grant['provider'], request: Request): Response {
    const grant = tokens.get((request.headers.get('authorization') ?? '').replace(/^Bearer /, ''))
    if (grant?.provider !== provider)
      return refuse('token', Response.json({ message: 'Bad credentials' }, { status: 401 }))
    return Response.json(grant.person)
  }

  function follower(request: Request, query: URLSearchParams): Response {
    if (request.headers.get('authorization') !== secrets.wechatToken)
      return refuse('wechat token', Response.json({ success: false, message: '无权访问' }, { status: 401 }))
    const code = query.get('code') ?? ''
    const data = followers.get(code)
    followers.delete(code)
    return Response.json(
      data ? { success: true, message: '', data } : { success: false, message: '无效', data: '' },
    )
  }

  const server = serveLoopback(request => {
    const { pathname, searchParams } = new URL(request.url)
    const routes: Record<string, () => Response | Promise<Response>> = {
      'GET /login/oauth/authorize': () => authorize('github', searchParams),
      'POST /login/oauth/access_token': () => exchange('github', request),
      'GET /api/v3/user': () => profile('github', request),
      'GET /discord/oauth2/authorize': () => authorize('discord', searchParams),
      'POST /discord/api/oauth2/token': () => exchange('discord', request),
      'GET /discord/api/users/@me': () => profile('discord', request),
      'GET /oauth2/authorize': () => authorize('linuxdo', searchParams),
      'POST /oauth2/token': () => exchange('linuxdo', request),
      'GET /api/user': () => profile('linuxdo', request),
      'GET /api/wechat/user': () => follower(request, searchParams),
    }
    const route = routes[`${request.method} ${pathname}`]
    return route
      ? route()
      : refuse(`${request.method} ${pathname}`, new Response('no such page', { status: 404 }))
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    refusals,
    followers,
    /** Who sits before the browser that comes to the authorize page next. */
    seat(who: Record<string, unknown>): void {
      person = who
    },
    /** The person at the authorize page agrees; returns what the browser comes back with. */
    async consent(
      address: string,
      who: Record<string, unknown>,
    ): Promise<{ code: string; state: string; back: URL }> {
      person = who
      const answer = await fetch(address, { redirect: 'manual' })
      const back = new URL(answer.headers.get('location') ?? 'http://refused.invalid')
      return { back, code: back.searchParams.get('code') ?? '', state: back.searchParams.get('state') ?? '' }
    },
    stop: () => server.stop(true),
  }
}

/** A client that also keeps the cookie of a sign-in under way. */
export class Browser extends Client {
  signInCookie = ''

  override async send(method: string, path: string, options: Parameters<Client['send']>[2] = {}) {
    const cookie = [this.cookie ? `session=${this.cookie}` : '', this.signInCookie].filter(Boolean).join('; ')
    const answer = await super.send(method, path, { ...options, headers: { cookie, ...options.headers } })
    const set = /sign_in_browser=[^;]*/.exec(answer.headers.get('set-cookie') ?? '')?.[0]
    if (set) this.signInCookie = set
    if (answer.json?.success && typeof answer.json.data?.id === 'number' && answer.json.data.username)
      this.userId = answer.json.data.id
    return answer
  }
}
