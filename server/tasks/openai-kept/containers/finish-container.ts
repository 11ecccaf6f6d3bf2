import {
  type ContainerRow,
  containerStates,
  SESSION_SECONDS,
} from '../../../relay/openai-kept/container-rows.ts'
import type { RelayParts } from '../../../relay/parts.ts'
import { UpstreamFailure } from '../../../relay/upstream/upstream-failure.ts'
import { UniqueViolation } from '../../../store/store-error.ts'
import { giveBackKept, payKept } from '../../kept/pay-kept.ts'
import { chargeContainer } from './charge-container.ts'

/**
 * The vendor has it: its name is noted, it is paid, and then its owner may use it. Whoever dies in between leaves it for
 * the next, who finds the same, and the hold closed or not: it closes once. False when it was given up before.
 */
export async function finishContainer(parts: RelayParts, row: ContainerRow, id: string): Promise<boolean> {
  await noteId(parts, row, id)
  const { quotaPerUnit } = parts.prices()
  const isPaid = await payKept(
    parts,
    row,
    (price, costRatio) => chargeContainer(price, row, quotaPerUnit, costRatio),
    { container_id: id },
  )
  if (!isPaid) return false
  const { numUpdatedRows } = await parts.store.db
    .updateTable('openai_containers')
    .set({ state: containerStates.kept, paid_until: row.created_at + SESSION_SECONDS })
    .where('mark', '=', row.mark)
    .where('state', '=', containerStates.making)
    .executeTakeFirst()
  return numUpdatedRows > 0n || (await isKept(parts, row))
}

/** A name that another container has already is no answer: nobody pays for what they would never find. */
async function noteId({ store }: RelayParts, { mark }: ContainerRow, id: string): Promise<void> {
  try {
    await store.db
      .updateTable('openai_containers')
      .set({ id })
      .where('mark', '=', mark)
      .where('state', '=', containerStates.making)
      .execute()
  } catch (error) {
    if (error instanceof UniqueViolation) throw new UpstreamFailure({ without: 'empty' }, error)
    throw error
  }
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
  await giveBackKept(parts, row, why, {})
  await forgetContainer(parts, row)
}

export async function forgetContainer({ store }: RelayParts, { mark }: ContainerRow): Promise<void> {
  await store.db
    .deleteFrom('openai_containers')
    .where('mark', '=', mark)
    .where('state', '=', containerStates.making)
    .execute()
}
