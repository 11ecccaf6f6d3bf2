import type { Access, Endpoint } from '../../contract/endpoint.ts'
import { TEAM_HEADER } from '../../contract/teams.ts'
import { roles } from '../../contract/users.ts'
import { AppError } from '../errors.ts'
import { findTokenCaller } from '../services/accounts/access-tokens.ts'
import { findSessionCaller } from '../services/accounts/sessions.ts'
import type { App } from '../services/app.ts'
import type { Caller, SessionCookie } from '../services/call.ts'
import { actForTeam } from '../services/teams/act-for-team.ts'
import type { Exchange } from './exchange.ts'
import { searchOf } from './request-path.ts'

const leastRole: Record<Exclude<Access, 'public'>, number> = {
  user: roles.user,
  admin: roles.admin,
  root: roles.root,
}

/** Who calls, by session or else by access token, for themselves or for a team, and whether they may. */
export async function authenticate(
  app: App,
  exchange: Exchange,
  cookie: SessionCookie,
  endpoint: Pick<Endpoint, 'access' | 'userHeader' | 'sessionOnly' | 'team'>,
): Promise<Caller | undefined> {
  if (endpoint.access === 'public') return undefined
  const caller = await findCaller(app, exchange, cookie)
  checkUserHeader(exchange.request.headers.get('new-api-user'), caller, endpoint.userHeader)
  if (endpoint.sessionOnly && caller.via !== 'session') throw new AppError('auth.session-only')
  if (caller.role < leastRole[endpoint.access]) throw new AppError('auth.role-too-low')
  const team = endpoint.team && namedTeam(exchange, endpoint)
  return endpoint.team && team !== undefined ? actForTeam(app, caller, team, endpoint.team) : caller
}

/** Calls that a browser opens by their address, without headers, name it there. */
function namedTeam({ request }: Exchange, { userHeader }: Pick<Endpoint, 'userHeader'>): number | undefined {
  const inAddress = userHeader ? null : new URLSearchParams(searchOf(request.url)).get('team')
  const named = request.headers.get(TEAM_HEADER) ?? inAddress
  if (named === null) return undefined
  if (!/^\d{1,15}$/.test(named.trim())) throw new AppError('team.header-format')
  return Number(named)
}

async function findCaller(app: App, exchange: Exchange, cookie: SessionCookie): Promise<Caller> {
  const bySession = await findSessionCaller(app, cookie, exchange)
  if (bySession) return bySession
  const authorization = exchange.request.headers.get('authorization')
  if (!authorization) throw new AppError('auth.required')
  return findTokenCaller(app, authorization)
}

/**
 * A session's owner names themselves in a header, which no foreign page can make a browser do. Access
 * tokens may leave it out, but when it is there it must be right.
 */
function checkUserHeader(header: string | null, caller: Caller, required: boolean): void {
  if (header === null) {
    if (caller.via === 'session' && required) throw new AppError('auth.user-header-missing')
    return
  }
  if (!/^-?\d{1,15}$/.test(header.trim())) throw new AppError('auth.user-header-format')
  if (Number(header) !== caller.id) throw new AppError('auth.user-header-mismatch')
}
