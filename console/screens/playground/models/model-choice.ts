import type { PricedModel } from '../../../../contract/pricing.ts'
import { answersChats } from '../../../clients/chat-models.ts'
import { DEFAULT_MODEL, type Settings } from '../ask/settings.ts'

export interface Offer {
  /** Every model that the reader may use, in some group. */
  readonly models: readonly string[]
  readonly prices: ReadonlyMap<string, PricedModel>
  /** Those that `auto` stands for. */
  readonly autoGroups: readonly string[]
}

/** The models of a group; a model without a price list is nobody's to hide. */
export function modelsOf({ models, prices, autoGroups }: Offer, group: string): string[] {
  const groups = group === 'auto' && autoGroups.length > 0 ? autoGroups : [group]
  return models.filter(model => prices.get(model)?.enable_groups.some(one => groups.includes(one)) ?? true)
}

/** The group that a call goes to: the chosen one while it may be used, else the reader's own, else any. */
export function chooseGroup(wanted: string, own: string, usable: readonly string[]): string {
  return [wanted, own].find(group => group !== '' && usable.includes(group)) ?? usable[0] ?? own
}

/** A reader who never chose a model gets one that there is, and that talks. */
export function withExistingModel(settings: Settings, offered: readonly string[]): Settings {
  const [only] = settings.models
  const isUntouched = settings.models.length === 1 && only === DEFAULT_MODEL
  const first = offered.find(answersChats) ?? offered[0]
  if (!isUntouched || first === undefined || offered.includes(DEFAULT_MODEL)) return settings
  return { ...settings, models: [first] }
}
