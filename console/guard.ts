import { redirect } from '@tanstack/react-router'
import { readUser } from './session.ts'

/** For `beforeLoad` of every screen that needs a login. */
export function requireUser(): void {
  if (!readUser()) throw redirect({ to: '/login' })
}
