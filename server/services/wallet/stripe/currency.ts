/** Which currencies of Stripe's do not count in hundredths, and which sums it takes of the rest. */

const WITHOUT_DECIMALS = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const WITH_THREE_DECIMALS = new Set('bhd jod kwd omr tnd'.split(' '))
/** Counted in hundredths as ever, though there are none any more. */
const WHOLE_IN_HUNDREDTHS = new Set(['isk', 'ugx'])

/** How many of its smallest unit make one. */
export function minorUnitsOf(currency: string): number {
  if (WITHOUT_DECIMALS.has(currency)) return 1
  return WITH_THREE_DECIMALS.has(currency) ? 1000 : 100
}

/** What a sum has to be a multiple of, in the smallest unit. */
export function stepOf(currency: string): number {
  if (WITH_THREE_DECIMALS.has(currency)) return 10
  return WHOLE_IN_HUNDREDTHS.has(currency) ? 100 : 1
}

/** A sum as a number that people read: `8.00`, `1200`. */
export function plainSum(money: number, currency: string): string {
  const units = minorUnitsOf(currency)
  return (money / units).toFixed(Math.round(Math.log10(units)))
}

export function sumText(money: number, currency: string): string {
  return `${plainSum(money, currency)} ${currency.toUpperCase()}`
}
