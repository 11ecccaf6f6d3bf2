import type { Channel } from './channel.ts'

export type Random = () => number

/** One of the usable channels of a tier. */
export type Draw = (
  tier: readonly Channel[],
  isUsable: (channel: Channel) => boolean,
  random: Random,
) => Channel | undefined

/** Draws by the running totals before every channel of the tier is looked at. */
const QUICK_DRAWS = 4

const runningTotals = new WeakMap<readonly Channel[], Float64Array>()

/**
 * A usable channel of a tier, as often as its weight says. One of weight 0 is drawn only when no usable one
 * has a weight. Most draws in a large tier cost a binary search: a draw that meets an unusable channel is
 * thrown away, which leaves the shares of the others as they are.
 */
export function drawChannel(
  tier: readonly Channel[],
  isUsable: (channel: Channel) => boolean,
  random: Random,
): Channel | undefined {
  const quick = drawQuickly(tier, isUsable, random)
  if (quick) return quick
  const usable = tier.filter(isUsable)
  return usable.length > 1 ? usable[pick(sumWeights(usable), random)] : usable[0]
}

/** The same for a large tier, as long as luck has it; undefined says nothing. */
export function drawQuickly(
  tier: readonly Channel[],
  isUsable: (channel: Channel) => boolean,
  random: Random,
): Channel | undefined {
  if (tier.length <= QUICK_DRAWS) return undefined
  const totals = totalsOf(tier)
  for (let draw = 0; draw < QUICK_DRAWS; draw++) {
    const channel = tier[pick(totals, random)]
    if (channel && isUsable(channel)) return channel
  }
  return undefined
}

function totalsOf(tier: readonly Channel[]): Float64Array {
  const totals = runningTotals.get(tier) ?? sumWeights(tier)
  runningTotals.set(tier, totals)
  return totals
}

function sumWeights(channels: readonly Channel[]): Float64Array {
  const totals = new Float64Array(channels.length)
  let sum = 0
  for (const [index, { weight }] of channels.entries()) {
    sum += Math.max(weight, 0)
    totals[index] = sum
  }
  return sum > 0 ? totals : totals.map((_, index) => index + 1)
}

/** The first index whose running total is above the drawn point. */
function pick(totals: Float64Array, random: Random): number {
  const point = random() * (totals[totals.length - 1] ?? 0)
  let [low, high] = [0, totals.length - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((totals[middle] ?? 0) > point) high = middle
    else low = middle + 1
  }
  return low
}
