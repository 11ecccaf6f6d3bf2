import type { LogRow } from './moves.ts'

interface Charged {
  readonly row: LogRow
  readonly charge: number
}

/**
 * Of what asked several models each has a row of its own: whoever counts or looks for one finds what was its. Hardly any
 * does: the others stay as they are.
 */
export function rowsOfModels(charged: readonly Charged[]): readonly Charged[] {
  return charged.some(hasModels) ? charged.flatMap(one => (hasModels(one) ? shareOut(one) : one)) : charged
}

function hasModels({ row }: Charged): boolean {
  return row.models !== undefined && row.models.length > 0
}

/** As they came to, to the last quota, also where what was charged is not all that they came to. */
function shareOut(charged: Charged): Charged[] {
  const { models = [], ...row } = charged.row
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
