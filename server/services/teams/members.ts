import type { Transaction } from 'kysely'
import type { Endpoints } from '../../../contract/index.ts'
import { AppError } from '../../errors.ts'
import { memberOf, setLimits } from '../../ledger/spending/set-limits.ts'
import { lockedOn } from '../../store/lock-rows.ts'
import type { Schema } from '../../store/schema.ts'
import type { App } from '../app.ts'
import { recordAudit } from '../audit-record.ts'
import type { CallOf } from '../call.ts'
import { forgetWayOf } from '../notices/wishes.ts'
import { readId } from '../row-id.ts'
import { findPerson, lockPerson, lockTeam, lockToManage, roleIn } from './load-team.ts'
import { letGoOfTokens } from './team-tokens.ts'

export const MOST_MEMBERS = 500

interface NewMember {
  readonly teamId: number
  readonly userId: number
  readonly role: string
  readonly addedBy: number
}

/** The team is locked by then. */
export async function addMember(
  app: App,
  transaction: Transaction<Schema>,
  { teamId, userId, role, addedBy }: NewMember,
): Promise<void> {
  if ((await roleIn(transaction, teamId, userId)) !== undefined) throw new AppError('team.is-member')
  const { there } = await transaction
    .selectFrom('team_members')
    .select(row => row.fn.countAll<number>().as('there'))
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow()
  if (Number(there) >= MOST_MEMBERS) throw new AppError('team.too-many-members', { most: MOST_MEMBERS })
  await transaction
    .insertInto('team_members')
    .values({ team_id: teamId, user_id: userId, role, added_by: addedBy, added_at: app.now() })
    .execute()
}

/** Administrators know everybody, and need not ask. */
export async function appoint(app: App, call: CallOf<Endpoints['addTeamMember']>): Promise<void> {
  const { caller, body } = call
  const id = readId(call.params)
  await app.store.transaction(async transaction => {
    await lockTeam(app, transaction, id)
    const named = await findPerson(transaction, { username: body.username })
    const person = await lockPerson(app, transaction, named)
    const { role } = body
    await addMember(app, transaction, { teamId: id, userId: person.id, role, addedBy: caller.id })
    await transaction
      .deleteFrom('team_invitations')
      .where('team_id', '=', id)
      .where('user_id', '=', person.id)
      .execute()
    const after = { username: person.username, role }
    await recordAudit(app, call, { action: 'team.add-member', subject: `team:${id}`, after }, transaction)
  })
}

export async function changeMember(app: App, call: CallOf<Endpoints['changeTeamMember']>): Promise<void> {
  const id = readId(call.params)
  const member = readId({ id: call.params.member ?? '' })
  const { role } = call.body
  await app.store.transaction(async transaction => {
    await lockToManage(app, transaction, call.caller, id)
    const former = await roleIn(transaction, id, member)
    if (former === undefined) throw new AppError('row.not-found')
    if (former === role) return
    if (former === 'owner') await refuseLastOwner(app, transaction, id, member)
    await transaction
      .updateTable('team_members')
      .set({ role })
      .where('team_id', '=', id)
      .where('user_id', '=', member)
      .execute()
    if (former === 'owner') {
      await takeBackInvitations(transaction, { teamId: id, by: member })
      // Nor are they told any longer how the team is doing.
      await forgetWayOf(transaction, { teamId: id, by: member })
    }
    const before = { user_id: member, role: former }
    const event = { action: 'team.change-member', subject: `team:${id}`, before, after: { role } } as const
    await recordAudit(app, call, event, transaction)
  })
}

export async function removeMember(app: App, call: CallOf<Endpoints['removeTeamMember']>): Promise<void> {
  const { caller, query } = call
  const id = readId(call.params)
  const member = readId({ id: call.params.member ?? '' })
  await app.store.change('tokens', async transaction => {
    await lockToManage(app, transaction, caller, id)
    const former = await roleIn(transaction, id, member)
    if (former === undefined) throw new AppError('row.not-found')
    if (former === 'owner') await refuseLastOwner(app, transaction, id, member)
    const isKept = query.tokens === 'keep' && member !== caller.id
    const heir = isKept ? await heirOf(transaction, id, caller.id) : undefined
    await letGo(app, transaction, { teamId: id, by: member, role: former }, heir)
    const before = { user_id: member, role: former }
    const event = {
      action: 'team.remove-member',
      subject: `team:${id}`,
      before,
      after: { ...query },
    } as const
    await recordAudit(app, call, event, transaction)
  })
}

/** An administrator who is not in the team leaves them to the team itself, and so to its owners. */
async function heirOf(transaction: Transaction<Schema>, teamId: number, userId: number): Promise<number> {
  return (await roleIn(transaction, teamId, userId)) === undefined ? 0 : userId
}

export async function leave(app: App, call: CallOf<Endpoints['leaveTeam']>): Promise<void> {
  const { caller } = call
  const id = readId(call.params)
  await app.store.change('tokens', async transaction => {
    await lockTeam(app, transaction, id)
    const former = await roleIn(transaction, id, caller.id)
    if (former === undefined) throw new AppError('row.not-found')
    if (former === 'owner') await refuseLastOwner(app, transaction, id, caller.id)
    await letGo(app, transaction, { teamId: id, by: caller.id, role: former }, undefined)
    const before = { role: former }
    await recordAudit(app, call, { action: 'team.leave', subject: `team:${id}`, before }, transaction)
  })
}

/** First the membership, whose row is what a member's own changes wait for; then what these have left. */
async function letGo(
  app: App,
  transaction: Transaction<Schema>,
  made: Said & { readonly role: string },
  heir: number | undefined,
): Promise<void> {
  await transaction
    .deleteFrom('team_members')
    .where('team_id', '=', made.teamId)
    .where('user_id', '=', made.by)
    .execute()
  await takeBackInvitations(transaction, made)
  if (made.role === 'owner') await forgetWayOf(transaction, made)
  await letGoOfTokens(app.store, transaction, made, heir, app.now())
  // After the tokens, as the ledger goes: calls under way end as they began, and count nowhere any more.
  await setLimits(transaction, memberOf(made.teamId, made.by), [], app.now())
}

/** Who has said something in which team. */
interface Said {
  readonly teamId: number
  readonly by: number
}

/** Whoever may not invite any more lets nobody in either, by what they have sent before: it may have made owners. */
async function takeBackInvitations(transaction: Transaction<Schema>, said: Said): Promise<void> {
  await transaction
    .deleteFrom('team_invitations')
    .where('team_id', '=', said.teamId)
    .where('invited_by', '=', said.by)
    .execute()
}

/** The team is locked by then; what others did before that is seen, whatever this transaction has read already. */
async function refuseLastOwner(
  { store }: App,
  transaction: Transaction<Schema>,
  teamId: number,
  userId: number,
): Promise<void> {
  const other = await transaction
    .selectFrom('team_members')
    .select('user_id')
    .where('team_id', '=', teamId)
    .where('role', '=', 'owner')
    .where('user_id', '!=', userId)
    .$call(lockedOn(store.engine))
    .executeTakeFirst()
  if (!other) throw new AppError('team.last-owner')
}

/** The end of an account: of a person in their teams, or of a team for all of its people. */
export async function endMemberships(
  app: App,
  transaction: Transaction<Schema>,
  accountId: number,
): Promise<void> {
  const theirs = await transaction
    .selectFrom('team_members')
    .select(['team_id', 'role'])
    .where('user_id', '=', accountId)
    .execute()
  for (const { team_id: teamId, role } of theirs)
    await letGo(app, transaction, { teamId, by: accountId, role }, undefined)
  for (const table of ['team_members', 'team_invitations'] as const)
    await transaction
      .deleteFrom(table)
      .where(row => row.or([row('team_id', '=', accountId), row('user_id', '=', accountId)]))
      .execute()
}

/** Whoever deletes their own account leaves no team without an owner. */
export async function refuseOnlyOwner(
  app: App,
  transaction: Transaction<Schema>,
  userId: number,
): Promise<void> {
  const owned = await transaction
    .selectFrom('team_members')
    .innerJoin('users', 'users.id', 'team_members.team_id')
    .select(['users.id', 'users.username'])
    .where('team_members.user_id', '=', userId)
    .where('team_members.role', '=', 'owner')
    .where('users.deleted_at', 'is', null)
    .orderBy('users.id')
    .execute()
  for (const { id, username } of owned) {
    await lockTeam(app, transaction, id)
    await refuseLastOwner(app, transaction, id, userId).catch(error => {
      throw error instanceof AppError ? new AppError('team.own-deleted', { team: username }, error) : error
    })
  }
}
