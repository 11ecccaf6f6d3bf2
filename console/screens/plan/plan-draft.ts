import type { PlanFields, PlanView } from '../../../contract/plans.ts'
import { type WholeFault, wholeFault } from '../../ui/fields/whole-between.ts'

/** As typed. */
export interface PlanDraft {
  title: string
  note: string
  price: string
  duration: string
  unit: PlanView['duration_unit']
  period: PlanView['period']
  quota: string
  fiveHourQuota: string
  weekQuota: string
  group: string
  mostEach: string
  position: string
  onSale: boolean
}

export function draftOfPlan(plan: PlanView | undefined): PlanDraft {
  return {
    title: plan?.title ?? '',
    note: plan?.note ?? '',
    price: String(plan?.price ?? 5_000_000),
    duration: String(plan?.duration ?? 30),
    unit: plan?.duration_unit ?? 'day',
    period: plan?.period ?? 'day',
    quota: String(plan?.quota ?? 500_000),
    fiveHourQuota: String(plan?.five_hour_quota ?? 0),
    weekQuota: String(plan?.week_quota ?? 0),
    group: plan?.group ?? '',
    mostEach: String(plan?.most_each ?? 0),
    position: String(plan?.position ?? 0),
    onSale: plan?.on_sale ?? true,
  }
}

type Fault = WholeFault | { word: 'nameMissing'; values?: undefined }

export function faultsOfPlan(draft: PlanDraft) {
  const faults: Partial<Record<keyof PlanDraft, Fault>> = {}
  if (draft.title.trim() === '') faults.title = { word: 'nameMissing' }
  const check = (
    field: 'price' | 'duration' | 'quota' | 'fiveHourQuota' | 'weekQuota' | 'mostEach' | 'position',
    least: number,
    most: number,
  ) => {
    const fault = wholeFault(draft[field], least, most)
    if (fault) faults[field] = fault
  }
  check('price', 0, 1e15)
  check('duration', 1, 3650)
  check('quota', 1, 1e15)
  check('fiveHourQuota', 0, 1e15)
  check('weekQuota', 0, 1e15)
  check('mostEach', 0, 1e6)
  check('position', -1e6, 1e6)
  return faults
}

export function fieldsOfPlan(draft: PlanDraft): PlanFields {
  return {
    title: draft.title.trim(),
    note: draft.note.trim(),
    price: Number(draft.price),
    duration: Number(draft.duration),
    duration_unit: draft.unit,
    period: draft.period,
    quota: Number(draft.quota),
    five_hour_quota: Number(draft.fiveHourQuota),
    week_quota: Number(draft.weekQuota),
    group: draft.group,
    most_each: Number(draft.mostEach),
    position: Number(draft.position),
    on_sale: draft.onSale,
  }
}
