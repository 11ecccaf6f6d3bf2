import type { SettingValue } from '../../../contract/settings/index.ts'
import type { Draw } from './draw-channel.ts'
import { drawCheapest } from './draw-cheapest.ts'
import { drawFastest, type Timed } from './draw-fastest.ts'
import { drawLeastBusy } from './draw-least-busy.ts'

export type ChannelChoice = SettingValue<'ChannelChoice'>

/** Undefined where it is by weight alone, of which nothing has to be known. */
export function drawBy(choice: ChannelChoice, timed: Timed): Draw | undefined {
  if (choice === 'least_busy') return drawLeastBusy
  if (choice === 'cheapest') return drawCheapest
  if (choice !== 'fastest') return undefined
  return (tier, isUsable, random) => drawFastest(tier, isUsable, random, timed, performance.now())
}
