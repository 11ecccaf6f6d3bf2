import type { Endpoints } from '../../../contract/index.ts'
import { AppError } from '../../errors.ts'
import { confirmPassword } from '../accounts/confirm-password.ts'
import { markVerified, provedAt } from '../accounts/sessions.ts'
import type { App } from '../app.ts'
import type { Caller, CallOf, SessionCookie } from '../call.ts'
import { assertPasskey, credentialsOf } from './passkeys/assert-passkey.ts'
import { isTwoFactorOn, spendCode } from './two-factor.ts'

const FRESH_SECONDS = 300

type VerifyCall = CallOf<Endpoints['verify']>
type SessionCall = { readonly caller: Caller; readonly session: SessionCookie }

/** Lets through only a session whose owner has proved within five minutes who they are. */
export async function requireFreshSession(app: App, call: SessionCall): Promise<void> {
  const { verifiedAt } = await provedAt(app, sessionOf(call))
  if (!isFresh(verifiedAt, app.now())) throw new AppError('verify.required')
}

/** Not one of a time to come: a clock that was ahead would have it count until then. */
function isFresh(at: number, now: number): boolean {
  return at + FRESH_SECONDS > now && at <= now + FRESH_SECONDS
}

/**
 * The same, but whoever came by a third party and has nothing of their own to show is let through. For
 * passkeys, which get past the second step as well.
 */
export async function requireFreshIfPossible(app: App, call: SessionCall): Promise<void> {
  sessionOf(call)
  if (await canProve(app, call.caller.id)) await requireFreshSession(app, call)
}

/**
 * For every other change to how someone gets into an account: its addresses, its third-party accounts, its
 * second step. Never by access token: it can be lost to a script, and would then be worth the account. A sign-in
 * counts as proof for as long as one that was asked for, so that clients which know nothing of proofs need but
 * log in again; an open browser is none. Who has nothing to show but the session (no password, no app, no
 * passkey) could not bring a proof at all: the session is then all that the account has, and has to do.
 */
export async function requireRecentProof(app: App, call: SessionCall): Promise<void> {
  const { signedInAt, verifiedAt } = await provedAt(app, sessionOf(call))
  if ([signedInAt, verifiedAt].some(at => isFresh(at, app.now()))) return
  if (await canProve(app, call.caller.id)) throw new AppError('verify.required')
}

async function canProve(app: App, userId: number): Promise<boolean> {
  return (
    (await passwordHashOf(app, userId)) !== '' ||
    (await isTwoFactorOn(app, userId)) ||
    (await credentialsOf(app, userId)).length > 0
  )
}

/** Checks the proof itself, here and now; nothing that was shown earlier counts. */
export async function verifyAgain(app: App, call: VerifyCall) {
  const token = sessionOf(call)
  try {
    await checkProof(app, call)
  } catch (error) {
    const code = error instanceof AppError ? error.code : undefined
    if (code === 'two-factor.used-code') throw new AppError('verify.used-code', {}, error)
    const isWrong = code === 'two-factor.bad-code' || code === 'passkey.failed'
    throw isWrong ? new AppError('verify.failed', {}, error) : error
  }
  await markVerified(app, token)
  return { verified: true, expires_at: app.now() + FRESH_SECONDS } as const
}

async function checkProof(app: App, { body, caller }: VerifyCall): Promise<void> {
  if (body.method === 'password') return checkPassword(app, caller.id, body.password)
  if (body.method === '2fa') {
    if (!(await isTwoFactorOn(app, caller.id))) throw new AppError('verify.failed')
    return spendCode(app, caller.id, body.code)
  }
  if (!body.assertion) throw new AppError('verify.failed')
  await assertPasskey(app, 'passkey-verify', body.assertion, caller.id)
}

async function checkPassword(app: App, userId: number, password: string): Promise<void> {
  if (await isTwoFactorOn(app, userId)) throw new AppError('verify.stronger')
  const owner = { id: userId, passwordHash: await passwordHashOf(app, userId) }
  await confirmPassword(app, owner, password, 'verify.failed')
}

async function passwordHashOf({ store }: App, userId: number): Promise<string> {
  const user = await store.db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirst()
  return user?.password_hash ?? ''
}

/** An access token is no one's presence: only a session can be verified. */
function sessionOf({ caller, session }: SessionCall): string {
  if (caller.via !== 'session' || !session.token) throw new AppError('auth.session-only')
  return session.token
}
