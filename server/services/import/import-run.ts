import type { Transaction } from 'kysely'
import type { Store } from '../../store/index.ts'
import type { Schema } from '../../store/schema.ts'
import type { ImportReport } from './report.ts'

/** An import under way: where the rows of an older tool go, and what is known of those that have come. */
export interface ImportRun {
  readonly store: Pick<Store, 'cipher' | 'engine'>
  readonly transaction: Transaction<Schema>
  readonly report: ImportReport
  /** Seconds since 1970. */
  readonly now: number
  /** Ids of the users who have come. */
  readonly users: Set<number>
  /** What only one may have, by what it is. */
  readonly taken: Map<string, Set<string>>
  /** Instead of a super administrator's password that everybody knows. */
  readonly rootPassword: string | undefined
}

/** Whether nobody has it yet; from now on somebody does. */
export function isFirst({ taken }: Pick<ImportRun, 'taken'>, what: string, value: string): boolean {
  const others = taken.get(what) ?? new Set()
  taken.set(what, others)
  return others.size < others.add(value).size
}
