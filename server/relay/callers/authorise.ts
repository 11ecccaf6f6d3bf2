import { roles, userStatuses } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import { tokenStates } from '../../ledger/moves.ts'
import type { GivenKey } from '../../store/given-key.ts'
import type { Settings } from '../../store/settings-snapshot.ts'
import { holdsAddress } from '../../store/token-addresses.ts'
import { groupsBehind, mayUseGroup } from '../../store/user-groups.ts'
import type { Caller } from './caller.ts'
import type { Callers } from './callers.ts'
import { findKey } from './find-key.ts'

/** A caller who has been let in, with what this one request may use. */
export interface Admitted {
  readonly caller: Caller
  readonly group: string
  /** Those that stand behind it, if any do: the first that can serves the request, and is paid. */
  readonly groups: readonly string[] | undefined
  /** The channel an administrator asked for. */
  readonly pinned: number | undefined
}

interface Parts {
  readonly callers: Callers
  readonly settings: Settings
  now(): number
}

/** Who calls, by the key in the request, or the refusal in the words that the clients of this family know. */
export function admit(parts: Parts, request: Request, address: () => string): Admitted | Promise<Admitted> {
  const given = findKey(request)
  if (!given) throw new AppError('relay.no-key')
  const found = parts.callers.find(given)
  if (found instanceof Promise) return found.then(caller => check(parts, caller, given, address))
  return check(parts, found, given, address)
}

/**
 * The same for who looks after what was paid for, or is set aside. That a token is used up is no reason to keep that
 * from its owner: it may have been used up by that.
 */
export async function admitToLook(parts: Parts, request: Request, address: () => string): Promise<Admitted> {
  const given = findKey(request)
  if (!given) throw new AppError('relay.no-key')
  return check(parts, asUnspent(await parts.callers.find(given)), given, address)
}

/**
 * What a request of now would be told, for one that was let in earlier and still goes on: why it would be refused,
 * or who it comes from. That a token is used up is no reason: what goes on has its own money set aside.
 */
export async function admitAgain(
  parts: Parts,
  { request, address }: { readonly request: Request; readonly address: string },
  model: string,
): Promise<Admitted | AppError> {
  const given = findKey(request)
  const caller = asUnspent(given && (await parts.callers.find(given)))
  try {
    const admitted = check(parts, caller, given ?? NO_KEY, () => address)
    allowModel(admitted.caller, model)
    return admitted
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

function asUnspent(caller: Caller | undefined): Caller | undefined {
  const isSpent = caller?.tokenStatus === tokenStates.exhausted
  return isSpent ? { ...caller, tokenStatus: tokenStates.enabled } : caller
}

const NO_KEY: GivenKey = { whole: '', key: '', channelId: undefined }

function check(parts: Parts, caller: Caller | undefined, given: GivenKey, address: () => string): Admitted {
  if (!caller) throw new AppError('relay.bad-key')
  checkToken(caller, parts.now())
  if (caller.userStatus !== userStatuses.active) throw new AppError('relay.user-banned')
  if (caller.addresses && !holdsAddress(caller.addresses, address())) throw new AppError('relay.ip-denied')
  // Without a group of its own a token is in the user's.
  const group = caller.tokenGroup || caller.userGroup
  const groups = groupsBehind(parts.settings, caller.userGroup, group)
  const isUsable = groups ? groups.length > 0 : mayUseGroup(parts.settings, caller.userGroup, group)
  if (!isUsable) throw new AppError('relay.group-denied', { group })
  return { caller, group, groups, pinned: pinnedChannel(caller, given) }
}

export function checkToken({ tokenStatus, expiresAt }: Caller, now: number): void {
  if (tokenStatus === tokenStates.exhausted) throw new AppError('token.exhausted')
  if (tokenStatus === tokenStates.expired) throw new AppError('token.expired')
  if (tokenStatus !== tokenStates.enabled) throw new AppError('token.unavailable')
  if (expiresAt !== -1 && expiresAt <= now) throw new AppError('token.expired')
}

function pinnedChannel({ role, hasMoved }: Caller, { channelId }: GivenKey): number | undefined {
  if (channelId === undefined || hasMoved) return undefined
  if (role < roles.admin) throw new AppError('relay.pin-denied')
  if (Number.isNaN(channelId)) throw new AppError('relay.bad-channel')
  return channelId
}

export function allowModel({ models }: Caller, model: string): void {
  if (models && !models.has(model)) throw new AppError('relay.model-denied', { model: model.slice(0, 200) })
}
