import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { AppError } from '../../errors.ts'
import type { Schema } from '../../store/schema.ts'
import type { App } from '../app.ts'
import { forgetAttempts, limitAttempts } from '../throttle.ts'
import { base32, findStep } from './totp.ts'

/** A six-digit code is guessed in a million tries: nobody gets more than a few, by whatever way they come. */
const tries = { most: 10, windowSeconds: 15 * 60 }
const BACKUP_CODES = 10

export async function isTwoFactorOn(app: App, userId: number): Promise<boolean> {
  return ((await findFactor(app, userId))?.confirmed_at ?? 0) > 0
}

export function findFactor({ store }: App, userId: number) {
  return store.db.selectFrom('two_factors').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

/** Takes an authenticator or backup code, typed as it may be; neither is taken twice. Refuses with an error. */
export async function spendCode(app: App, userId: number, code: string): Promise<void> {
  const counter = `two-factor:${userId}`
  await limitAttempts(app, counter, tries)
  const plain = plainCode(code)
  const right = /^\d{6}$/.test(plain)
    ? await spendTotp(app, userId, plain)
    : await spendBackupCode(app, userId, plain)
  if (!right) throw new AppError('two-factor.bad-code')
  await forgetAttempts(app, counter)
}

/** People group the digits, and some keyboards write them wide. */
export function plainCode(code: string): string {
  return code.normalize('NFKC').replace(/[\s-]/g, '')
}

async function spendTotp(app: App, userId: number, code: string): Promise<boolean> {
  const factor = await findFactor(app, userId)
  if (!factor || factor.confirmed_at === 0) return false
  const step = findStep(openSecret(app, factor), code, app.now())
  if (step === undefined) return false
  // Of two that show the same code at once, one moves the step on.
  const { numUpdatedRows } = await app.store.db
    .updateTable('two_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('confirmed_at', '>', 0)
    .where('last_step', '<', step)
    .executeTakeFirst()
  // It is right, and looks so to whoever reads it from the app: what is wrong with it, only the time will mend.
  if (numUpdatedRows === 0n) throw new AppError('two-factor.used-code')
  return true
}

async function spendBackupCode(app: App, userId: number, code: string): Promise<boolean> {
  const { numDeletedRows } = await app.store.db
    .deleteFrom('backup_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash(app, userId, code))
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Puts new backup codes in the place of the former ones; this is the only time they are seen. */
export async function replaceBackupCodes(
  app: App,
  transaction: Kysely<Schema>,
  userId: number,
): Promise<string[]> {
  const codes = Array.from({ length: BACKUP_CODES }, () => base32(randomBytes(5)))
  await transaction.deleteFrom('backup_codes').where('user_id', '=', userId).execute()
  await transaction
    .insertInto('backup_codes')
    .values(codes.map(code => ({ user_id: userId, code_hash: codeHash(app, userId, code) })))
    .execute()
  return codes.map(code => `${code.slice(0, 4)}-${code.slice(4)}`)
}

/** Forgets a user's authenticator app and backup codes; false when there was none in force. */
export async function removeTwoFactor(transaction: Kysely<Schema>, userId: number): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('two_factors')
    .where('user_id', '=', userId)
    .where('confirmed_at', '>', 0)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await transaction.deleteFrom('backup_codes').where('user_id', '=', userId).execute()
  return true
}

export function sealSecret(
  { store }: { readonly store: Pick<App['store'], 'cipher'> },
  userId: number,
  secret: Uint8Array,
): string {
  return store.cipher.seal(secretPlace(userId), Buffer.from(secret).toString('base64'))
}

export function openSecret(
  { store }: App,
  { user_id, secret_sealed }: { user_id: number; secret_sealed: string },
): Uint8Array {
  return Buffer.from(store.cipher.open(secretPlace(user_id), secret_sealed), 'base64')
}

function secretPlace(userId: number) {
  return { table: 'two_factors', column: 'secret_sealed', row: userId }
}

function codeHash({ store }: App, userId: number, code: string): string {
  return store.cipher.hash('backup-code', `${userId}\0${code.toUpperCase()}`)
}
