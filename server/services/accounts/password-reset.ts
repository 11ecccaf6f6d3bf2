import { randomBytes } from 'node:crypto'
import type { Language } from '../../../contract/language.ts'
import { userStatuses } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import type { App } from '../app.ts'
import { type AuditEvent, recordAudit } from '../audit-record.ts'
import { resetLetter } from '../mail/letters.ts'
import { sendMail } from '../mail/send-mail.ts'
import { randomText } from '../random-text.ts'
import { findByEmail, readEmail } from './email-address.ts'
import { allowMail, CODE_SECONDS } from './email-codes.ts'
import { forgetGuesses } from './login-guesses.ts'
import { hashPassword } from './passwords.ts'
import { type Claim, isProof, keepProof, spendProof } from './proofs.ts'

const PASSWORD_LENGTH = 12
const PASSWORD_CHARACTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz'

/**
 * Mails a reset link if someone has the address. The answer is the same and comes as soon when nobody has:
 * it tells no one who is registered.
 */
export async function askForReset(app: App, typed: string, language: Language): Promise<void> {
  const email = readEmail(typed)
  await allowMail(app, email)
  mailLink(app, email, typed.trim(), language).catch(error =>
    log.warn('a reset link could not be mailed', { error }),
  )
}

async function mailLink(app: App, email: string, typed: string, language: Language): Promise<void> {
  const user = await findByEmail(app, email, typed)
  if (!user || user.deleted_at !== null || user.status !== userStatuses.active) return
  const token = randomBytes(16).toString('hex')
  await keepProof(app, claimOf(email), token, CODE_SECONDS)
  // Never an address the request names: the link would lead wherever its sender wants.
  const home = app.settings.get('ServerAddress') || 'http://localhost:3000'
  const address = user.email ?? email
  const link = `${home}/user/reset?${new URLSearchParams({ email: address, token })}`
  const letter = resetLetter(app.settings.get('SystemName'), link, language)
  await sendMail(app.settings, { to: address, ...letter })
}

/**
 * Gives the account a new password, and ends its sessions and its access token: whoever needs this may have lost
 * the account to somebody. The link works once.
 */
export async function resetPassword(
  app: App,
  { email: typed, token }: { email: string; token: string },
  address: string,
): Promise<string> {
  const email = readEmail(typed)
  if (token === '') throw new AppError('account.invalid', { field: 'token' })
  if (!(await isProof(app, claimOf(email), token))) throw new AppError('reset.invalid')
  const user = await findByEmail(app, email, typed.trim())
  if (!user || user.deleted_at !== null || user.status !== userStatuses.active)
    throw new AppError('reset.invalid')
  const password = randomText(PASSWORD_LENGTH, PASSWORD_CHARACTERS)
  const password_hash = await hashPassword(password)
  await app.store.transaction(async transaction => {
    if (!(await spendProof(app, transaction, claimOf(email), token))) throw new AppError('reset.invalid')
    await transaction
      .updateTable('users')
      .set({ password_hash, access_token_hash: null })
      .where('id', '=', user.id)
      .execute()
    await transaction.deleteFrom('sessions').where('user_id', '=', user.id).execute()
    const event: AuditEvent = { action: 'account.reset-password', subject: `user:${user.id}` }
    await recordAudit(app, { caller: user, address }, event, transaction)
  })
  await forgetGuesses(app, user.id)
  return password
}

function claimOf(email: string): Claim {
  return { kind: 'reset', subject: email }
}
