export interface Charge {
  readonly prompt: number
  readonly completion: number
  readonly completionRatio: number
  readonly modelRatio: number
  readonly groupRatio: number
  readonly quotaPerUnit: number
}

export function chargeInDollars(charge: Charge): number {
  const tokens = charge.prompt + charge.completion * charge.completionRatio
  return (tokens * charge.modelRatio * charge.groupRatio) / charge.quotaPerUnit
}

/** Two significant digits below a cent, so that small charges do not read as nothing. */
export function formatSmallDollars(dollars: number): string {
  if (dollars === 0 || Math.abs(dollars) >= 0.01) return `$${dollars.toFixed(2)}`
  return `$${dollars.toLocaleString('en-US', { maximumSignificantDigits: 2 })}`
}
