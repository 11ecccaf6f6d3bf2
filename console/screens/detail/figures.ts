import type { StatisticsRow } from '../../../contract/statistics.ts'
import type { StatusDocument } from '../../../contract/system.ts'
import { formatMilliseconds } from '../../format.ts'
import { shortNumber } from '../../quota.ts'
import { formatSmallDollars } from '../../ui/amounts/charge.ts'
import type { Measure } from './choices.ts'

export type Display = Pick<StatusDocument, 'quota_per_unit' | 'display_in_currency'>
export type Figures = Omit<StatisticsRow, 'time' | 'key' | 'name'>

export const noFigures: Figures = {
  requests: 0,
  errors: 0,
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  latency_p50: null,
  latency_p95: null,
  first_token_p50: null,
  first_token_p95: null,
}

/** These can be added up; of the others the sum says nothing. */
export function isAdditive(measure: Measure): boolean {
  return isMoney(measure) || measure === 'requests' || measure === 'tokens'
}

export function isMoney(measure: Measure): boolean {
  return measure === 'spend' || measure === 'cost' || measure === 'margin'
}

/** Of labelled calls nobody counts how long they took. */
export function isWait(measure: Measure): boolean {
  return !isAdditive(measure) && measure !== 'errors'
}

export function needsCosts(measure: Measure): boolean {
  return measure === 'cost' || measure === 'margin'
}

/** Only administrators are told, and only of channels whose cost they have said, and of kept answers. */
export function hasCosts({ cost = 0, costed_quota = 0 }: Figures): boolean {
  return cost > 0 || costed_quota > 0
}

/** What was charged at no known cost, or was given back. */
export function uncosted({ quota, costed_quota = 0 }: Figures): number {
  return quota - costed_quota
}

/** In what is shown: dollars or units, calls, tokens, a share, milliseconds. Null where there is nothing to tell. */
export function readFigure(row: Figures, measure: Measure, display: Display): number | null {
  if (isMoney(measure)) return inMoney(readQuota(row, measure), display)
  if (measure === 'requests') return row.requests
  if (measure === 'tokens') return row.prompt_tokens + row.completion_tokens
  if (measure === 'errors') return row.requests === 0 ? null : row.errors / row.requests
  if (measure === 'latency50') return row.latency_p50
  if (measure === 'latency95') return row.latency_p95
  return measure === 'first50' ? row.first_token_p50 : row.first_token_p95
}

/** What is left over is known only of what was charged at a known cost. */
function readQuota(row: Figures, measure: Measure): number | null {
  if (measure === 'spend') return row.quota
  if (!hasCosts(row)) return null
  const { cost = 0, costed_quota = 0 } = row
  return measure === 'cost' ? cost : costed_quota - cost
}

function inMoney(quota: number | null, { display_in_currency, quota_per_unit }: Display): number | null {
  return display_in_currency && quota !== null ? quota / quota_per_unit : quota
}

/** `digits` are those of a column, whose dollars stand below each other. */
export function showFigure(
  value: number | null,
  measure: Measure,
  display: Display,
  digits?: number,
): string {
  if (value === null) return '–'
  if (isMoney(measure)) return display.display_in_currency ? showDollars(value, digits) : shortNumber(value)
  if (measure === 'requests' || measure === 'tokens') return shortNumber(Math.round(value * 10) / 10)
  return measure === 'errors' ? showShare(value) : formatMilliseconds(value)
}

export function showDollars(dollars: number, digits = dollarDigits([dollars])): string {
  if (dollars < 0) return `-${showDollars(-dollars, digits)}`.replace('-<', '>-')
  if (dollars === 0) return '$0'
  if (dollars >= 10_000) return `$${shortNumber(dollars)}`
  const least = 10 ** -digits
  if (dollars < least) return `<$${least.toFixed(digits)}`
  return digits > 2 ? `$${dollars.toFixed(digits)}` : formatSmallDollars(dollars)
}

/** As many as the smallest needs, and the biggest has room for. */
export function dollarDigits(values: readonly (number | null)[]): number {
  const sizes = values.flatMap(value => Math.abs(value ?? 0) || [])
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)]
  if (least >= 1 || most >= 100) return 2
  return least >= 0.0001 || most >= 1 ? 4 : 6
}

export function showShare(share: number): string {
  const percent = share * 100
  if (percent === 0) return '0%'
  if (percent < 0.1) return '<0.1%'
  return `${percent.toFixed(percent < 99.95 ? 1 : 0)}%`
}

export interface Change {
  readonly direction: 'up' | 'down' | 'same'
  readonly text: string
}

/** Against the time before. Shares differ by points, everything else by its share. */
export function readChange(now: number | null, before: number | null, measure: Measure): Change | undefined {
  if (now === null || before === null || (before === 0 && measure !== 'errors')) return undefined
  const points = measure === 'errors'
  const change = (points ? now - before : (now - before) / before) * 100
  const rounded = Math.abs(change) >= 100 ? Math.round(change) : Math.round(change * 10) / 10
  const size = Math.abs(rounded)
  const amount = size > 999 ? '>999' : String(size)
  const direction = rounded === 0 ? 'same' : rounded > 0 ? 'up' : 'down'
  return { direction, text: points ? `${amount} pp` : `${amount}%` }
}

/** On an axis, where round numbers stand: without the zeros that would only line digits up. */
function showTick(value: number, measure: Measure, display: Display): string {
  if (value === 0) return '0'
  const text = showFigure(value, measure, display)
  return text.includes('.') ? text.replace(/\.?0+(?=\D*$)/, '') : text
}

/** The marks of one axis; dollars with as many digits each, so that they can be compared at a glance. */
export function showTicks(values: readonly number[], measure: Measure, display: Display): string[] {
  const texts = values.map(value => showTick(value, measure, display))
  if (!isMoney(measure) || !texts.some(text => /^-?\$\d*\.\d+$/.test(text))) return texts
  const digits = Math.max(2, ...texts.map(text => text.split('.')[1]?.length ?? 0))
  return values.map((value, at) =>
    value === 0 ? (texts[at] ?? '0') : `${value < 0 ? '-' : ''}$${Math.abs(value).toFixed(digits)}`,
  )
}
