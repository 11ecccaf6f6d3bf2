import { asText } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { editTopLevel } from '../../providers/kit/edits/edit-json.ts'
import { holdsAddress } from '../../store/token-addresses.ts'
import { groupsBehind, mayUseGroup } from '../../store/user-groups.ts'
import type { RelayParts } from '../parts.ts'
import { type JsonBody, readJson } from '../request/read-body.ts'
import { type Admitted, checkToken } from './authorise.ts'
import type { Caller } from './caller.ts'

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

/** Consoles of this family say 0 for what was left to the model, which vendors would refuse or take at its word. */
export function withoutUnset(body: JsonBody): JsonBody {
  const { temperature, max_tokens } = body.json
  if (temperature !== 0 && max_tokens !== 0) return body
  const edits = {
    ...(temperature === 0 ? { temperature: undefined } : {}),
    ...(max_tokens === 0 ? { max_tokens: undefined } : {}),
  }
  return readJson(editTopLevel(body.text, edits))
}
