import type { Selectable, Transaction } from 'kysely'
import type { McpServerChange, NewMcpServer } from '../../../contract/mcp.ts'
import type { Store } from '../../store/index.ts'
import type { McpServers } from '../../store/mcp-schema.ts'
import type { Schema } from '../../store/schema.ts'
import { mcpHeadersPlace } from '../../store/sealed-places.ts'

export type McpServerRow = Selectable<McpServers>

interface Parts {
  readonly store: Pick<Store, 'engine' | 'cipher'>
  /** Seconds since 1970. */
  now(): number
}

type Headers = NewMcpServer['headers']
type Fields = Omit<NewMcpServer, 'headers'>

/** A server that is new, in a transaction of the caller's, who says that there is one. */
export async function writeServer(
  parts: Parts,
  transaction: Transaction<Schema>,
  { headers, ...fields }: NewMcpServer,
): Promise<McpServerRow> {
  const written = {
    ...columnsOf(fields),
    header_names: namesIn(headers),
    created_at: parts.now(),
    headers_sealed: '',
  } as Omit<McpServerRow, 'id'>
  const id = await insertServer(parts, transaction, written)
  const headers_sealed = sealHeaders(parts, id, headers)
  // What is sealed belongs to its row, which has a number only now.
  if (headers_sealed !== '')
    await transaction.updateTable('mcp_servers').set({ headers_sealed }).where('id', '=', id).execute()
  return { ...written, id, headers_sealed }
}

async function insertServer(
  { store }: Parts,
  transaction: Transaction<Schema>,
  row: Omit<McpServerRow, 'id'>,
): Promise<number> {
  const insert = transaction.insertInto('mcp_servers').values(row)
  if (store.engine === 'mysql') return Number((await insert.executeTakeFirstOrThrow()).insertId)
  return (await insert.returning('id').executeTakeFirstOrThrow()).id
}

export function columnsOf(fields: Partial<Fields> | Omit<McpServerChange, 'headers'>): Partial<McpServerRow> {
  const { groups, tools, tool_prices, enabled, ...rest } = fields
  const given = Object.entries(rest).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(given),
    ...(groups && { group: [...new Set(groups)].join(',') }),
    ...(tools && { tools: [...new Set(tools)].join('\n') }),
    ...(tool_prices && { tool_prices: writeToolPrices(tool_prices) }),
    ...(enabled !== undefined && { enabled: Number(enabled) }),
  }
}

/** In the order of their names, so that the same prices are the same text. */
function writeToolPrices(prices: NewMcpServer['tool_prices']): string | null {
  const entries = Object.entries(prices).sort(([one], [other]) => (one < other ? -1 : 1))
  return entries.length === 0 ? null : JSON.stringify(Object.fromEntries(entries))
}

export function namesIn(headers: Headers): string {
  return Object.keys(headers).join(',')
}

export function sealHeaders({ store }: Pick<Parts, 'store'>, id: number, headers: Headers): string {
  if (Object.keys(headers).length === 0) return ''
  return store.cipher.seal(mcpHeadersPlace(id), JSON.stringify(headers))
}
