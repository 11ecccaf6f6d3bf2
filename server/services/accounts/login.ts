import type { Endpoints } from '../../../contract/index.ts'
import { roles, type SignedIn, userStatuses } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import type { App } from '../app.ts'
import { recordAudit } from '../audit-record.ts'
import type { CallOf } from '../call.ts'
import { completeSignIn } from '../sign-in/complete-sign-in.ts'
import { forgetAttempts, limitAttempts } from '../throttle.ts'
import { guessesAt } from './login-guesses.ts'
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts'
import { revokeSession } from './sessions.ts'
import { checkTurnstile } from './turnstile.ts'

/** Whoever guesses a password gets this many tries per account and quarter of an hour, from wherever. */
const perAccount = { most: 10, windowSeconds: 15 * 60 }

export async function login(app: App, call: CallOf<Endpoints['login']>): Promise<SignedIn> {
  await checkTurnstile(app, call.query.turnstile, call.address)
  if (!app.settings.get('PasswordLoginEnabled')) throw new AppError('login.password-disabled')
  const { username, password } = call.body
  if (username === '' || password === '') throw new AppError('login.incomplete')

  const user = await findUser(app, username)
  const account = counterOf(app, username, user)
  await limitAttempts(app, account, perAccount)

  const matches = await verifyPassword(password, user?.password_hash)
  if (!user || !matches || user.status !== userStatuses.active) {
    if (user) noteFailure(app, user, call.address)
    throw new AppError('login.failed')
  }

  await forgetAttempts(app, account)
  const password_hash = isOutdated(user.password_hash)
    ? await upgradeHash(app, user.id, user.password_hash, password)
    : user.password_hash
  return completeSignIn(app, { ...user, password_hash }, call)
}

/** By name or by e-mail. Where one user's name is another's address, the address counts. */
async function findUser({ store }: App, given: string) {
  const addresses = [given, given.toLowerCase()]
  const found = await store.db
    .selectFrom('users')
    .selectAll()
    .where(user => user.or([user('username', '=', given), user('email', 'in', addresses)]))
    .where('deleted_at', 'is', null)
    // Nobody logs in as a team.
    .where('role', '>=', roles.user)
    .execute()
  return found.find(({ email }) => email !== null && addresses.includes(email)) ?? found[0]
}

/**
 * One for each account, by whatever name it is called, and for nobody else's: it is forgotten by whoever logs in.
 * Who is nobody is counted alike, so that the limit tells no one who is registered.
 */
function counterOf({ store }: App, given: string, user: { id: number } | undefined): string {
  const nobody = store.cipher.hash('login', given.includes('@') ? given.toLowerCase() : given)
  return user ? guessesAt(user.id) : `login:${nobody}`
}

/** Nobody waits for it: an account that exists must not take longer to refuse than one that does not. */
function noteFailure(app: App, { id }: { id: number }, address: string): void {
  recordAudit(app, { caller: undefined, address }, { action: 'login.failed', subject: `user:${id}` }).catch(
    error => log.warn('a failed login could not be recorded', { error }),
  )
}

export async function logout(app: App, call: CallOf<Endpoints['logout']>): Promise<void> {
  if (call.session.token) await revokeSession(app, call.session.token)
  call.session.clear()
}

/**
 * Only while the hash is still the one that was verified: a password changed meanwhile stays changed. Resolves with the
 * one that is there then, which somebody else who knows the password may have put there.
 */
async function upgradeHash(app: App, id: number, former: string, password: string): Promise<string> {
  const upgraded = await hashPassword(password)
  await app.store.db
    .updateTable('users')
    .set({ password_hash: upgraded })
    .where('id', '=', id)
    .where('password_hash', '=', former)
    .execute()
  const user = await app.store.db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const isSame = user.password_hash === upgraded || (await verifyPassword(password, user.password_hash))
  return isSame ? user.password_hash : former
}
