import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** Servers of the Model Context Protocol whose tools callers may use. */
export async function mcpServers(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, index, id, integer, flag, text, longText, required, zero, blank } = columnsFor(engine, db)
  await table('mcp_servers', rows =>
    id(rows)
      .addColumn('name', text(32), required)
      .addColumn('note', text(500), blank)
      .addColumn('url', text(2000), required)
      .addColumn('headers_sealed', longText, required)
      .addColumn('header_names', text(2000), blank)
      .addColumn('proxy', text(500), blank)
      .addColumn('group', text(2000), required)
      .addColumn('tools', longText, required)
      .addColumn('price', integer, zero)
      .addColumn('timeout', integer, required)
      .addColumn('enabled', flag, required)
      .addColumn('created_at', integer, required),
  )
  await index('mcp_servers_name', 'mcp_servers', ['name'], 'unique')
}
