import type { ErrorCode } from '../../../contract/errors.ts'
import {
  type Claim,
  isRefusal,
  type Limited,
  type Limits,
  type Refusal,
  readLimits,
} from '../../store/counters/counters.ts'
import type { Settings } from '../../store/settings-snapshot.ts'
import type { Admitted } from '../callers/authorise.ts'
import { noteRefusal } from '../order/note-refusal.ts'
import type { Order } from '../order/order.ts'
import type { RelayParts } from '../parts.ts'
import { Claims } from './claims.ts'
import { LimitReached } from './limit-reached.ts'

type Whose = 'token' | 'user' | 'group'

interface CallerLimit extends Limited {
  readonly whose: Whose
}

/** Asked of every call, so it makes nothing and waits for nobody. */
export function hasLimits({ settings }: Pick<RelayParts, 'settings'>, { caller, group }: Admitted): boolean {
  return (
    caller.tokenLimits !== undefined ||
    caller.userLimits !== undefined ||
    Object.hasOwn(settings.get('GroupLimits'), group)
  )
}

/** Counts an order against its caller's limits, or refuses it; the log has a row of that. */
export async function enterLimits(order: Order): Promise<void> {
  const { parts, incoming, admitted } = order
  try {
    const claim = await claimLimits(parts, admitted, order.estimatedTokens)
    if (!claim) return
    order.claims ??= new Claims()
    order.claims.addCaller(claim)
  } catch (error) {
    noteRefusal(parts, incoming, admitted, { model: order.asked, stream: order.stream }, error)
    throw error
  }
}

/** Token, user and group at once: a call that one of them refuses counts for none. */
export async function claimLimits(
  { store, settings }: Pick<RelayParts, 'store' | 'settings'>,
  admitted: Admitted,
  tokens: number,
): Promise<Claim | undefined> {
  const limited = limitsOf(settings, admitted)
  if (limited.length === 0) return undefined
  const taken = await store.counters.take(limited, tokens)
  if (!isRefusal(taken)) return taken
  throw asError(taken, limited[taken.index] ?? limited[0], admitted.group)
}

/** Counts an order against the limits of one of the groups that may serve it; undefined when it has none. */
export async function enterGroup(order: Order, group: string): Promise<Claim | Refusal | undefined> {
  const { store, settings } = order.parts
  const limits = limitsOfGroup(settings, group)
  if (!limits) return undefined
  const taken = await store.counters.take([{ name: groupName(group), limits }], order.estimatedTokens)
  if (isRefusal(taken)) return taken
  order.claims ??= new Claims()
  order.claims.add(taken)
  return taken
}

function groupName(group: string): string {
  return `group:${group}`
}

function limitsOfGroup(settings: Settings, group: string): Limits | undefined {
  const groups = settings.get('GroupLimits')
  const found = Object.hasOwn(groups, group) ? groups[group] : undefined
  return found && readLimits(found)
}

function limitsOf(settings: Settings, { caller, group }: Admitted): CallerLimit[] {
  const { tokenLimits, userLimits, tokenId, userId } = caller
  const groupLimits = limitsOfGroup(settings, group)
  const limited: CallerLimit[] = []
  if (tokenLimits) limited.push({ whose: 'token', name: `token:${tokenId}`, limits: tokenLimits })
  if (userLimits) limited.push({ whose: 'user', name: `user:${userId}`, limits: userLimits })
  if (groupLimits) limited.push({ whose: 'group', name: groupName(group), limits: groupLimits })
  return limited
}

const limitOf: Record<Refusal['kind'], keyof Limits> = {
  requests: 'rpm',
  tokens: 'tpm',
  concurrency: 'concurrency',
}

function asError({ kind, waitMs }: Refusal, at: CallerLimit | undefined, group: string): LimitReached {
  const { whose, limits }: Pick<CallerLimit, 'whose' | 'limits'> = at ?? { whose: 'token', limits: none }
  const limit = limits[limitOf[kind]]
  const code: ErrorCode = `limit.${whose}-${kind}`
  const figures = kind === 'concurrency' ? {} : { [kind]: { limit, left: 0, resetMs: waitMs } }
  return new LimitReached(code, { limit, group, retryAfter: secondsOf(waitMs) }, figures)
}

const none: Limits = { rpm: 0, tpm: 0, concurrency: 0 }

export function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}
