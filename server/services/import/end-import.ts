import type { Transaction } from 'kysely'
import type { Topic } from '../../store/bus/bus.ts'
import type { Schema } from '../../store/schema.ts'
import type { App } from '../app.ts'
import { recordAudit } from '../audit-record.ts'
import type { ImportReport } from './report.ts'

interface Ended {
  /** What it came from. */
  readonly subject: string
  /** What is another now. */
  readonly topics: readonly Topic[]
  readonly report: ImportReport
}

/**
 * The last that an import's transaction does. First the record of changes and then the revisions, as whoever manages
 * something meanwhile does: neither then waits for the other for ever, and an import could not be begun again.
 */
export async function endImport(
  parts: Pick<App, 'store' | 'now'>,
  transaction: Transaction<Schema>,
  { subject, topics, report }: Ended,
): Promise<void> {
  const after = Object.fromEntries(report.came)
  const nobody = { caller: undefined, address: '' }
  await recordAudit(parts, nobody, { action: 'import', subject, after }, transaction)
  for (const topic of topics) await parts.store.bus.mark(transaction, topic)
}
