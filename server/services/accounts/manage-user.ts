import type { Endpoints } from '../../../contract/index.ts'
import { type ManagedUser, type UserAction, userActions } from '../../../contract/user-admin.ts'
import { roles, userStatuses } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../app.ts'
import { type AuditEvent, recordAudit } from '../audit-record.ts'
import type { Caller, CallOf } from '../call.ts'
import { lockUser, outranks, type User } from './lock-user.ts'
import { retireAccount } from './own-account.ts'
import { viewManagedUser } from './user-view.ts'

type Change = Partial<Pick<User, 'role' | 'status'>>

/** What each action makes of a user, or why it does not. */
const actions: Record<UserAction, (user: User, caller: Caller) => Change> = {
  disable(user) {
    if (user.role >= roles.root) throw new AppError('users.disable-root')
    return { status: userStatuses.banned }
  },
  enable: () => ({ status: userStatuses.active }),
  delete(user) {
    if (user.role >= roles.root) throw new AppError('users.delete-root')
    return {}
  },
  promote(user, caller) {
    if (caller.role < roles.root) throw new AppError('users.promote-rank')
    if (user.role === roles.team) throw new AppError('team.no-rank')
    if (user.role >= roles.admin) throw new AppError('users.is-admin')
    return { role: roles.admin }
  },
  demote(user) {
    if (user.role >= roles.root) throw new AppError('users.demote-root')
    if (user.role < roles.admin) throw new AppError('users.is-ordinary')
    return { role: roles.user }
  },
}

/** In force at the user's next call: role and status are read with every one. */
export async function manageUser(app: App, call: CallOf<Endpoints['manageUser']>): Promise<ManagedUser> {
  const { caller, body } = call
  const action = userActions.find(name => name === body.action)
  if (!action) throw new AppError('account.invalid', { field: 'action' })
  return app.store.change('users', async transaction => {
    const user = await lockUser(app, transaction, body.id)
    if (!user) throw new AppError('users.unknown')
    if (!outranks(caller, user)) throw new AppError('users.edit-rank')
    const change = actions[action](user, caller)
    if (action === 'delete') await retireAccount(app, transaction, user.id)
    else await transaction.updateTable('users').set(change).where('id', '=', user.id).execute()
    const event: AuditEvent = {
      action: `user.${action}`,
      subject: `user:${user.id}`,
      before: { username: user.username, role: user.role, status: user.status },
      after: change,
    }
    await recordAudit(app, call, event, transaction)
    const deleted_at = action === 'delete' ? app.now() : null
    return viewManagedUser({ ...user, ...change, deleted_at })
  })
}
