import type { PlanView } from '../../contract/plans.ts'
import type { TranslateOf } from '../text.ts'
import type { planText } from './catalogue.ts'

export const periodWords = {
  none: 'period.none',
  day: 'period.day',
  week: 'period.week',
  month: 'period.month',
} as const satisfies Record<PlanView['period'], string>

export function durationText(
  t: TranslateOf<typeof planText>,
  { duration, duration_unit }: Pick<PlanView, 'duration' | 'duration_unit'>,
): string {
  return t(duration_unit, { count: duration })
}
