import { breakdown, type PriceDetails } from '../../ledger/price/breakdown.ts'
import { listedCost } from '../../ledger/price/cost.ts'
import { type Amounts, type PriceSnapshot, usualPrice } from '../../ledger/price/price-snapshot.ts'
import type { Used, UsedOfModel } from './add-up-output.ts'
import type { ModelPrice } from './prices.ts'

/** What a batch comes to. Of several models, the details are each one's sum: no arithmetic would be that of all. */
export function chargeBatch(
  prices: readonly ModelPrice[],
  { models }: Used,
  costRatio: number | undefined,
): BatchCharge {
  const none: UsedOfModel = { answered: 0, usual: {}, long: {} }
  const each = prices.map(({ price }, at) => chargeModel(price, models[at] ?? none, costRatio))
  const [first] = each
  if (first && each.length === 1) return first
  const sum = (of: (charge: BatchCharge) => number): number => each.reduce((all, one) => all + of(one), 0)
  const areCosted = each.every(({ cost }) => cost !== undefined)
  return {
    quota: sum(({ quota }) => quota),
    cost: areCosted ? sum(({ cost = 0 }) => cost) : undefined,
    promptTokens: sum(({ promptTokens }) => promptTokens),
    completionTokens: sum(({ completionTokens }) => completionTokens),
    details: {
      batch_ratio: first?.details.batch_ratio,
      batch_requests: sum(({ details }) => details.batch_requests),
      batch_models: each.map(({ quota, promptTokens, completionTokens, details }, at) => ({
        model: prices[at]?.price.model,
        quota,
        requests: details.batch_requests,
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
      })),
    },
  }
}

interface BatchCharge {
  readonly quota: number
  /** What the operator pays, where that is known. */
  readonly cost: number | undefined
  readonly promptTokens: number
  readonly completionTokens: number
  readonly details: Partial<PriceDetails> & {
    readonly batch_requests: number
    readonly long_input_quota?: number
    readonly batch_models?: readonly object[]
  }
}

/** One sum, rounded once for each of its prices. */
function chargeModel(
  price: PriceSnapshot,
  { answered, usual, long }: UsedOfModel,
  costRatio: number | undefined,
): BatchCharge {
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
