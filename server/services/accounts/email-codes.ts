import type { Transaction } from 'kysely'
import type { Language } from '../../../contract/language.ts'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import type { Schema } from '../../store/schema.ts'
import type { App } from '../app.ts'
import { codeLetter } from '../mail/letters.ts'
import { canMail, sendMail } from '../mail/send-mail.ts'
import { randomText } from '../random-text.ts'
import { limitAttempts } from '../throttle.ts'
import { checkEmailRules, findByEmail, readEmail } from './email-address.ts'
import { type Claim, keepProof, spendProof, tryProof } from './proofs.ts'

export const CODE_SECONDS = 600
const CODE_LENGTH = 6
/** Nothing that is easily taken for something else. */
const CODE_CHARACTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
/** Nobody's mailbox is to be filled from here. */
const mails = { most: 10, windowSeconds: 3600 }

/** Mails a code to an address that nobody has yet. */
export async function sendEmailCode(app: App, typed: string, language: Language): Promise<void> {
  const email = readEmail(typed)
  checkEmailRules(app, email)
  if (await findByEmail(app, email, typed.trim())) throw new AppError('email.taken')
  await allowMail(app, email)
  const code = randomText(CODE_LENGTH, CODE_CHARACTERS)
  await keepProof(app, claimOf(email), code, CODE_SECONDS)
  const site = app.settings.get('SystemName')
  try {
    await sendMail(app.settings, { to: email, ...codeLetter(site, code, language) })
  } catch (error) {
    log.warn('a mail could not be sent', { error })
    throw new AppError('mail.failed', {}, error)
  }
}

/** Whether mail can go out at all, and to this address once more. */
export async function allowMail(app: Pick<App, 'store' | 'settings' | 'now'>, email: string): Promise<void> {
  if (!canMail(app.settings)) throw new AppError('mail.not-configured')
  const counter = `mail:${app.store.cipher.hash('mail', email)}`
  await limitAttempts(app, counter, mails, 'request.too-many')
}

/** Counts as one of the few tries there are. */
export async function checkEmailCode(app: App, email: string, code: string): Promise<void> {
  if (!(await tryProof(app, claimOf(email), spelled(code)))) throw new AppError('register.bad-code')
}

export async function spendEmailCode(
  app: App,
  transaction: Transaction<Schema>,
  email: string,
  code: string,
): Promise<void> {
  const spent = await spendProof(app, transaction, claimOf(email), spelled(code))
  if (!spent) throw new AppError('register.bad-code')
}

function claimOf(email: string): Claim {
  return { kind: 'email', subject: email }
}

function spelled(code: string): string {
  return code.trim().toUpperCase()
}
