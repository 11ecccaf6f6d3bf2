import type { Channel } from './channel.ts'
import { drawChannel, type Random } from './draw-channel.ts'

/** What is waited for: the first token of a stream, or a whole answer. */
export interface Timed {
  readonly model: string
  readonly stream: boolean
}

/**
 * Of two usable channels of a tier, drawn by their weights, the one whose first token is expected sooner: the best
 * of all would have everybody at its door before it is found to be slow. Their weights also say how many may wait
 * at each.
 */
export function drawFastest(
  tier: readonly Channel[],
  isUsable: (channel: Channel) => boolean,
  random: Random,
  { model, stream }: Timed,
  at: number,
): Channel | undefined {
  const one = drawChannel(tier, isUsable, random)
  if (!one || tier.length === 1) return one
  const other = drawChannel(tier, channel => channel !== one && isUsable(channel), random)
  if (!other || (one.weight > 0 && other.weight <= 0)) return one
  const mean = (weightOf(one) + weightOf(other)) / 2
  const expected = (channel: Channel): number =>
    channel.load.paceOf(model, stream)?.expected(at, weightOf(channel) / mean) ?? 0
  return expected(other) < expected(one) ? other : one
}

function weightOf({ weight }: Channel): number {
  return Math.max(weight, 1)
}
