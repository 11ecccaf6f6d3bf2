import { redirect } from '@tanstack/react-router'
import { roles } from '../contract/users.ts'
import { readUser } from './session.ts'

/** For `beforeLoad` of every screen that needs a login. */
export function requireUser(): void {
  if (!readUser()) throw redirect({ to: '/login' })
}

/** For screens that only administrators have: to everyone else they do not exist. */
export function requireAdmin(): void {
  requireUser()
  if ((readUser()?.role ?? 0) < roles.admin) throw redirect({ to: '/' })
}
