import type { Transaction, Updateable } from 'kysely'
import { password as passwordRule } from '../../../contract/credentials.ts'
import type { Endpoints } from '../../../contract/index.ts'
import { roles } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import type { Schema, Users } from '../../store/schema.ts'
import type { App } from '../app.ts'
import { type AuditEvent, recordAudit } from '../audit-record.ts'
import type { CallOf } from '../call.ts'
import { movedLetter } from '../mail/letters.ts'
import { canMail, sendMail } from '../mail/send-mail.ts'
import { deletePromptsOf } from '../prompts/prompt-changes.ts'
import { refuseClash } from '../refuse-clash.ts'
import { requireRecentProof } from '../sign-in/verify.ts'
import { lockPerson } from '../teams/load-team.ts'
import { endMemberships, refuseOnlyOwner } from '../teams/members.ts'
import { checkUsername } from './check-username.ts'
import { confirmPassword } from './confirm-password.ts'
import { readEmail } from './email-address.ts'
import { checkEmailCode, spendEmailCode } from './email-codes.ts'
import { hashPassword } from './passwords.ts'
import { sessionHash } from './sessions.ts'
import { refuseTakenName, takeName } from './taken-name.ts'

export const LONGEST_DISPLAY_NAME = 20

/** Only the three fields an owner may change are ever written, whatever was sent. */
export async function updateSelf(app: App, call: CallOf<Endpoints['updateSelf']>): Promise<void> {
  const { caller, body } = call
  const changes: Partial<
    Pick<Updateable<Users>, 'username' | 'display_name' | 'password_hash' | 'access_token_hash'>
  > = {}
  if (body.username !== '' && body.username !== caller.username) {
    checkUsername(body.username)
    await refuseTakenName(app.store.db, body.username, caller.id)
    changes.username = body.username
  }
  // Older consoles send back what they have read, and one that moved in may be longer than anyone may choose.
  if (body.display_name !== '' && body.display_name !== (await displayNameOf(app, caller.id)))
    changes.display_name = checkDisplayName(body.display_name)
  let proved: string | undefined
  if (body.password !== '') {
    if (!passwordRule.safeParse(body.password).success) throw new AppError('user.password-length')
    proved = await provePassword(app, call, body.original_password)
    changes.password_hash = await hashPassword(body.password)
    // Only where it is wished: a password that is changed now and then must not stop its owner's scripts.
    if (body.revoke_access_token) changes.access_token_hash = null
  }
  if (Object.keys(changes).length === 0) return
  await refuseClash(
    app.store.change('users', async transaction => {
      if (changes.username !== undefined) await takeName(app.store, transaction, changes.username, caller.id)
      const { numUpdatedRows } = await transaction
        .updateTable('users')
        .set(changes)
        .where('id', '=', caller.id)
        // Whoever has a password reset is not to lose it to somebody who knew the one before.
        .$if(proved !== undefined, user => user.where('password_hash', '=', proved ?? ''))
        .executeTakeFirst()
      if (proved !== undefined && numUpdatedRows === 0n) throw new AppError('account.password-wrong')
      if (changes.password_hash) await endSessions(transaction, caller.id, keptSession(app, call))
      const event: AuditEvent = { action: 'account.update', subject: `user:${caller.id}`, after: changes }
      await recordAudit(app, call, event, transaction)
    }),
    'user.name-taken',
  )
}

async function displayNameOf({ store }: App, userId: number): Promise<string | undefined> {
  const row = await store.db
    .selectFrom('users')
    .select('display_name')
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.display_name
}

export function checkDisplayName(name: string): string {
  if (name.length > LONGEST_DISPLAY_NAME)
    throw new AppError('user.display-name-length', { most: LONGEST_DISPLAY_NAME })
  return name
}

/**
 * Whoever found an open browser does not get the account. Who never had a password shows what else they have. Resolves
 * with the hash of the password that was shown.
 */
async function provePassword(
  app: App,
  call: CallOf<Endpoints['updateSelf']>,
  given: string,
): Promise<string> {
  const userId = call.caller.id
  const row = await app.store.db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const { password_hash: passwordHash } = row
  if (passwordHash === '') await requireRecentProof(app, call)
  else if (given === '') throw new AppError('account.password-needed')
  else await confirmPassword(app, { id: userId, passwordHash }, given, 'account.password-wrong')
  return passwordHash
}

/** The one that makes this call goes on; called by access token, none does. */
export function keptSession(
  app: App,
  { caller, session }: Pick<CallOf<Endpoints['updateSelf']>, 'caller' | 'session'>,
): string | undefined {
  return caller.via === 'session' && session.token ? sessionHash(app, session.token) : undefined
}

export async function endSessions(
  transaction: Transaction<Schema>,
  userId: number,
  except?: string,
): Promise<void> {
  let sessions = transaction.deleteFrom('sessions').where('user_id', '=', userId)
  if (except) sessions = sessions.where('id_hash', '!=', except)
  await sessions.execute()
}

/** Of no use to anybody without their account; some of it are secrets. */
const leftWithAccount = ['user_notices', 'passkeys', 'two_factors', 'backup_codes', 'sign_in_flows'] as const

/** The row stays, for the books and so that nobody takes the name; the account is of no use to anyone. */
export async function retireAccount(app: App, transaction: Transaction<Schema>, id: number): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ deleted_at: app.now(), access_token_hash: null })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()
  await endMemberships(app, transaction, id)
  await deletePromptsOf(transaction, id)
  for (const table of leftWithAccount) await transaction.deleteFrom(table).where('user_id', '=', id).execute()
  await endSessions(transaction, id)
}

export async function deleteSelf(app: App, call: CallOf<Endpoints['deleteSelf']>): Promise<void> {
  const { caller } = call
  if (caller.role >= roles.root) throw new AppError('account.delete-root')
  await app.store.change('users', async transaction => {
    // From now on no team becomes theirs: one that is being made for them is there, and seen, when this has it.
    await lockPerson(app, transaction, caller)
    await refuseOnlyOwner(app, transaction, caller.id)
    await retireAccount(app, transaction, caller.id)
    await recordAudit(app, call, { action: 'account.delete', subject: `user:${caller.id}` }, transaction)
  })
  call.session.clear()
}

/**
 * The code proves that the address is the caller's, not that the caller is the owner: whoever reads its mail can
 * reset the password. The address that it takes the place of is told.
 */
export async function bindEmail(app: App, call: CallOf<Endpoints['bindEmail']>): Promise<void> {
  const { caller, query } = call
  await requireRecentProof(app, call)
  const email = readEmail(query.email)
  await checkEmailCode(app, email, query.code)
  const former = await refuseClash(
    app.store.change('users', async transaction => {
      await spendEmailCode(app, transaction, email, query.code)
      const before = await transaction
        .selectFrom('users')
        .select('email')
        .where('id', '=', caller.id)
        .executeTakeFirstOrThrow()
      await transaction.updateTable('users').set({ email }).where('id', '=', caller.id).execute()
      const event: AuditEvent = {
        action: 'account.bind-email',
        subject: `user:${caller.id}`,
        before,
        after: { email },
      }
      await recordAudit(app, call, event, transaction)
      return before.email
    }),
    'email.taken',
  )
  if (former && former.toLowerCase() !== email) tellFormerAddress(app, former, call)
}

/** Not counted with the other mails to an address: nobody can use those up to keep this one back. */
function tellFormerAddress(
  { settings }: App,
  to: string,
  { caller, language }: CallOf<Endpoints['bindEmail']>,
): void {
  if (!canMail(settings)) return
  const letter = movedLetter(settings.get('SystemName'), caller.username, language)
  sendMail(settings, { to, ...letter }).catch(error =>
    log.warn('a former address could not be told that it was replaced', { error }),
  )
}
