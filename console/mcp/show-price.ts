import type { UsableMcpServer } from '../../contract/mcp.ts'
import { type Display, formatQuota } from '../quota.ts'

/** Of one call; prices of tools are small. */
export function showCallPrice(price: number, display: Display | undefined, free: string): string {
  return price === 0 || !display ? free : formatQuota(price, display, 4)
}

/** What calls of a server cost: one price, or from the least to the most where its tools have their own. */
export function showPrices(
  { price, tool_prices }: Pick<UsableMcpServer, 'price' | 'tool_prices'>,
  display: Display | undefined,
  free: string,
): string {
  const all = [price, ...Object.values(tool_prices)]
  const ends = [...new Set([Math.min(...all), Math.max(...all)])]
  return ends.map(end => showCallPrice(end, display, free)).join(' – ')
}
