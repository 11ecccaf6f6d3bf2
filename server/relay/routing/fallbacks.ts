import { fallbackSwitch } from '../../../contract/model-calls.ts'
import type { SettingKey } from '../../../contract/settings/index.ts'
import { ANY_MODEL } from '../../../contract/settings/model-fallbacks.ts'
import type { Order } from '../order/order.ts'
import type { RelayParts } from '../parts.ts'
import { candidatesFor } from './groups-in-turn.ts'
import type { RefusedFor } from './refused-for.ts'

/** Why another model is looked for: nobody can serve the one that was asked for, or it will not take the request. */
export type Lack = 'unserved' | RefusedFor

const settingFor = {
  unserved: 'ModelFallbacks',
  'too-long': 'ContextWindowFallbacks',
  filtered: 'ContentPolicyFallbacks',
} as const satisfies Record<Lack, SettingKey>

export const lacks = Object.keys(settingFor) as readonly Lack[]

const none: readonly string[] = []

type Asking = Pick<Order, 'admitted' | 'asked' | 'failover'> & {
  readonly incoming: Pick<Order['incoming'], 'request'>
}

/**
 * The models that the caller, or else the operator, names in place of one that cannot be had, as far as this caller
 * can have them: its token may use them, its groups have channels for them, they have a price, and no rule for what is
 * asked and answered that the model asked for has not. What they fall back to themselves does not count. Who asks for a
 * channel by its number gets that or nothing.
 */
export function fallbacksFor(
  { settings, channels, guards, prices }: Pick<RelayParts, 'settings' | 'channels' | 'guards' | 'prices'>,
  { incoming, admitted, asked, failover }: Asking,
  lack: Lack,
  book = prices(),
): readonly string[] {
  const named = settings.get(settingFor[lack])
  const listed = failover?.models ?? (Object.hasOwn(named, asked) ? named[asked] : named[ANY_MODEL])
  if (!listed || admitted.pinned !== undefined || failover?.off) return none
  // A client that wants its own model or none says `off`.
  if (incoming.request.headers.get(fallbackSwitch.name)?.trim().toLowerCase() === 'off') return none
  const { models } = admitted.caller
  return listed.filter(
    model =>
      model !== asked &&
      (models?.has(model) ?? true) &&
      candidatesFor(channels, admitted, model).length > 0 &&
      book.findPrice(model) !== undefined &&
      // It was read by the rules for the model that was named: who names another must not get past those of this one.
      (guards.areIdle || guards.cover(admitted, asked, model)),
  )
}
