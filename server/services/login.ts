import type { Endpoints } from '../../contract/index.ts'
import { type UserView, userStatuses } from '../../contract/users.ts'
import { AppError } from '../errors.ts'
import type { App } from './app.ts'
import type { CallOf } from './call.ts'
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts'
import { issueSession, revokeSession } from './sessions.ts'
import { countAttempt, forgetAttempts } from './throttle.ts'
import { viewUser } from './user-view.ts'

const WINDOW_SECONDS = 15 * 60
/** Whoever guesses a password gets this many tries per account and quarter of an hour, from wherever. */
const TRIES_PER_ACCOUNT = 10

export async function login(app: App, call: CallOf<Endpoints['login']>): Promise<UserView> {
  if (!app.settings.get('PasswordLoginEnabled')) throw new AppError('login.password-disabled')
  const { username, password } = call.body
  if (username === '' || password === '') throw new AppError('login.incomplete')

  const account = `login:${app.store.cipher.hash('login', username.toLowerCase())}`
  if ((await countAttempt(app, account, WINDOW_SECONDS)) > TRIES_PER_ACCOUNT)
    throw new AppError('login.too-many', { minutes: WINDOW_SECONDS / 60 })

  const user = await app.store.db
    .selectFrom('users')
    .selectAll()
    .where(where => where.or([where('username', '=', username), where('email', '=', username)]))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const matches = await verifyPassword(password, user?.password_hash)
  if (!user || !matches || user.status !== userStatuses.active) throw new AppError('login.failed')

  await forgetAttempts(app, account)
  if (isOutdated(user.password_hash)) await upgradeHash(app, user.id, user.password_hash, password)
  if (call.session.token) await revokeSession(app, call.session.token)
  call.session.set(await issueSession(app, user, call))
  return viewUser(user)
}

export async function logout(app: App, call: CallOf<Endpoints['logout']>): Promise<void> {
  if (call.session.token) await revokeSession(app, call.session.token)
  call.session.clear()
}

/** Only while the hash is still the one that was verified: a password changed meanwhile stays changed. */
async function upgradeHash(app: App, id: number, former: string, password: string): Promise<void> {
  await app.store.db
    .updateTable('users')
    .set({ password_hash: await hashPassword(password) })
    .where('id', '=', id)
    .where('password_hash', '=', former)
    .execute()
}
