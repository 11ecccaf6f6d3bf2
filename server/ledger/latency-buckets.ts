import { type Column, integer } from '../store/batch/bulk.ts'

/** Milliseconds where each bucket ends; the last one is open. Each is twice as wide as the one before. */
const FIRST = 100
const BUCKETS = 12
const LONGEST = FIRST * 2 ** (BUCKETS - 1)

/** `took_…` counts answers by how long they took, `first_…` by when their first content came. */
export const tookColumns = names('took')
export const firstColumns = names('first')
export const latencyColumns: readonly Column[] = [...tookColumns, ...firstColumns].map(integer)

function names(of: 'took' | 'first'): readonly string[] {
  return Array.from({ length: BUCKETS }, (_, at) => `${of}_${at}`)
}

/** Adds one answer to the counts of a key, which stand in the order of `latencyColumns`. */
export function countLatency(
  counts: number[],
  tookMs: number | undefined,
  firstMs: number | undefined,
): void {
  if (tookMs !== undefined) add(counts, bucketOf(tookMs))
  if (firstMs !== undefined) add(counts, BUCKETS + bucketOf(firstMs))
}

export const noLatencies = (): number[] => new Array<number>(2 * BUCKETS).fill(0)

function add(counts: number[], at: number): void {
  counts[at] = (counts[at] ?? 0) + 1
}

function bucketOf(ms: number): number {
  if (!(ms >= FIRST)) return 0
  return ms >= LONGEST / 2 ? BUCKETS - 1 : 32 - Math.clz32(Math.floor(ms / FIRST))
}

/** The time that this share of the answers stayed below, as nearly as the buckets tell; null when there were none. */
export function percentile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let left = total * share
  for (const [at, count] of counts.entries()) {
    if (count > 0 && left <= count) return Math.round(within(at, left / count))
    left -= count
  }
  return LONGEST
}

function within(bucket: number, part: number): number {
  if (bucket === 0) return FIRST * part
  return FIRST * 2 ** (bucket - 1 + part)
}
