import type { RowOfModel } from '../../ledger/moves.ts'
import { breakdown, type PriceDetails } from '../../ledger/price/breakdown.ts'
import { listedCost } from '../../ledger/price/cost.ts'
import {
  type Amounts,
  type PriceSnapshot,
  type Usage,
  usualPrice,
} from '../../ledger/price/price-snapshot.ts'
import { feeOfPictures } from '../../relay/order/picture-tokens.ts'
import type { Used, UsedOfModel } from './add-up-output.ts'
import type { ModelPrice } from './prices.ts'

/** What a batch comes to, by the models that have answered. Each has its own price, and its own line in the log. */
export function chargeBatch(
  prices: readonly ModelPrice[],
  { models }: Used,
  costRatio: number | undefined,
): ModelCharge[] {
  return prices.flatMap(({ price }, at) => {
    const used = models[at]
    return used && used.answered > 0 ? [chargeModel(price, used, costRatio)] : []
  })
}

type ModelCharge = Omit<RowOfModel, 'other'> & {
  readonly details: Partial<PriceDetails> & {
    readonly batch_requests: number
    readonly long_input_quota?: number
  }
}

/** One sum, rounded once for each of its prices. */
function chargeModel(
  price: PriceSnapshot,
  { answered, usual, long, pictureTokens = 0 }: UsedOfModel,
  costRatio: number | undefined,
): ModelCharge {
  const hasOwn = price.kind === 'ratio' && price.long !== undefined && (long.calls ?? 0) > 0
  const plain = usualPrice(price)
  const pictures = feeOfPictures(price, pictureTokens)
  const at: Usage = {
    ...(hasOwn ? usual : together(usual, long)),
    ...(pictures && { fees: [pictures] }),
  }
  const { quota, promptTokens, completionTokens, details } = breakdown(plain, at)
  const dear = hasOwn ? breakdown(price, long) : undefined
  const ofPart = (snapshot: PriceSnapshot, amounts: Usage): number | undefined =>
    costRatio === undefined ? undefined : listedCost(snapshot, amounts, costRatio)
  const first = ofPart(plain, at)
  const second = hasOwn ? ofPart(price, long) : 0
  return {
    quota: quota + (dear?.quota ?? 0),
    cost: first === undefined || second === undefined ? undefined : first + second,
    model_name: price.model,
    prompt_tokens: promptTokens + (dear?.promptTokens ?? 0),
    completion_tokens: completionTokens + (dear?.completionTokens ?? 0),
    details: { ...details, batch_requests: answered, ...(dear && { long_input_quota: dear.quota }) },
  }
}

function together(one: Amounts, other: Amounts): Amounts {
  const sum: Record<string, number> = { ...one }
  for (const [category, amount] of Object.entries(other)) sum[category] = (sum[category] ?? 0) + (amount ?? 0)
  return sum
}
