import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/**
 * Who belongs to which team, who is asked to, and who made which token of a team. A team itself is a user of the lowest
 * role; an invitation is no membership, and stands in a table of its own so that it cannot be taken for one.
 */
export async function teams(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { add, keyed, table, index, id, integer, text, required, zero } = columnsFor(engine, db)
  await keyed('team_members', rows =>
    rows
      .addColumn('team_id', integer, required)
      .addColumn('user_id', integer, required)
      .addColumn('role', text(10), required)
      .addColumn('added_by', integer, required)
      .addColumn('added_at', integer, required)
      .addPrimaryKeyConstraint('team_members_pk', ['team_id', 'user_id']),
  )
  await index('team_members_user', 'team_members', ['user_id'])
  await table('team_invitations', rows =>
    id(rows)
      .addColumn('team_id', integer, required)
      .addColumn('invitee', text(254), required)
      .addColumn('user_id', integer, zero)
      .addColumn('role', text(10), required)
      .addColumn('invited_by', integer, required)
      .addColumn('invited_at', integer, required),
  )
  await index('team_invitations_team', 'team_invitations', ['team_id', 'invitee'], 'unique')
  await index('team_invitations_user', 'team_invitations', ['user_id'])
  await add('tokens', 'created_by', integer, zero)
}
