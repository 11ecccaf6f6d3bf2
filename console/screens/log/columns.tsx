import type { LogView } from '../../../contract/logs.ts'
import type { StatusDocument } from '../../../contract/system.ts'
import { formatQuota } from '../../quota.ts'
import type { Column } from '../../ui/table/column.ts'
import { figureColumns, outcomeColumns, subjectColumns } from './call-columns.tsx'
import { callerColumns } from './caller-columns.tsx'
import type { LogTranslate } from './cells.tsx'

export interface LogColumns {
  t: LogTranslate
  status: StatusDocument | undefined
  isAdmin: boolean
  /** Room for more than what a call cannot be read without. */
  isWide: boolean
  showUser(id: number): void
}

/** `admin`: nobody else is told it. */
export type LogColumn = Column<LogView> & { readonly admin?: true }

/** Exact to the unit: one of 500,000 to the dollar is six decimals. */
export function formatCharge(quota: number, status: StatusDocument | undefined): string {
  return status ? formatQuota(quota, status, 6) : ''
}

export function logColumns(log: LogColumns): Column<LogView>[] {
  const all = [...callerColumns(log), ...subjectColumns(log), ...figureColumns(log), ...outcomeColumns(log)]
  return all.filter(({ admin }) => log.isAdmin || !admin)
}

/** What is left out at first, for want of room: it is under the row too. */
export function hiddenAtFirst(isAdmin: boolean, isWide: boolean): string[] {
  // Which channels were tried is said with the one that served.
  if (isWide) return isAdmin ? ['labels', 'retry'] : ['labels']
  return isAdmin ? ['group', 'labels', 'retry', 'content'] : ['labels', 'content']
}
