import type { PlanFields, PlanView } from '../../../contract/plans.ts'

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

const isWhole = (text: string, least: number, most: number) =>
  /^-?\d{1,15}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most

export function faultsOfPlan(draft: PlanDraft) {
  const faults: Partial<Record<keyof PlanDraft, 'nameMissing' | 'inline.whole'>> = {}
  if (draft.title.trim() === '') faults.title = 'nameMissing'
  if (!isWhole(draft.price, 0, 1e15)) faults.price = 'inline.whole'
  if (!isWhole(draft.duration, 1, 3650)) faults.duration = 'inline.whole'
  if (!isWhole(draft.quota, 1, 1e15)) faults.quota = 'inline.whole'
  if (!isWhole(draft.fiveHourQuota, 0, 1e15)) faults.fiveHourQuota = 'inline.whole'
  if (!isWhole(draft.weekQuota, 0, 1e15)) faults.weekQuota = 'inline.whole'
  if (!isWhole(draft.mostEach, 0, 1e6)) faults.mostEach = 'inline.whole'
  if (!isWhole(draft.position, -1e6, 1e6)) faults.position = 'inline.whole'
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
