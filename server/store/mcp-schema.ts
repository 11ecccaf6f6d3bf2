import type { Generated } from 'kysely'
import type { Flag, Quota, Seconds } from './column-types.ts'

/** A server of the Model Context Protocol, whose tools callers use through the gateway. */
export interface McpServers {
  id: Generated<number>
  /** Stands in addresses and before the names of its tools. */
  name: string
  note: string
  url: string
  /** Headers that prove the gateway to it, as a JSON object; sealed, and '' where there are none. */
  headers_sealed: string
  /** What those are called, by comma: this much may be shown. */
  header_names: string
  /** '' for none. */
  proxy: string
  /** Whose groups may use it, by comma. */
  group: string
  /** The tools that may be used, one to a line; '' for all. */
  tools: string
  /** Of each call of a tool, before the group's ratio. */
  price: Quota
  /** Of calls of single tools, in its place: a JSON object by their names; null where there are none. */
  tool_prices: string | null
  /** How long it may be silent, in seconds. */
  timeout: number
  enabled: Flag
  created_at: Seconds
}

export function readToolPrices(prices: McpServers['tool_prices']): Readonly<Record<string, number>> {
  return prices === null ? {} : JSON.parse(prices)
}
