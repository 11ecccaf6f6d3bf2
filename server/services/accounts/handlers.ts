import type { accountEndpoints } from '../../../contract/accounts.ts'
import type { userAdminEndpoints } from '../../../contract/user-admin.ts'
import type { userEndpoints } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../app.ts'
import type { Handlers } from '../call.ts'
import { KeptTotals } from '../kept-totals.ts'
import { chattingModels, enabledModels, offeredGroups, usableGroups } from '../usable-groups.ts'
import { hasAccessToken, replaceAccessToken, revokeAccessToken } from './access-tokens.ts'
import { sendEmailCode } from './email-codes.ts'
import { inviteCode } from './invitations.ts'
import { KeptOrders } from './kept-orders.ts'
import { login, logout } from './login.ts'
import { manageUser } from './manage-user.ts'
import { bindEmail, deleteSelf, updateSelf } from './own-account.ts'
import { askForReset, resetPassword } from './password-reset.ts'
import { register } from './register.ts'
import { endSession, listSessions } from './session-list.ts'
import { checkTurnstile } from './turnstile.ts'
import { createUser, deleteUser, editUser, getUser } from './user-admin.ts'
import { listUsers, searchUsers } from './user-list.ts'
import { viewUser } from './user-view.ts'

export function userHandlers(app: App): Handlers<keyof typeof userEndpoints> {
  return {
    login: call => login(app, call),
    logout: call => logout(app, call),
    async self({ caller }) {
      const row = await app.store.db
        .selectFrom('users')
        .selectAll()
        .where('id', '=', caller.id)
        .executeTakeFirst()
      if (!row) throw new AppError('row.not-found')
      return viewUser(row)
    },
    accessToken: call => replaceAccessToken(app, call),
    accessTokenStatus: async ({ caller }) => ({ exists: await hasAccessToken(app, caller.id) }),
    revokeAccessToken: call => revokeAccessToken(app, call),
  }
}

export function accountHandlers(app: App): Handlers<keyof typeof accountEndpoints> {
  const modelsOfGroups = { all: enabledModels(app), chat: chattingModels(app) }
  return {
    register: call => register(app, call),
    async sendEmailCode({ query, language, address }) {
      await checkTurnstile(app, query.turnstile, address)
      await sendEmailCode(app, query.email, language)
    },
    async askForReset({ query, language, address }) {
      await checkTurnstile(app, query.turnstile, address)
      await askForReset(app, query.email, language)
    },
    resetPassword: ({ body, address }) => resetPassword(app, body, address),
    updateSelf: call => updateSelf(app, call),
    deleteSelf: call => deleteSelf(app, call),
    inviteCode: ({ caller }) => inviteCode(app, caller.id),
    async usableModels({ caller, query }) {
      const byGroup = await modelsOfGroups[query.kind ?? 'all']()
      const groups = Object.keys(usableGroups(app.settings, caller.group))
      return [...new Set(groups.flatMap(group => [...(byGroup.get(group) ?? [])]))].sort()
    },
    ownGroups: ({ caller }) => offeredGroups(app.settings, caller.group),
    publicGroups: () => usableGroups(app.settings),
    listSessions: call => listSessions(app, call),
    revokeSession: call => endSession(app, call),
    bindEmail: call => bindEmail(app, call),
  }
}

export function userAdminHandlers(app: App): Handlers<keyof typeof userAdminEndpoints> {
  const kept = { totals: new KeptTotals(app.store.db, 'users'), orders: new KeptOrders(app.store.db) }
  return {
    listUsers: call => listUsers(app, kept, call),
    searchUsers: call => searchUsers(app, kept, call),
    getUser: call => getUser(app, call),
    createUser: call => createUser(app, call),
    editUser: call => editUser(app, call),
    deleteUser: call => deleteUser(app, call),
    manageUser: call => manageUser(app, call),
  }
}
