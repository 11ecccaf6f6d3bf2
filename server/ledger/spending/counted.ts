/** How a call counts in one limit of spending. */
export interface Counted {
  readonly limitId: number
  /** The end of the window that it counts in. */
  readonly window: number
  /** So much of it was counted in a window before, which is over. */
  readonly before: number
}

/** As it stands beside the hold. */
export function writeCounted(counted: readonly Counted[]): string {
  return JSON.stringify(counted.map(({ limitId, window, before }) => [limitId, window, before]))
}

export function readCounted(text: string): Counted[] {
  const rows = JSON.parse(text) as [number, number, number][]
  return rows.map(([limitId, window, before]) => ({ limitId, window, before }))
}

/** How much of an amount counts in its window. */
export function shareOf({ before }: Counted, amount: number): number {
  return Math.max(0, amount - before)
}
