import type { Channel } from './channel.ts'
import type { Random } from './draw-channel.ts'

/**
 * The usable channel of a tier that costs the operator least; of several, as often as their weights say. One whose cost
 * is not known comes after all of which it is, and one of weight 0 is for when no usable one has a weight.
 */
export function drawCheapest(
  tier: readonly Channel[],
  isUsable: (channel: Channel) => boolean,
  random: Random,
): Channel | undefined {
  let best: Channel | undefined
  let tied = 0
  for (const channel of tier) {
    const order = best ? compare(channel, best) : -1
    if (order > 0 || !isUsable(channel)) continue
    const weight = Math.max(channel.weight, 1)
    tied = order < 0 ? weight : tied + weight
    if (order < 0 || random() * tied < weight) best = channel
  }
  return best
}

/** Below 0 where the first comes before the other; all of a tier have the same listed price, so the shares of it tell. */
function compare(one: Channel, other: Channel): number {
  const isReserve = one.weight <= 0
  if (isReserve !== other.weight <= 0) return isReserve ? 1 : -1
  return costOf(one) - costOf(other)
}

function costOf({ setting }: Channel): number {
  return setting.cost_ratio ?? Number.MAX_VALUE
}
