import { notFound, redirect } from '@tanstack/react-router'
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

/** For screens that only administrators have. */
export function requireAdmin(entering: Entering): void {
  requireRole(entering, roles.admin)
}

/** Whoever is of a lower role stays at the address and is told which account it needs. */
export function requireRole(entering: Entering, role: number): void {
  requireUser(entering)
  if ((readUser()?.role ?? 0) < role) throw notFound({ data: role })
}
