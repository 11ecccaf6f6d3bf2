import { asText } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { editTopLevel } from '../../providers/kit/edits/edit-json.ts'
import { groupsBehind, mayUseGroup } from '../../store/user-groups.ts'
import type { RelayParts } from '../parts.ts'
import type { JsonBody } from '../request/read-body.ts'
import { type Admitted, checkToken } from './authorise.ts'
import { type Caller, holdsAddress } from './caller.ts'

/**
 * Whoever is logged in tries models out: no token, and a group of their choice if they may use it. For a team there is a
 * token, which may be limited like any other.
 */
export function admitToPlayground(
  parts: RelayParts,
  caller: Caller,
  { json }: JsonBody,
  address: string,
): Admitted {
  const { settings } = parts
  if (caller.tokenId > 0) checkToken(caller, parts.now())
  if (caller.addresses && !holdsAddress(caller.addresses, address)) throw new AppError('relay.ip-denied')
  const group = caller.tokenGroup || asText(json.group) || caller.userGroup
  const groups = groupsBehind(settings, caller.userGroup, group)
  const isUsable = groups ? groups.length > 0 : mayUseGroup(settings, caller.userGroup, group)
  if (!isUsable) throw new AppError('playground.group-denied', { group: group.slice(0, 64) })
  return { caller: { ...caller, tokenName: `playground-${group}` }, group, groups, pinned: undefined }
}

/** A console that has no limit to ask for sends the 0 that its field shows, which no vendor takes for a limit. */
export function withoutZeroLimit(body: JsonBody): JsonBody {
  if (body.json.max_tokens !== 0) return body
  const { max_tokens: _, ...json } = body.json
  return { text: editTopLevel(body.text, { max_tokens: undefined }), json }
}
