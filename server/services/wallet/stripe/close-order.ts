import { topUpStatuses } from '../../../../contract/wallet.ts'
import type { App } from '../../app.ts'

/** Gives an order up that waits to be paid by card; one that was paid stays so. */
export async function closeOrder(
  { store }: App,
  tradeNo: string,
  status: typeof topUpStatuses.expired | typeof topUpStatuses.failed,
): Promise<void> {
  await store.db
    .updateTable('top_ups')
    .set({ status })
    .where('trade_no', '=', tradeNo)
    .where('payment_method', '=', 'stripe')
    .where('status', '=', topUpStatuses.pending)
    .execute()
}
