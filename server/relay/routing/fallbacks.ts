import { ANY_MODEL } from '../../../contract/settings/model-fallbacks.ts'
import type { Admitted } from '../callers/authorise.ts'
import type { RelayParts } from '../parts.ts'
import { candidatesFor } from './groups-in-turn.ts'

/** A client that wants its own model or none says `off`. */
const SWITCH = 'x-tollgate-fallbacks'

const none: readonly string[] = []

/**
 * The models that the operator names in place of one that cannot be had, as far as this caller can have them: its
 * token may use them, its groups have channels for them, and they have a price. What they fall back to themselves
 * does not count. Who asks for a channel by its number gets that or nothing.
 */
export function fallbacksFor(
  { settings, channels, prices }: Pick<RelayParts, 'settings' | 'channels' | 'prices'>,
  request: Request,
  admitted: Admitted,
  asked: string,
  book = prices(),
): readonly string[] {
  const named = settings.get('ModelFallbacks')
  const listed = Object.hasOwn(named, asked) ? named[asked] : named[ANY_MODEL]
  if (!listed || admitted.pinned !== undefined) return none
  if (request.headers.get(SWITCH)?.trim().toLowerCase() === 'off') return none
  const { models } = admitted.caller
  return listed.filter(
    model =>
      model !== asked &&
      (models?.has(model) ?? true) &&
      candidatesFor(channels, admitted, model).length > 0 &&
      book.findPrice(model) !== undefined,
  )
}
