export type TransferFault = 'number' | 'least' | 'most'

/** The amount as typed, in whole units: at least one quota unit, at most what there is. */
export function readTransfer(
  text: string,
  least: number,
  available: number,
): { amount: number; fault?: undefined } | { amount?: undefined; fault: TransferFault } {
  if (!/^\d{1,15}$/.test(text.trim())) return { fault: 'number' }
  const amount = Number(text)
  if (amount < least) return { fault: 'least' }
  return amount > available ? { fault: 'most' } : { amount }
}
