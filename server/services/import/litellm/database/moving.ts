import type { Transaction } from 'kysely'
import type { Store } from '../../../../store/index.ts'
import type { Schema } from '../../../../store/schema.ts'
import type { ImportReport } from '../../report.ts'

/** Where what LiteLLM's database holds comes to. */
export interface Moving {
  readonly store: Store
  readonly transaction: Transaction<Schema>
  readonly report: ImportReport
  /** Seconds since 1970. */
  readonly now: number
  /** What a dollar is here. */
  readonly unit: number
  /** What an account gets that might spend without end there. */
  readonly wallet: number
}
