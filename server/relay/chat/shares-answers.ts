import { roles } from '../../../contract/users.ts'
import type { Stored } from '../../store/stored-responses.ts'
import type { Caller } from '../callers/caller.ts'
import type { RelayParts } from '../parts.ts'

/**
 * Whether a caller may see what its account got. In a team that is whose token it was made with, and the owners: the
 * same people who see the call in the log. What is older than such notes is the whole account's.
 */
export function sharesAnswers(
  parts: Pick<RelayParts, 'store'>,
  caller: Caller,
  { userId, tokenId }: Pick<Stored, 'userId' | 'tokenId'>,
): boolean | Promise<boolean> {
  if (userId !== caller.userId) return false
  if (caller.role !== roles.team || tokenId === 0 || tokenId === caller.tokenId) return true
  return isOfSame(parts, caller, tokenId)
}

async function isOfSame(parts: Pick<RelayParts, 'store'>, caller: Caller, tokenId: number): Promise<boolean> {
  const shared = await sharedTokens(parts, caller)
  return shared === undefined || shared.includes(tokenId)
}

/** The tokens of whose making a caller may see what its account keeps, 0 among them; undefined where that is all of it. */
export async function sharedTokens(
  { store: { db } }: Pick<RelayParts, 'store'>,
  { userId, tokenId: own, role }: Caller,
): Promise<readonly number[] | undefined> {
  if (role !== roles.team) return undefined
  const token = await db
    .selectFrom('tokens')
    .select('created_by')
    .where('id', '=', own)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!token) return [0]
  const { created_by: person } = token
  const member = await db
    .selectFrom('team_members')
    .select('role')
    .where('team_id', '=', userId)
    .where('user_id', '=', person)
    .executeTakeFirst()
  if (member?.role === 'owner') return undefined
  const theirs = await db
    .selectFrom('tokens')
    .select('id')
    .where('user_id', '=', userId)
    .where('created_by', '=', person)
    .execute()
  return [0, ...theirs.map(({ id }) => id)]
}
