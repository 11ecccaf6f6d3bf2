import type { SessionCookie } from '../services/call.ts'
import { SESSION_SECONDS } from '../services/sessions.ts'
import type { Exchange } from './exchange.ts'

const NAME = 'session'

export function sessionCookie(exchange: Exchange): SessionCookie {
  const put = (value: string, maxAge: number): void => {
    const secure = exchange.secure ? '; Secure' : ''
    exchange.setCookies.push(`${NAME}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`)
  }
  return {
    token: readCookie(exchange.request.headers.get('cookie')),
    set: token => put(token, SESSION_SECONDS),
    clear: () => put('', 0),
  }
}

function readCookie(header: string | null): string | undefined {
  if (!header) return undefined
  for (const part of header.split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === NAME) return part.slice(at + 1).trim() || undefined
  }
  return undefined
}
