import { redirect } from '@tanstack/react-router'
import { roles } from '../contract/users.ts'
import { rememberPath } from './return-path.ts'
import { readUser } from './session.ts'

interface Entering {
  readonly location: { readonly href: string }
  readonly preload?: boolean
}

/** For `beforeLoad` of every screen that needs a login. */
export function requireUser({ location, preload }: Entering): void {
  if (readUser()) return
  if (!preload) rememberPath(location.href)
  throw redirect({ to: '/login' })
}

/** For screens that only administrators have: to everyone else they do not exist. */
export function requireAdmin(entering: Entering): void {
  requireUser(entering)
  if ((readUser()?.role ?? 0) < roles.admin) throw redirect({ to: '/' })
}
