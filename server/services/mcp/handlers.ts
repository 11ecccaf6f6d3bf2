import type { mcpEndpoints } from '../../../contract/mcp.ts'
import { AppError } from '../../errors.ts'
import { readToolPrices } from '../../store/mcp-schema.ts'
import type { McpTester } from '../../store/mcp-tester.ts'
import { splitList } from '../../store/split-list.ts'
import type { App } from '../app.ts'
import type { Caller, Handlers } from '../call.ts'
import { asList, countRows, readPage } from '../paging.ts'
import { readId } from '../row-id.ts'
import { usableGroups } from '../usable-groups.ts'
import { explainFailure } from './explain-failure.ts'
import { createServer, deleteServer, updateServer, viewServer } from './server-changes.ts'

export function mcpHandlers(app: App, tester: McpTester): Handlers<keyof typeof mcpEndpoints> {
  const { db } = app.store

  /** What this user's tokens can reach, in whichever of the groups they may be in. */
  async function usableBy({ group }: Pick<Caller, 'group'>) {
    const rows = await db
      .selectFrom('mcp_servers')
      .select(['id', 'name', 'note', 'price', 'tool_prices', 'group', 'tools'])
      .where('enabled', '=', 1)
      .orderBy('name')
      .execute()
    const mine = usableGroups(app.settings, group)
    return rows.flatMap(({ group: open, tools, tool_prices, ...row }) => {
      const groups = splitList(open).filter(one => Object.hasOwn(mine, one))
      if (groups.length === 0) return []
      const allowed = tools === '' ? undefined : new Set(tools.split('\n'))
      const prices = Object.entries(readToolPrices(tool_prices)).filter(
        ([name]) => allowed?.has(name) ?? true,
      )
      const group_ratio = Object.fromEntries(groups.map(one => [one, mine[one]?.ratio ?? 1]))
      return [{ ...row, groups, group_ratio, allowed, tool_prices: Object.fromEntries(prices) }]
    })
  }

  return {
    async listMcpServers({ query }) {
      const page = readPage(query)
      const rows = await db
        .selectFrom('mcp_servers')
        .selectAll()
        .orderBy('name')
        .limit(page.limit)
        .offset(page.offset)
        .execute()
      return asList(page, rows.map(viewServer), () => countRows(db.selectFrom('mcp_servers')))
    },
    async getMcpServer({ params }) {
      const row = await db
        .selectFrom('mcp_servers')
        .selectAll()
        .where('id', '=', readId(params))
        .executeTakeFirst()
      if (!row) throw new AppError('row.not-found')
      return viewServer(row)
    },
    createMcpServer: call => createServer(app, call),
    updateMcpServer: call => updateServer(app, call),
    deleteMcpServer: call => deleteServer(app, call),
    async testMcpServer({ params }) {
      const began = performance.now()
      const { tools, ...outcome } = await listTools(readId(params), explainFailure)
      const time = Math.round(performance.now() - began) / 1000
      return { ...outcome, tools: [...tools], time }
    },
    async usableMcpServers({ caller }) {
      const usable = await usableBy(caller)
      return usable.map(({ id: _, allowed: __, ...server }) => server)
    },
    async usableMcpTools({ caller, params }) {
      const server = (await usableBy(caller)).find(({ name }) => name === params.name)
      if (!server) throw new AppError('row.not-found')
      const { tools } = await listTools(server.id)
      return tools.filter(({ name }) => server.allowed?.has(name) ?? true)
    },
  }

  async function listTools(id: number, explain = (error: AppError) => error) {
    try {
      return await tester.listTools(id)
    } catch (error) {
      if (error instanceof AppError && error.code.startsWith('mcp.'))
        throw new AppError('mcp.test', { reason: explain(error) }, error)
      throw error
    }
  }
}
