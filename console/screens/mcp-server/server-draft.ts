import {
  type McpServerView,
  MOST_MCP_TIMEOUT,
  mcpServerName,
  type NewMcpServer,
} from '../../../contract/mcp.ts'
import { type WholeFault, wholeFault } from '../../ui/fields/whole-between.ts'

/** As typed. */
export interface ServerDraft {
  name: string
  note: string
  url: string
  headers: string
  dropHeaders: boolean
  proxy: string
  groups: string[]
  tools: string
  price: string
  toolPrices: string
  timeout: string
  enabled: boolean
}

export function draftOfServer(server: McpServerView | undefined): ServerDraft {
  return {
    name: server?.name ?? '',
    note: server?.note ?? '',
    url: server?.url ?? '',
    headers: '',
    dropHeaders: false,
    proxy: server?.proxy ?? '',
    groups: server?.groups ?? ['default'],
    tools: server?.tools.join('\n') ?? '',
    price: String(server?.price ?? 0),
    toolPrices: Object.entries(server?.tool_prices ?? {})
      .map(([tool, price]) => `${tool}: ${price}`)
      .join('\n'),
    timeout: String(server?.timeout ?? 60),
    enabled: server?.enabled ?? true,
  }
}

const linesOf = (text: string) => text.split('\n').flatMap(line => line.trim() || [])

const isWhole = (text: string, least: number, most: number) =>
  /^\d{1,15}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most

/** Undefined when a line is no header. */
export function readHeaders(text: string): Record<string, string> | undefined {
  const headers: Record<string, string> = {}
  for (const line of linesOf(text)) {
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+)\s*:\s*(.+)$/.exec(line) ?? []
    if (name === undefined || value === undefined) return undefined
    headers[name] = value
  }
  return headers
}

/** Undefined when a line is no tool with its price; a name may have colons in it. */
export function readToolPrices(text: string): Record<string, number> | undefined {
  const prices = new Map<string, number>()
  for (const line of linesOf(text)) {
    const [, tool, price = ''] = /^(.*\S)\s*[:：]\s*([\d,]+)$/.exec(line) ?? []
    const quota = price.replaceAll(',', '')
    if (tool === undefined || !isWhole(quota, 0, 1e15)) return undefined
    prices.set(tool, Number(quota))
  }
  return Object.fromEntries(prices)
}

type Fault =
  | 'nameWrong'
  | 'addressWrong'
  | 'headersWrong'
  | 'groupsMissing'
  | 'proxyHelp'
  | 'toolPricesWrong'
  | WholeFault

export function faultsOfServer(draft: ServerDraft) {
  const faults: Partial<Record<keyof ServerDraft, Fault>> = {}
  if (!mcpServerName.test(draft.name.trim())) faults.name = 'nameWrong'
  if (!/^https?:\/\/\S+$/i.test(draft.url.trim())) faults.url = 'addressWrong'
  if (readHeaders(draft.headers) === undefined) faults.headers = 'headersWrong'
  if (!/^(https?:\/\/\S+)?$/i.test(draft.proxy.trim())) faults.proxy = 'proxyHelp'
  if (draft.groups.length === 0) faults.groups = 'groupsMissing'
  const price = wholeFault(draft.price, 0, 1e15)
  if (price) faults.price = price
  if (readToolPrices(draft.toolPrices) === undefined) faults.toolPrices = 'toolPricesWrong'
  const timeout = wholeFault(draft.timeout, 1, MOST_MCP_TIMEOUT)
  if (timeout) faults.timeout = timeout
  return faults
}

/** Without headers where those that are stored are to stay. */
export function fieldsOfServer(draft: ServerDraft): Omit<NewMcpServer, 'headers'> & Partial<NewMcpServer> {
  const headers = readHeaders(draft.headers) ?? {}
  const isNew = Object.keys(headers).length > 0 || draft.dropHeaders
  return {
    name: draft.name.trim(),
    note: draft.note.trim(),
    url: draft.url.trim(),
    ...(isNew && { headers }),
    proxy: draft.proxy.trim(),
    groups: draft.groups,
    tools: linesOf(draft.tools),
    price: Number(draft.price),
    tool_prices: readToolPrices(draft.toolPrices) ?? {},
    timeout: Number(draft.timeout),
    enabled: draft.enabled,
  }
}
