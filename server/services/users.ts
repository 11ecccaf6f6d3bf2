import { AppError } from '../errors.ts'
import { replaceAccessToken } from './access-tokens.ts'
import type { App } from './app.ts'
import type { Handlers } from './call.ts'
import { login, logout } from './login.ts'
import { viewUser } from './user-view.ts'

export function userHandlers(app: App): Handlers<'login' | 'logout' | 'self' | 'accessToken'> {
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
  }
}
