import { nameBucket, type Period } from './period.ts'

const HOUR = 3600
const WIDTH = 56
const hourSteps = [1, 2, 3, 4, 6, 12, 24]

export interface AxisLabel {
  readonly at: number
  readonly text: string
}

/** As many as have room. Hours are named at even distances from midnight, which itself shows its day. */
export function axisLabels(period: Pick<Period, 'buckets' | 'unit'>, width: number): AxisLabel[] {
  const { buckets, unit } = period
  const room = Math.max(1, Math.floor(width / WIDTH))
  const least = Math.max(1, Math.ceil(buckets.length / room))
  if (unit !== 'hour')
    return buckets.flatMap((bucket, at) => (at % least === 0 ? { at, text: nameBucket(bucket, period) } : []))
  const step = hourSteps.find(hours => hours >= least) ?? 24 * Math.ceil(least / 24)
  return buckets.flatMap((bucket, at) => {
    const offset = -new Date(bucket * 1000).getTimezoneOffset()
    const hours = Math.floor((bucket + offset * 60) / HOUR)
    if (hours % step !== 0) return []
    return { at, text: nameBucket(bucket, hours % 24 === 0 ? { unit: 'day' } : period) }
  })
}
