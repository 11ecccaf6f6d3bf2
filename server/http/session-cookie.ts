import { SESSION_SECONDS } from '../services/accounts/sessions.ts'
import type { SessionCookie } from '../services/call.ts'
import type { Exchange } from './exchange.ts'

/** Long enough to sign in elsewhere and come back. */
const BROWSER_SECONDS = 600

export function sessionCookie(exchange: Exchange): SessionCookie {
  return guardedCookie(exchange, 'session', SESSION_SECONDS)
}

export function browserCookie(exchange: Exchange): SessionCookie {
  return guardedCookie(exchange, 'sign_in_browser', BROWSER_SECONDS)
}

/** One that no script can read and no other site's form can send. */
function guardedCookie(exchange: Exchange, name: string, seconds: number): SessionCookie {
  const put = (value: string, maxAge: number): void => {
    const secure = exchange.secure ? '; Secure' : ''
    exchange.setCookies.push(`${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`)
  }
  let present = readCookie(exchange.request.headers.get('cookie'), name)
  return {
    get token() {
      return present
    },
    set(token) {
      present = token
      put(token, seconds)
    },
    clear() {
      present = undefined
      put('', 0)
    },
  }
}

function readCookie(header: string | null, name: string): string | undefined {
  if (!header) return undefined
  for (const part of header.split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim() || undefined
  }
  return undefined
}
