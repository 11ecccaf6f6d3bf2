import { password as passwordRule } from '../../../contract/credentials.ts'
import type { Endpoints } from '../../../contract/index.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../app.ts'
import { type AuditEvent, recordAudit } from '../audit-record.ts'
import type { CallOf } from '../call.ts'
import { refuseClash } from '../refuse-clash.ts'
import { giveFirstToken } from '../tokens/first-token.ts'
import { checkUsername } from './check-username.ts'
import { createAccount } from './create-account.ts'
import { readEmail } from './email-address.ts'
import { checkEmailCode, spendEmailCode } from './email-codes.ts'
import { hashPassword } from './passwords.ts'
import { refuseTakenName } from './taken-name.ts'
import { checkTurnstile } from './turnstile.ts'

/** Signing up with a name and a password; whoever does is not logged in by it. */
export async function register(app: App, call: CallOf<Endpoints['register']>): Promise<void> {
  const { body, query, address } = call
  await checkTurnstile(app, query.turnstile, address)
  if (!app.settings.get('RegisterEnabled')) throw new AppError('register.disabled')
  if (!app.settings.get('PasswordRegisterEnabled')) throw new AppError('register.password-disabled')
  const { username, password } = body
  checkCredentials(username, password)

  const verify = app.settings.get('EmailVerificationEnabled')
  if (verify && (body.email === '' || body.verification_code === ''))
    throw new AppError('register.email-needed')
  const email = verify ? readEmail(body.email) : undefined
  // It spares the hash too, and the tries of a code.
  await refuseTakenName(app.store.db, username)
  if (email) await checkEmailCode(app, email, body.verification_code)

  const passwordHash = await hashPassword(password)
  await refuseClash(
    app.store.change('users', async transaction => {
      if (email) await spendEmailCode(app, transaction, email, body.verification_code)
      const bound = email ? { email } : {}
      const account = { username, passwordHash, bound, affCode: body.aff_code }
      const id = await createAccount(app, transaction, account)
      await giveFirstToken(app, transaction, { id, username, group: 'default' })
      const event: AuditEvent = {
        action: 'account.register',
        subject: `user:${id}`,
        after: { username, ...bound },
      }
      await recordAudit(app, { caller: { id, username }, address }, event, transaction)
    }),
    'user.name-taken',
  )
}

export function checkCredentials(username: string, password: string): void {
  if (username === '' || password === '') throw new AppError('login.incomplete')
  checkUsername(username)
  if (!passwordRule.safeParse(password).success) throw new AppError('user.password-length')
}
