import type { Transaction } from 'kysely'
import { password as passwordRule } from '../../../contract/credentials.ts'
import type { Endpoints } from '../../../contract/index.ts'
import { logTypes } from '../../../contract/log-types.ts'
import { type ManagedUser, MOST_QUOTA } from '../../../contract/user-admin.ts'
import { roles } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import { setQuota } from '../../ledger/wallet-moves.ts'
import type { Schema } from '../../store/schema.ts'
import type { App } from '../app.ts'
import { type AuditEvent, recordAudit } from '../audit-record.ts'
import type { CallOf } from '../call.ts'
import { doOnce, type Once } from '../once.ts'
import { refuseClash } from '../refuse-clash.ts'
import { readId } from '../row-id.ts'
import { requireRecentProof } from '../sign-in/verify.ts'
import { checkTeamName } from '../teams/create-team.ts'
import { quotaText } from '../wallet/quota-text.ts'
import { checkUsername } from './check-username.ts'
import { createAccount } from './create-account.ts'
import { lockUser, outranks, type User } from './lock-user.ts'
import { forgetGuesses } from './login-guesses.ts'
import { checkDisplayName, endSessions, keptSession, retireAccount } from './own-account.ts'
import { hashPassword } from './passwords.ts'
import { checkCredentials } from './register.ts'
import { refuseTakenName, takeName } from './taken-name.ts'
import { viewManagedUser } from './user-view.ts'

export async function getUser(
  app: App,
  { caller, params }: CallOf<Endpoints['getUser']>,
): Promise<ManagedUser> {
  const user = await app.store.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', readId(params))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!user) throw new AppError('row.not-found')
  if (!outranks(caller, user)) throw new AppError('users.view-rank')
  return viewManagedUser(user)
}

/** Always an ordinary user: a role that is sent along is judged, not given. */
export async function createUser(app: App, call: CallOf<Endpoints['createUser']>): Promise<void> {
  const { caller, body } = call
  const { username, password } = body
  checkCredentials(username, password)
  const displayName = checkDisplayName(body.display_name)
  if (body.role >= caller.role) throw new AppError('users.create-rank')
  await refuseTakenName(app.store.db, username)
  const passwordHash = await hashPassword(password)
  await refuseClash(
    app.store.change('users', async transaction => {
      const id = await createAccount(app, transaction, { username, passwordHash, displayName })
      const after = { username, display_name: displayName || username }
      await recordAudit(app, call, { action: 'user.create', subject: `user:${id}`, after }, transaction)
    }),
    'user.name-taken',
  )
}

const limitNames = ['rpm', 'tpm', 'concurrency'] as const
type Edit = Partial<
  Pick<
    User,
    | 'username'
    | 'display_name'
    | 'group'
    | 'password_hash'
    | 'access_token_hash'
    | (typeof limitNames)[number]
  >
>

export async function editUser(app: App, call: CallOf<Endpoints['editUser']>): Promise<void> {
  const { caller, body } = call
  if (body.password !== '' && !passwordRule.safeParse(body.password).success)
    throw new AppError('user.password-length')
  // Otherwise this were the way round all that asks for the present one.
  if (body.password !== '' && body.id === caller.id) await requireRecentProof(app, call)
  const passwordHash = body.password === '' ? undefined : await hashPassword(body.password)
  const change = (once: Once<null>): Promise<null> =>
    app.store.change('users', async transaction => {
      await once.begin(transaction)
      const user = await lockUser(app, transaction, body.id)
      if (!user) throw new AppError('row.not-found')
      if (!outranks(caller, user)) throw new AppError('users.edit-rank')
      if (user.role === roles.team && passwordHash) throw new AppError('team.no-password')
      if (body.role >= caller.role && caller.role < roles.root) throw new AppError('users.raise-rank')
      const edit = { ...readEdit(app, user, body), ...(passwordHash && { password_hash: passwordHash }) }
      if (edit.username !== undefined) await takeName(app.store, transaction, edit.username, user.id)
      // Somebody else's password is set anew when it is forgotten or known to others.
      if (passwordHash && user.access_token_hash !== null && user.id !== caller.id)
        edit.access_token_hash = null
      if (Object.keys(edit).length > 0)
        await transaction.updateTable('users').set(edit).where('id', '=', user.id).execute()
      if (passwordHash)
        await endSessions(transaction, user.id, user.id === caller.id ? keptSession(app, call) : undefined)
      const quota = await editQuota(app, transaction, user, wantedQuota(body))
      await recordEdit(app, call, transaction, { user, edit, quota })
      await once.end(transaction, null)
      return null
    })
  await refuseClash(doOnce(app, call, 'user.edit', change), 'user.name-taken')
  if (passwordHash) await forgetGuesses(app, body.id)
}

/** What differs from the row as it is; blank names and groups mean "as before". */
function readEdit(app: App, user: User, body: CallOf<Endpoints['editUser']>['body']): Edit {
  const edit: Edit = {}
  if (body.username !== '' && body.username !== user.username) {
    if (user.role === roles.team) checkTeamName(body.username)
    else checkUsername(body.username)
    edit.username = body.username
  }
  if (body.display_name !== undefined && body.display_name !== user.display_name)
    edit.display_name = checkDisplayName(body.display_name)
  if (body.group !== '' && body.group !== user.group) {
    if (!Object.hasOwn(app.settings.get('GroupRatio'), body.group))
      throw new AppError('users.unknown-group', { group: body.group })
    edit.group = body.group
  }
  for (const name of limitNames)
    if (body[name] !== undefined && body[name] !== user[name]) edit[name] = body[name]
  return edit
}

interface QuotaEdit {
  readonly before: number
  readonly after: number
}

/** What is added counts from what the wallet holds then: spending goes on while a form is open. */
function wantedQuota({ quota, quota_change: change }: CallOf<Endpoints['editUser']>['body']) {
  return change === undefined ? quota : (former: number) => Math.min(Math.max(former + change, 0), MOST_QUOTA)
}

async function editQuota(
  app: App,
  transaction: Transaction<Schema>,
  { id: userId }: User,
  wanted: ReturnType<typeof wantedQuota>,
): Promise<QuotaEdit | undefined> {
  if (wanted === undefined) return undefined
  let edit = undefined as QuotaEdit | undefined
  const move = { userId, quota: wanted }
  await setQuota(transaction, app.store, app.now(), move, (before, after) => {
    edit = { before, after }
    return {
      type: logTypes.admin,
      content: `管理员将用户额度从 ${quotaText(app, before)}修改为 ${quotaText(app, after)}`,
    }
  })
  return edit
}

async function recordEdit(
  app: App,
  call: CallOf<Endpoints['editUser']>,
  transaction: Transaction<Schema>,
  { user, edit, quota }: { readonly user: User; readonly edit: Edit; readonly quota: QuotaEdit | undefined },
): Promise<void> {
  const fields = Object.keys(edit) as (keyof Edit)[]
  if (fields.length === 0 && !quota) return
  const former = Object.fromEntries(fields.map(field => [field, user[field]]))
  const event: AuditEvent = {
    action: 'user.edit',
    subject: `user:${user.id}`,
    before: { ...former, ...(quota && { quota: quota.before }) },
    after: { ...edit, ...(quota && { quota: quota.after }) },
  }
  await recordAudit(app, call, event, transaction)
}

export async function deleteUser(app: App, call: CallOf<Endpoints['deleteUser']>): Promise<void> {
  const id = readId(call.params)
  await app.store.change('users', async transaction => {
    const user = await lockUser(app, transaction, id)
    if (!user) throw new AppError('row.not-found')
    if (call.caller.role <= user.role) throw new AppError('users.delete-rank')
    await retireAccount(app, transaction, id)
    const before = { username: user.username }
    await recordAudit(app, call, { action: 'user.delete', subject: `user:${id}`, before }, transaction)
  })
}
