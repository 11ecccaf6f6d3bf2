import type { Transaction } from 'kysely'
import type { Endpoints } from '../../../contract/index.ts'
import { LONGEST_TEAM_NAME } from '../../../contract/teams.ts'
import { roles } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import type { Schema } from '../../store/schema.ts'
import { hasUnseen, isSpelledApart } from '../accounts/check-username.ts'
import { refuseTakenName, takeName } from '../accounts/taken-name.ts'
import type { App } from '../app.ts'
import { recordAudit } from '../audit-record.ts'
import type { Caller, CallOf } from '../call.ts'
import { refuseClash } from '../refuse-clash.ts'
import { readId } from '../row-id.ts'
import { newUser } from '../setup.ts'
import { findPerson, lockPerson, lockToManage } from './load-team.ts'

/** An account without a password, an address, gifts or a rank, and somebody who owns it. */
export async function createTeam(
  app: App,
  call: CallOf<Endpoints['createTeam']>,
): Promise<{ readonly id: number }> {
  const { caller, body } = call
  const name = checkTeamName(body.name)
  if (!mayCreate(app, caller)) throw new AppError('team.no-creation')
  await refuseTakenName(app.store.db, name)
  const id = await refuseClash(
    app.store.change('users', async transaction => {
      const owner = await ownerOf(app, transaction, caller, body.owner)
      await takeName(app.store, transaction, name)
      await transaction
        .insertInto('users')
        .values({ ...newUser(name, '', app.now()), role: roles.team })
        .execute()
      const made = await transaction
        .selectFrom('users')
        .select('id')
        .where('username', '=', name)
        .executeTakeFirstOrThrow()
      await transaction
        .insertInto('team_members')
        .values({
          team_id: made.id,
          user_id: owner.id,
          role: 'owner',
          added_by: caller.id,
          added_at: app.now(),
        })
        .execute()
      const after = { name, owner: owner.username }
      await recordAudit(app, call, { action: 'team.create', subject: `team:${made.id}`, after }, transaction)
      return made.id
    }),
    'user.name-taken',
  )
  return { id }
}

export function mayCreate({ settings }: App, { role }: Pick<Caller, 'role'>): boolean {
  return role >= roles.admin || settings.get('TeamCreationEnabled')
}

export function checkTeamName(name: string): string {
  if (name === '' || name.length > LONGEST_TEAM_NAME || hasUnseen(name) || isSpelledApart(name))
    throw new AppError('team.name', { most: LONGEST_TEAM_NAME })
  return name
}

/** Administrators may give it to somebody else. Others own a few at most, counted one call at a time. */
async function ownerOf(
  app: App,
  transaction: Transaction<Schema>,
  caller: Caller,
  named: string,
): Promise<{ readonly id: number; readonly username: string }> {
  if (caller.role >= roles.admin) {
    const isCaller = named === '' || named === caller.username
    const owner = isCaller ? caller : await findPerson(transaction, { username: named })
    return lockPerson(app, transaction, owner)
  }
  await lockPerson(app, transaction, caller)
  const most = app.settings.get('MostTeamsOwned')
  const { owned } = await transaction
    .selectFrom('team_members')
    .select(row => row.fn.countAll<number>().as('owned'))
    .where('user_id', '=', caller.id)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  if (Number(owned) >= most) throw new AppError('team.too-many', { most })
  return caller
}

export async function renameTeam(app: App, call: CallOf<Endpoints['renameTeam']>): Promise<void> {
  const id = readId(call.params)
  const name = checkTeamName(call.body.name)
  await refuseTakenName(app.store.db, name, id)
  await refuseClash(
    app.store.change('users', async transaction => {
      const team = await lockToManage(app, transaction, call.caller, id)
      if (team.username === name) return
      await takeName(app.store, transaction, name, id)
      await transaction
        .updateTable('users')
        .set({ username: name, display_name: name })
        .where('id', '=', id)
        .execute()
      const event = {
        action: 'team.rename',
        subject: `team:${id}`,
        before: { name: team.username },
        after: { name },
      } as const
      await recordAudit(app, call, event, transaction)
    }),
    'user.name-taken',
  )
}
