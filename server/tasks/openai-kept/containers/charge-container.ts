import { breakdown } from '../../../ledger/price/breakdown.ts'
import { cost, listedCost } from '../../../ledger/price/cost.ts'
import type { PriceSnapshot, Usage } from '../../../ledger/price/price-snapshot.ts'
import type { ContainerRow } from '../../../relay/openai-kept/container-rows.ts'
import { CONTAINER } from '../../../relay/request/hosted-tools.ts'

type Sized = Pick<ContainerRow, 'gigabytes' | 'price'>

function usageOf({ gigabytes, price }: Sized, quotaPerUnit: number): Usage {
  const each = Number(price)
  if (each === 0) return { calls: 0 }
  return { calls: 0, fees: [{ name: CONTAINER, count: gigabytes, price: each, quotaPerUnit }] }
}

export function costOfContainer(price: PriceSnapshot, container: Sized, quotaPerUnit: number): number {
  return cost(price, usageOf(container, quotaPerUnit))
}

/** What goes into the log with it. */
export function chargeContainer(
  price: PriceSnapshot,
  container: Sized,
  quotaPerUnit: number,
  costRatio: number | undefined,
) {
  const usage = usageOf(container, quotaPerUnit)
  const own = costRatio === undefined ? undefined : listedCost(price, usage, costRatio)
  return { ...breakdown(price, usage), cost: own }
}
