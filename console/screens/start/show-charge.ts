import { formatQuota } from '../../quota.ts'

/** To the last unit, without the zeros after it: a first call costs a fraction of a cent. */
export function showCharge(quota: number, display: Parameters<typeof formatQuota>[1]): string {
  const text = formatQuota(quota, display, 6)
  return display.display_in_currency ? text.replace(/(\.\d\d\d*?)0+$/, '$1') : text
}
