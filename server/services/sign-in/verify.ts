import type { Endpoints } from '../../../contract/index.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../app.ts'
import type { Caller, CallOf, SessionCookie } from '../call.ts'
import { verifyPassword } from '../passwords.ts'
import { markVerified, verifiedAt } from '../sessions.ts'
import { countAttempt, forgetAttempts } from '../throttle.ts'
import { assertPasskey, credentialsOf } from './passkeys/assert-passkey.ts'
import { isTwoFactorOn, spendCode } from './two-factor.ts'

const FRESH_SECONDS = 300
const WINDOW_SECONDS = 15 * 60
const TRIES = 10

type VerifyCall = CallOf<Endpoints['verify']>
type SessionCall = { readonly caller: Caller; readonly session: SessionCookie }

/** Lets through only a session whose owner has proved within five minutes who they are. */
export async function requireFreshSession(app: App, call: SessionCall): Promise<void> {
  const at = await verifiedAt(app, sessionOf(call))
  if (at + FRESH_SECONDS <= app.now()) throw new AppError('verify.required')
}

/** The same, but whoever came by a third party and has nothing of their own to show is let through. */
export async function requireFreshIfPossible(app: App, call: SessionCall): Promise<void> {
  sessionOf(call)
  const { id } = call.caller
  const hasMeans =
    (await passwordHash(app, id)) !== '' ||
    (await isTwoFactorOn(app, id)) ||
    (await credentialsOf(app, id)).length > 0
  if (hasMeans) await requireFreshSession(app, call)
}

/** Checks the proof itself, here and now; nothing that was shown earlier counts. */
export async function verifyAgain(app: App, call: VerifyCall) {
  const token = sessionOf(call)
  try {
    await checkProof(app, call)
  } catch (error) {
    const isWrong =
      error instanceof AppError && (error.code === 'two-factor.bad-code' || error.code === 'passkey.failed')
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
  const counter = `password:${userId}`
  if ((await countAttempt(app, counter, WINDOW_SECONDS)) > TRIES)
    throw new AppError('login.too-many', { minutes: WINDOW_SECONDS / 60 })
  if (!(await verifyPassword(password, await passwordHash(app, userId)))) throw new AppError('verify.failed')
  await forgetAttempts(app, counter)
}

async function passwordHash({ store }: App, userId: number): Promise<string> {
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
