import { breakdown } from '../../ledger/price/breakdown.ts'
import { listedCost } from '../../ledger/price/cost.ts'
import { type Amounts, type PriceSnapshot, usualPrice } from '../../ledger/price/price-snapshot.ts'
import type { Used } from './add-up-output.ts'

/** What a batch comes to: one sum, rounded once for each of its prices. */
export function chargeBatch(
  price: PriceSnapshot,
  { answered, usual, long }: Used,
  costRatio: number | undefined,
) {
  const hasOwn = price.kind === 'ratio' && price.long !== undefined && (long.calls ?? 0) > 0
  const plain = usualPrice(price)
  const at = hasOwn ? usual : together(usual, long)
  const { quota, promptTokens, completionTokens, details } = breakdown(plain, at)
  const dear = hasOwn ? breakdown(price, long) : undefined
  const ofPart = (snapshot: PriceSnapshot, amounts: Amounts): number | undefined =>
    costRatio === undefined ? undefined : listedCost(snapshot, amounts, costRatio)
  const first = ofPart(plain, at)
  const second = hasOwn ? ofPart(price, long) : 0
  return {
    quota: quota + (dear?.quota ?? 0),
    cost: first === undefined || second === undefined ? undefined : first + second,
    promptTokens: promptTokens + (dear?.promptTokens ?? 0),
    completionTokens: completionTokens + (dear?.completionTokens ?? 0),
    details: { ...details, batch_requests: answered, ...(dear && { long_input_quota: dear.quota }) },
  }
}

function together(one: Amounts, other: Amounts): Amounts {
  const sum: Record<string, number> = { ...one }
  for (const [category, amount] of Object.entries(other)) sum[category] = (sum[category] ?? 0) + (amount ?? 0)
  return sum
}
