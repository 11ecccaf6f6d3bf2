import { logTypes } from '../../../../contract/log-types.ts'
import { hasComeBack, requestOf } from '../../../ledger/lasting-hold.ts'
import type { PriceSnapshot } from '../../../ledger/price/price-snapshot.ts'
import {
  type ContainerRow,
  containerStates,
  SESSION_SECONDS,
} from '../../../relay/openai-kept/container-rows.ts'
import type { RelayParts } from '../../../relay/parts.ts'
import { rowOfOrder } from '../../row-of-order.ts'
import { chargeContainer } from './charge-container.ts'

/**
 * The vendor has it: it is paid, and then its owner may use it. Whoever dies in between leaves it for the next, who finds
 * the same, and the hold closed or not: it closes once. False when it was given up before.
 */
export async function finishContainer(parts: RelayParts, row: ContainerRow, id: string): Promise<boolean> {
  const hold = await parts.store.db
    .selectFrom('holds')
    .select('price')
    .where('id', '=', row.request_id)
    .executeTakeFirstOrThrow()
  const price = JSON.parse(hold.price) as PriceSnapshot
  const { quotaPerUnit } = parts.prices()
  const costRatio = parts.channels.byId(row.channel_id)?.setting.cost_ratio
  const { quota, cost, details } = chargeContainer(price, row, quotaPerUnit, costRatio)
  const charged = await parts.ledger.settle(requestOf(row), quota, {
    ...(await rowOfOrder(parts, row, logTypes.consumption, '', { ...details, container_id: id })),
    cost,
    ...(parts.settings.get('LogConsumeEnabled') ? {} : { unwritten: true }),
  })
  // Somebody may have given it up in this very moment.
  if (charged < quota && (await hasComeBack(parts.store, row.request_id))) return false
  const { numUpdatedRows } = await parts.store.db
    .updateTable('openai_containers')
    .set({ id, state: containerStates.kept, paid_until: row.created_at + SESSION_SECONDS })
    .where('mark', '=', row.mark)
    .where('state', '=', containerStates.making)
    .executeTakeFirst()
  return numUpdatedRows > 0n || (await isKept(parts, row))
}

/** Whoever looks after it was faster than the answer of its vendor. */
async function isKept({ store }: RelayParts, { mark }: ContainerRow): Promise<boolean> {
  const kept = await store.db
    .selectFrom('openai_containers')
    .select('mark')
    .where('mark', '=', mark)
    .where('state', '=', containerStates.kept)
    .executeTakeFirst()
  return kept !== undefined
}

/** Nothing has come of it: what was held comes back, unless it has already. */
export async function giveUpContainer(parts: RelayParts, row: ContainerRow, why: string): Promise<void> {
  await parts.ledger.release(requestOf(row), await rowOfOrder(parts, row, logTypes.error, why, {}))
  await forgetContainer(parts, row)
}

export async function forgetContainer({ store }: RelayParts, { mark }: ContainerRow): Promise<void> {
  await store.db
    .deleteFrom('openai_containers')
    .where('mark', '=', mark)
    .where('state', '=', containerStates.making)
    .execute()
}
