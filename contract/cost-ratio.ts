const MOST = 1000

/** What share of the listed price a channel costs its operator: 0.35 is 35 % of it, 0 is nothing. Six decimals at most. */
export function isCostRatio(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MOST && Number(value.toFixed(6)) === value
}
