import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** What single tools of an MCP server cost, where that is something else than its price. */
export async function mcpToolPrices(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { add, longText } = columnsFor(engine, db)
  await add('mcp_servers', 'tool_prices', longText, column => column)
}
