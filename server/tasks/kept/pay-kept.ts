import { logTypes } from '../../../contract/log-types.ts'
import { hasComeBack, requestOf } from '../../ledger/lasting-hold.ts'
import type { LogRow } from '../../ledger/moves.ts'
import type { PriceSnapshot } from '../../ledger/price/price-snapshot.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { type OrderedLater, rowOfOrder } from '../row-of-order.ts'

/** What something costs, and what the log tells of it. */
interface Charge extends Pick<LogRow, 'cost'> {
  readonly quota: number
  readonly promptTokens: number
  readonly details: object
}

/**
 * The vendor has what was wanted: it is paid, at the price that it was held at. Whoever does so again finds the hold
 * closed: it closes once. False when it was given up before, and nobody pays for it.
 */
export async function payKept(
  parts: RelayParts,
  row: OrderedLater,
  chargeOf: (price: PriceSnapshot, costRatio: number | undefined) => Charge,
  details: object,
): Promise<boolean> {
  const hold = await parts.store.db
    .selectFrom('holds')
    .select('price')
    .where('id', '=', row.request_id)
    .executeTakeFirstOrThrow()
  const costRatio = parts.channels.byId(row.channel_id)?.setting.cost_ratio
  const charge = chargeOf(JSON.parse(hold.price) as PriceSnapshot, costRatio)
  const told = { ...charge.details, ...details }
  const charged = await parts.ledger.settle(requestOf(row), charge.quota, {
    ...(await rowOfOrder(parts, row, logTypes.consumption, '', told)),
    ...{ prompt_tokens: charge.promptTokens, cost: charge.cost },
    ...(parts.settings.get('LogConsumeEnabled') ? {} : { unwritten: true }),
  })
  // Somebody may have given it up in this very moment.
  return charged >= charge.quota || !(await hasComeBack(parts.store, row.request_id))
}

/** Nothing has come of it: what was held comes back, unless it has already. */
export async function giveBackKept(
  parts: RelayParts,
  row: OrderedLater,
  why: string,
  details: object,
): Promise<void> {
  await parts.ledger.release(requestOf(row), await rowOfOrder(parts, row, logTypes.error, why, details))
}
