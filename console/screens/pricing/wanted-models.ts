import type { PricedModel } from '../../../contract/pricing.ts'
import { comparePrices, isPerCall } from '../../price-of.ts'
import type { PricingSearch } from './route.ts'

/** Those that are looked for: what the group can use comes first, then by price if that is wanted, then by name. */
export function wantedModels(
  models: readonly PricedModel[],
  text: string,
  group: string,
  { owner, billing, price, dearest }: PricingSearch,
): PricedModel[] {
  const isUsable = (model: PricedModel) => Number(model.enable_groups.includes(group))
  return models
    .filter(model => model.model_name.toLowerCase().includes(text))
    .filter(model => !owner || model.owner_by === owner)
    .filter(model => !billing || isPerCall(model) === (billing === 'calls'))
    .toSorted(
      (one, other) =>
        isUsable(other) - isUsable(one) ||
        (price ? comparePrices(one, other, price, dearest) : 0) ||
        one.model_name.localeCompare(other.model_name, 'en'),
    )
}

export function ownersOf(models: readonly PricedModel[]): string[] {
  const owners = new Set(models.map(({ owner_by }) => owner_by).filter(Boolean))
  return [...owners].toSorted((one, other) => one.localeCompare(other, 'en'))
}
