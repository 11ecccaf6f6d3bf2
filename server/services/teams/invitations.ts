import { type SqlBool, sql, type Transaction } from 'kysely'
import type { Endpoints } from '../../../contract/index.ts'
import { roles, userStatuses } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import type { Schema } from '../../store/schema.ts'
import { asEmail } from '../accounts/email-address.ts'
import type { App } from '../app.ts'
import { recordAudit } from '../audit-record.ts'
import type { CallOf } from '../call.ts'
import { refuseClash } from '../refuse-clash.ts'
import { readId } from '../row-id.ts'
import { limitAttempts } from '../throttle.ts'
import { findPerson, lockPerson, lockTeam, lockToManage, roleIn } from './load-team.ts'
import { addMember, MOST_MEMBERS } from './members.ts'

/** Of all that one person may invite, to whatever teams. */
const invitations = { most: 60, windowSeconds: 3600 }

/**
 * Asks somebody into a team. Whether anybody has the name or the address is not told: an invitation stands in the list
 * either way, and only whoever is meant can tell. What looks like an address is one: a name can be anything.
 */
export async function invite(app: App, call: CallOf<Endpoints['inviteToTeam']>): Promise<void> {
  const { caller, body } = call
  const id = readId(call.params)
  const { invitee, role } = body
  const email = asEmail(invitee)
  await limitAttempts(app, `invite:${caller.id}`, invitations, 'request.too-many')
  await refuseClash(
    app.store.transaction(async transaction => {
      await lockToManage(app, transaction, caller, id)
      const person = await findPerson(
        transaction,
        email === undefined ? { username: invitee } : { addresses: [invitee, email] },
      )
      const isMember = person !== undefined && (await roleIn(transaction, id, person.id)) !== undefined
      // Members are known by their names, but not by their addresses.
      if (isMember && person.username === invitee) throw new AppError('team.is-member')
      await refuseTooMany(transaction, id)
      await transaction
        .insertInto('team_invitations')
        .values({
          team_id: id,
          invitee,
          user_id: person && !isMember ? person.id : 0,
          role,
          invited_by: caller.id,
          invited_at: app.now(),
        })
        .execute()
      const after = { invitee, role }
      await recordAudit(app, call, { action: 'team.invite', subject: `team:${id}`, after }, transaction)
    }),
    'team.is-invited',
  )
}

async function refuseTooMany(transaction: Transaction<Schema>, teamId: number): Promise<void> {
  const { open } = await transaction
    .selectFrom('team_invitations')
    .select(row => row.fn.countAll<number>().as('open'))
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow()
  if (Number(open) >= MOST_MEMBERS) throw new AppError('team.too-many-members', { most: MOST_MEMBERS })
}

export async function withdraw(app: App, call: CallOf<Endpoints['withdrawInvitation']>): Promise<void> {
  const id = readId(call.params)
  const invitation = readId({ id: call.params.invitation ?? '' })
  await app.store.transaction(async transaction => {
    await lockToManage(app, transaction, call.caller, id)
    const found = await transaction
      .selectFrom('team_invitations')
      .select('invitee')
      .where('id', '=', invitation)
      .where('team_id', '=', id)
      .executeTakeFirst()
    if (!found) throw new AppError('row.not-found')
    await transaction.deleteFrom('team_invitations').where('id', '=', invitation).execute()
    const event = { action: 'team.withdraw', subject: `team:${id}`, before: { ...found } } as const
    await recordAudit(app, call, event, transaction)
  })
}

/** Once: of two calls at the same moment the second finds no invitation. */
export async function accept(app: App, call: CallOf<Endpoints['acceptInvitation']>): Promise<void> {
  const { caller } = call
  const id = readId(call.params)
  await app.store.transaction(async transaction => {
    await lockTeam(app, transaction, id)
    await lockPerson(app, transaction, caller)
    const { role, invited_by } = await takeInvitation(transaction, id, caller.id)
    await addMember(app, transaction, { teamId: id, userId: caller.id, role, addedBy: invited_by })
    const after = { username: caller.username, role }
    await recordAudit(app, call, { action: 'team.accept', subject: `team:${id}`, after }, transaction)
  })
}

export async function decline(app: App, call: CallOf<Endpoints['declineInvitation']>): Promise<void> {
  const { caller } = call
  const id = readId(call.params)
  await app.store.transaction(async transaction => {
    await lockTeam(app, transaction, id)
    await takeInvitation(transaction, id, caller.id)
    const before = { username: caller.username }
    await recordAudit(app, call, { action: 'team.decline', subject: `team:${id}`, before }, transaction)
  })
}

/** An administrator who is none any more lets nobody into the teams of others. */
export const mayStillInvite = sql<SqlBool>`(
  ${sql.ref('by.role')} >= ${sql.lit(roles.admin)} or exists (
    select 1 from team_members owner where owner.team_id = asked.team_id
      and owner.user_id = asked.invited_by and owner.role = 'owner'))`

/** By name and by address somebody may be asked twice: the latest counts, and none is left. Who is banned asks nobody. */
async function takeInvitation(transaction: Transaction<Schema>, teamId: number, userId: number) {
  const invitation = await transaction
    .selectFrom('team_invitations as asked')
    .innerJoin('users as by', 'by.id', 'asked.invited_by')
    .select(['asked.role', 'asked.invited_by'])
    .where('asked.team_id', '=', teamId)
    .where('asked.user_id', '=', userId)
    .where('by.status', '=', userStatuses.active)
    .where('by.deleted_at', 'is', null)
    .where(mayStillInvite)
    .orderBy('asked.id', 'desc')
    .executeTakeFirst()
  if (!invitation) throw new AppError('row.not-found')
  await transaction
    .deleteFrom('team_invitations')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .execute()
  return invitation
}
