import type { Generated } from 'kysely'
import type { Seconds } from './column-types.ts'

export interface TeamMembers {
  /** The user that is the team: its wallet, tokens and log. */
  team_id: number
  user_id: number
  /** `owner` or `member`. */
  role: string
  /** Who invited or appointed them; 0 for an import. */
  added_by: number
  added_at: Seconds
}

export interface TeamInvitations {
  id: Generated<number>
  team_id: number
  /** The name or address as it was typed, which tells nobody whether someone has it. */
  invitee: string
  /** Who had it then; 0 for nobody. */
  user_id: number
  role: string
  invited_by: number
  invited_at: Seconds
}
