import type { TeamRole } from '../../../../../contract/teams.ts'
import type { ForeignRow } from '../../../../store/foreign-database.ts'
import { textOf } from '../../read-row.ts'
import { namesIn } from './allowed-models.ts'
import type { AccountImport } from './import-accounts.ts'
import type { Moving } from './moving.ts'

/** Makes members of those whom LiteLLM's teams name; of teams that came before, people here decide. */
export class MemberImport {
  readonly #moving: Moving
  readonly #accounts: AccountImport
  /** Ids here, of team and person. */
  readonly #members = new Set<string>()

  constructor(moving: Moving, accounts: AccountImport) {
    this.#moving = moving
    this.#accounts = accounts
  }

  async take(rows: readonly ForeignRow[]): Promise<void> {
    const { transaction, report, now } = this.#moving
    const members = rows.flatMap(row => this.#read(row))
    for (const { team_id, user_id } of members) this.#members.add(`${team_id} ${user_id}`)
    if (members.length === 0) return
    await transaction
      .insertInto('team_members')
      .values(members.map(member => ({ ...member, added_by: 0, added_at: now })))
      .execute()
    report.add('members of teams', members.length)
  }

  /** Whom a row of a team names, if they are of the team; 0 where it is nobody. */
  memberOf(teamId: number, row: ForeignRow): number {
    const user = this.#accounts.find('user', textOf(row, 'user_id'))
    return user && this.#members.has(`${teamId} ${user.id}`) ? user.id : 0
  }

  #read(row: ForeignRow): { team_id: number; user_id: number; role: TeamRole }[] {
    const id = textOf(row, 'team_id')
    const team = this.#accounts.find('team', id)
    if (!team || !this.#accounts.hasArrived('team', id)) return []
    const named = [...rolesIn(row.members_with_roles), ...namesIn(row.members).map(asMember)]
    const roles = new Map(namesIn(row.admins).map(user => [user, 'owner' as TeamRole]))
    for (const [user, role] of named) if (roles.get(user) !== 'owner') roles.set(user, role)
    const found = [...roles].flatMap(([user, role]) => {
      const account = this.#accounts.find('user', user)
      return account ? [{ team_id: team.id, user_id: account.id, role }] : []
    })
    this.#moving.report.tally(
      '{member of a team is no user there, and is|members of teams are no users there, and are} left out',
      roles.size - found.length,
    )
    if (!found.some(({ role }) => role === 'owner'))
      this.#moving.report.tally(
        '{team has no owner: an administrator can give it one|teams have no owner: an administrator can give them one}',
      )
    return found
  }
}

function asMember(user: string): [string, TeamRole] {
  return [user, 'member']
}

/** A list of users with what they are in the team; `admin` is who manages it. */
function rolesIn(value: unknown): [string, TeamRole][] {
  const list: unknown = typeof value === 'string' ? readJson(value) : value
  if (!Array.isArray(list)) return []
  return list.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return []
    const { user_id: user, role } = entry as { user_id?: unknown; role?: unknown }
    return typeof user === 'string' && user !== '' ? [[user, role === 'admin' ? 'owner' : 'member']] : []
  })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
