import { fold } from '../../server/ledger/closing/fold.ts'
import type { RunBatch } from '../../server/store/batch/batch.ts'
import { integer, text } from '../../server/store/batch/bulk.ts'
import { isUnavailable } from '../../server/store/store-error.ts'
import { checkBooks } from './check-invariants.ts'
import { Violation } from './must.ts'
import { type Scheduler, SimProcess } from './scheduler.ts'
import type { SimDatabase } from './sim-database.ts'
import type { SimTables } from './sim-tables.ts'

const MONTH = '2026-01'
/** After everything that was. */
const ENDS_AT = Number.MAX_SAFE_INTEGER

/** Begins to close the one month there is. */
export function beginClosing(tables: SimTables): void {
  const names = ['portions', 'calls', 'entries', 'user_amount', 'token_amount'].map(integer)
  tables.write([
    {
      ...{ kind: 'insert', table: 'closed_months', keys: 1 },
      columns: [text('month'), text('state'), text('digest'), ...names],
      rows: [[MONTH, 'closing', '', 0, 0, 0, 0, 0]],
    },
  ])
}

/** Folds portions until none is left, as one of several who each believe to be alone. */
export async function foldAll(scheduler: Scheduler, database: SimDatabase, name: string): Promise<void> {
  const { random } = scheduler
  const process = new SimProcess(name)
  const batch: RunBatch = database.batchOf(process)
  for (;;) {
    await scheduler.sleep(process, random.between(1, 30))
    const portion = Number(database.tables.get('closed_months', MONTH)?.portions)
    const calls = database.tables
      .rows('holds')
      .slice(0, random.between(1, 4))
      .map(hold => ({ id: String(hold.id), userId: Number(hold.user_id), tokenId: Number(hold.token_id) }))
    if (calls.length === 0) return
    // Time in which another one may be first.
    await scheduler.sleep(process, random.between(0, 10))
    await batch(fold, () => ({ month: MONTH, endsAt: ENDS_AT, portion, calls })).catch(error => {
      if (!isUnavailable(error)) throw error
    })
  }
}

/** All calls have become sums, each once. */
export function checkClosing(tables: SimTables, calls: number): void {
  checkBooks(tables)
  const month = tables.get('closed_months', MONTH)
  const left = tables.rows('ledger_entries').filter(({ kind }) => kind === 'charge').length
  if (month?.calls !== calls || left > 0)
    throw new Violation(`closing: ${month?.calls} of ${calls} calls were folded, ${left} charges are left`)
}
