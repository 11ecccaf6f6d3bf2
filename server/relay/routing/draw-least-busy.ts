import type { Channel } from './channel.ts'
import { drawQuickly, type Random } from './draw-channel.ts'

/**
 * The usable channel of a tier that has the fewest requests under way for its weight; of several, as often as their
 * weights say. One of weight 0 is for when no usable one has a weight.
 */
export function drawLeastBusy(
  tier: readonly Channel[],
  isUsable: (channel: Channel) => boolean,
  random: Random,
): Channel | undefined {
  // Nobody is less busy than who has nothing to do.
  const idle = drawQuickly(tier, channel => channel.load.underWay === 0 && isUsable(channel), random)
  if (idle) return idle
  let best: Channel | undefined
  let least = Number.POSITIVE_INFINITY
  let tied = 0
  for (const channel of tier) {
    const isReserve = channel.weight <= 0
    const displaces = best !== undefined && best.weight <= 0 && !isReserve
    if (best && best.weight > 0 && isReserve) continue
    const weight = isReserve ? 1 : channel.weight
    const load = channel.load.underWay / weight
    if ((load > least && !displaces) || !isUsable(channel)) continue
    if (load < least || displaces) {
      best = channel
      least = load
      tied = weight
      continue
    }
    tied += weight
    if (random() * tied < weight) best = channel
  }
  return best
}
