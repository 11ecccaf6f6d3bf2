import type { Selectable } from 'kysely'
import { roles, type UserView, userStatuses } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import type { Users } from '../../store/schema.ts'
import { lockUser } from '../accounts/lock-user.ts'
import { issueSession, revokeSession } from '../accounts/sessions.ts'
import { viewUser } from '../accounts/user-view.ts'
import type { App } from '../app.ts'
import { type AuditEvent, recordAudit } from '../audit-record.ts'
import type { SessionCookie } from '../call.ts'

/** What a session is made from. */
export interface Arrival {
  readonly session: SessionCookie
  readonly address: string
  readonly userAgent: string
}

/**
 * The session that was there, whoever's it was, ends: nobody can plant one beforehand. A password that was changed while
 * somebody proved to know the one before lets them in no more.
 */
export async function startSession(app: App, user: Selectable<Users>, call: Arrival): Promise<UserView> {
  if (user.role < roles.user) throw new AppError('team.not-a-person')
  if (call.session.token) await revokeSession(app, call.session.token)
  const token = await app.store.transaction(async transaction => {
    const now = await lockUser(app, transaction, user.id)
    if (now?.password_hash !== user.password_hash) throw new AppError('login.failed')
    return issueSession(app, transaction, now, call)
  })
  call.session.set(token)
  const event: AuditEvent = { action: 'login', subject: `user:${user.id}` }
  await recordAudit(app, { caller: user, address: call.address }, event)
  return viewUser(user)
}

/** Someone known by other means than a password, or why they may not come in. */
export async function loadActiveUser(app: App, id: number): Promise<Selectable<Users>> {
  const user = await app.store.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  return checkActive(user)
}

export function checkActive(user: Selectable<Users> | undefined): Selectable<Users> {
  if (!user || user.deleted_at !== null) throw new AppError('sign-in.deleted')
  if (user.status !== userStatuses.active) throw new AppError('auth.banned')
  return user
}
