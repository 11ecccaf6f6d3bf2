import { AppError } from '../../errors.ts'
import type { App } from '../app.ts'

const shape =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/

/** An address in the one form it is kept in. */
export function readEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (email === '') throw new AppError('account.invalid', { field: 'email' })
  if (email.length > 254 || !shape.test(email)) throw new AppError('email.invalid')
  return email
}

/** The same, or undefined where that is none. */
export function asEmail(text: string): string | undefined {
  try {
    return readEmail(text)
  } catch {
    return undefined
  }
}

/** The operator's rules on which addresses people may come with. */
export function checkEmailRules({ settings }: App, email: string): void {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  if (settings.get('EmailDomainRestrictionEnabled')) {
    const allowed = settings.get('EmailDomainWhitelist').some(entry => entry.toLowerCase() === domain)
    if (!allowed) throw new AppError('email.domain')
  }
  if (settings.get('EmailAliasRestrictionEnabled') && /[+.]/.test(email.slice(0, at)))
    throw new AppError('email.alias')
}

/** Whoever has the address, deleted accounts included. Older rows may have it in the case it was typed. */
export async function findByEmail({ store }: App, email: string, typed: string) {
  return await store.db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'status', 'deleted_at'])
    .where('email', 'in', [email, typed])
    .executeTakeFirst()
}
