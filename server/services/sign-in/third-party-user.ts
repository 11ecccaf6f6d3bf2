import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import { roles } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import type { Users } from '../../store/schema.ts'
import { UniqueViolation } from '../../store/store-error.ts'
import { createAccount } from '../accounts/create-account.ts'
import { LONGEST_DISPLAY_NAME } from '../accounts/own-account.ts'
import { isNameTaken } from '../accounts/taken-name.ts'
import type { App } from '../app.ts'
import { type AuditEvent, type Doer, recordAudit } from '../audit-record.ts'
import type { Caller } from '../call.ts'
import { refuseClash } from '../refuse-clash.ts'
import { giveFirstToken } from '../tokens/first-token.ts'
import type { Identity, Source } from './providers/provider.ts'
import { checkActive } from './start-session.ts'

/**
 * The user an account is bound to. It is found by the third party's id and by nothing else, once it has been here: who
 * moved in under what another tool knew them by is known by the id from then on.
 */
export async function findBound(
  app: App,
  address: string,
  source: Source,
  identity: Identity,
): Promise<Selectable<Users> | undefined> {
  const user = await userBoundTo(app, source, identity.id)
  return user ? checkActive(user) : rebind(app, address, source, identity)
}

function userBoundTo({ store }: App, { binding }: Source, id: string) {
  return store.db.selectFrom('users').selectAll().where(binding, '=', id).executeTakeFirst()
}

/**
 * Not for an account at the third party that is younger than the one here: it has taken a name that was given up. An
 * older one may have done so too, so that administrators are known by more than a name.
 */
async function rebind(
  app: App,
  address: string,
  source: Source,
  { id, former }: Identity,
): Promise<Selectable<Users> | undefined> {
  const user = former && (await userBoundTo(app, source, former.id))
  if (!user || former.since > user.created_at) return undefined
  checkActive(user)
  if (user.role > roles.user) throw new AppError('oauth.bind-first', { provider: source.name })
  await app.store.change('users', async transaction => {
    const { numUpdatedRows } = await transaction
      .updateTable('users')
      .set({ [source.binding]: id })
      .where('id', '=', user.id)
      .where(source.binding, '=', former.id)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    const event: AuditEvent = {
      action: 'account.bind',
      subject: `user:${user.id}`,
      before: { [source.binding]: former.id },
      after: { [source.binding]: id },
    }
    await recordAudit(app, { caller: user, address }, event, transaction)
  })
  const bound = await userBoundTo(app, source, id)
  return bound && checkActive(bound)
}

/** Binds an account to the one who is logged in. */
export async function bindAccount(
  app: App,
  doer: Doer & { caller: Pick<Caller, 'id' | 'username'> },
  { binding, taken }: Source,
  { id }: Identity,
): Promise<void> {
  const userId = doer.caller.id
  await refuseClash(
    app.store.change('users', async transaction => {
      await transaction
        .updateTable('users')
        .set({ [binding]: id })
        .where('id', '=', userId)
        .execute()
      const event: AuditEvent = {
        action: 'account.bind',
        subject: `user:${userId}`,
        after: { [binding]: id },
      }
      await recordAudit(app, doer, event, transaction)
    }),
    taken,
  )
}

/** A new user for an account that nobody has brought before, if registration is open. */
export async function registerBound(
  app: App,
  address: string,
  source: Source,
  identity: Identity,
  affCode: string,
): Promise<Selectable<Users>> {
  if (!app.settings.get('RegisterEnabled')) throw new AppError('register.disabled')
  for (let attempt = 0; attempt < 5; attempt++) {
    const username = attempt === 0 ? await nextName(app, source) : randomName(source)
    if (await isNameTaken(app.store.db, username)) continue
    try {
      await create(app, address, source, { ...identity, username, affCode })
    } catch (error) {
      // Either the name is taken, or the same person came twice at once: then the first made the user.
      if (!(error instanceof UniqueViolation)) throw error
    }
    const user = await findBound(app, address, source, identity)
    if (user) return user
  }
  throw new AppError('user.name-taken')
}

async function create(
  app: App,
  address: string,
  { binding }: Source,
  { id, displayName, username, affCode }: Identity & { username: string; affCode: string },
): Promise<void> {
  const bound = { [binding]: id }
  const account = { username, passwordHash: '', displayName: tidyName(displayName), bound, affCode }
  await app.store.change('users', async transaction => {
    const userId = await createAccount(app, transaction, account)
    await giveFirstToken(app, transaction, { id: userId, username, group: 'default' })
    const event: AuditEvent = {
      action: 'account.register',
      subject: `user:${userId}`,
      after: { username, ...bound },
    }
    await recordAudit(app, { caller: { id: userId, username }, address }, event, transaction)
  })
}

async function nextName({ store }: App, { prefix }: Source): Promise<string> {
  const last = await store.db
    .selectFrom('users')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return `${prefix}_${(last?.id ?? 0) + 1}`
}

function randomName({ prefix }: Source): string {
  return `${prefix}_${randomBytes(4).toString('hex')}`
}

function tidyName(name: string): string {
  const visible = [...name.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim()]
  return visible.slice(0, LONGEST_DISPLAY_NAME).join('').slice(0, LONGEST_DISPLAY_NAME)
}
