import { scaleBand, scaleLinear } from '@visx/scale'

/** Pixels around the plot: figures stand to its left, times below. */
export const frame = { height: 280, left: 56, top: 12, bottom: 28 } as const

export interface ChartScales {
  /** Of the whole drawing. */
  readonly width: number
  /** For the plot itself. */
  readonly room: number
  /** The width of one bucket. */
  readonly step: number
  readonly y: ReturnType<typeof scaleLinear<number>>
  startOf(index: number): number
  middleOf(index: number): number
  /** The bucket at so many pixels from the left; it may lie outside. */
  indexAt(x: number): number
}

/** Where things stand in a chart of so many buckets, whose highest value is known. */
export function chartScales(width: number, buckets: number, highest: number): ChartScales {
  const { height, left, top, bottom } = frame
  const room = Math.max(width - left, 1)
  const domain = Array.from({ length: buckets }, (_, index) => index)
  const band = scaleBand({ domain, range: [left, left + room] })
  const step = band.bandwidth()
  const startOf = (index: number) => band(index) ?? 0
  return {
    width,
    room,
    step,
    y: scaleLinear<number>({ domain: [0, highest || 1], range: [height - bottom, top], nice: 4 }),
    startOf,
    middleOf: index => startOf(index) + step / 2,
    indexAt: x => Math.floor((x - left) / step),
  }
}
