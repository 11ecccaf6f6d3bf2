import type { LogRow } from './moves.ts'

interface Charged {
  readonly row: LogRow
  readonly charge: number
}

/**
 * Of what asked several models each has a row of its own: whoever counts or looks for one finds what was its. What was
 * charged is shared out as they came to, to the last quota, also where it was not all that they came to.
 */
export function rowsOfModels(charged: Charged): Charged[] {
  const { models, ...row } = charged.row
  if (!models || models.length === 0) return [charged]
  const whole = models.reduce((sum, { quota }) => sum + quota, 0)
  let [reached, given] = [0, 0]
  return models.map(({ quota, ...own }, at) => {
    reached += quota
    const upTo = at === models.length - 1 ? charged.charge : shareOf(charged.charge, reached, whole)
    const charge = upTo - given
    given = upTo
    return { row: { ...row, ...own }, charge }
  })
}

function shareOf(charge: number, part: number, whole: number): number {
  if (whole === 0) return 0
  return charge === whole ? part : Math.min(Math.floor((part / whole) * charge), charge)
}

/** Of the rest of a charge: what the whole of it cost is not the cost of the rest. */
export function withoutCost(row: LogRow): LogRow {
  const models = row.models?.map(model => ({ ...model, cost: undefined }))
  return { ...row, cost: undefined, ...(models && { models }) }
}
