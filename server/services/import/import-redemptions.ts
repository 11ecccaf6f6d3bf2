import { redemptionStatuses } from '../../../contract/redemptions.ts'
import type { ForeignRow } from '../../store/foreign-database.ts'
import { type ImportRun, isFirst } from './import-run.ts'
import { amountOf, clippedOf, deletedAt, idOf, integerOf, textOf } from './read-row.ts'

const LONGEST_KEY = 64
const LONGEST_NAME = 100
const statuses: readonly number[] = Object.values(redemptionStatuses)

/** Codes that nobody has used, as they are; used ones stay used. */
export async function importRedemptions(run: ImportRun, rows: readonly ForeignRow[]): Promise<void> {
  const { transaction, report, now } = run
  const came = rows.flatMap(row => {
    if (deletedAt(row) !== null) return []
    const id = idOf(row)
    const key = textOf(row, 'key')
    const quota = amountOf(row, 'quota')
    const status = integerOf(row, 'status')
    if (id <= 0 || key === '' || key.length > LONGEST_KEY || quota === undefined) {
      report.note(`redemption code ${id}: left out, for it has no code or no amount`)
      return []
    }
    if (!isFirst(run, 'redemption', key)) {
      report.note(`redemption code ${id}: left out, for it is there already`)
      return []
    }
    return {
      id,
      user_id: integerOf(row, 'user_id'),
      key,
      status: statuses.includes(status) ? status : redemptionStatuses.disabled,
      name: clippedOf(row, LONGEST_NAME, 'name'),
      quota,
      created_time: integerOf(row, 'created_time') || now,
      redeemed_time: Math.max(0, integerOf(row, 'redeemed_time')),
      used_user_id: Math.max(0, integerOf(row, 'used_user_id')),
      expired_time: Math.max(0, integerOf(row, 'expired_time')),
    }
  })
  if (came.length === 0) return
  await transaction.insertInto('redemptions').values(came).execute()
  report.add('redemption codes', came.length)
}
