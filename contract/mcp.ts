import * as z from 'zod/mini'
import { lineText } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { isHeaderValue, parseHeaderName } from './override/headers.ts'
import { listOf, pageQuery } from './paging.ts'
import { quotaAmount } from './tokens.ts'

const BODY = 256 * 1024
export const MOST_MCP_TIMEOUT = 3600

/** Stands in addresses and before the names of tools, so it has nothing in it that either could not have. */
export const mcpServerName = /^[a-z][a-z0-9-]{0,31}$/

/** What the protocol writes by itself, and what belongs to the connection. */
const ownHeaders = /^(mcp-|accept|content-|last-event-id$)/

/** In quota, by the name of a tool; for that the server's own price does not count. */
const toolPrices = z.record(z.string(), z.int())

/** Of the headers only their names: what they say never leaves the server. `price` is of one call, in quota. */
const mcpServerView = z.object({
  id: z.int(),
  name: z.string(),
  note: z.string(),
  url: z.string(),
  header_names: z.array(z.string()),
  proxy: z.string(),
  groups: z.array(z.string()),
  tools: z.array(z.string()),
  price: z.int(),
  tool_prices: toolPrices,
  timeout: z.int(),
  enabled: z.boolean(),
  created_at: z.int(),
})
export type McpServerView = z.output<typeof mcpServerView>

const address = z.string().check(z.trim(), z.minLength(1), z.maxLength(2000), z.regex(/^https?:\/\/[^\s]+$/i))
const proxy = z.string().check(z.trim(), z.maxLength(500), z.regex(/^(https?:\/\/[^\s]+)?$/i))
const names = (most: number) => z.array(lineText(128).check(z.minLength(1))).check(z.maxLength(most))
const groupNames = z
  .array(lineText(64).check(z.minLength(1), z.regex(/^[^,]+$/)))
  .check(z.minLength(1), z.maxLength(30))
const headers = z.record(z.string(), z.string()).check(
  z.refine(given => Object.keys(given).length <= 20),
  z.refine(given =>
    Object.entries(given).every(([name, value]) => {
      const lower = parseHeaderName(name)
      return lower !== undefined && !ownHeaders.test(lower) && isHeaderValue(value)
    }),
  ),
)
/** Tools come and go at their server: their prices are kept, whether it has them now or not. */
const givenToolPrices = z
  .record(lineText(128).check(z.minLength(1)), quotaAmount)
  .check(z.refine(given => Object.keys(given).length <= 500))
const timeout = z.int().check(z.gte(1), z.lte(MOST_MCP_TIMEOUT))

const newServer = z.object({
  name: z.string().check(z.trim(), z.regex(mcpServerName)),
  note: z._default(lineText(300), ''),
  url: address,
  headers: z._default(headers, {}),
  proxy: z._default(proxy, ''),
  groups: groupNames,
  tools: z._default(names(500), []),
  price: z._default(quotaAmount, 0),
  tool_prices: z._default(givenToolPrices, {}),
  timeout: z._default(timeout, 60),
  enabled: z._default(z.boolean(), true),
})
export type NewMcpServer = z.output<typeof newServer>

/** What is left out stays as it is; given `headers` or `tool_prices` take the place of all that there are. */
const serverChange = z.object({
  name: z.optional(newServer.shape.name),
  note: z.optional(lineText(300)),
  url: z.optional(address),
  headers: z.optional(headers),
  proxy: z.optional(proxy),
  groups: z.optional(groupNames),
  tools: z.optional(names(500)),
  price: z.optional(quotaAmount),
  tool_prices: z.optional(givenToolPrices),
  timeout: z.optional(timeout),
  enabled: z.optional(z.boolean()),
})
export type McpServerChange = z.output<typeof serverChange>

/** `price` is of one call of it, in quota and before the ratio of the group. */
const tool = z.object({ name: z.string(), description: z.string(), price: z.int() })
export type McpTool = z.output<typeof tool>

/**
 * `price` is of one call, in quota and before the ratio of the group, and so are those of single tools, which count in
 * its place; `groups` are those of yours that have it, and `group_ratio` what you pay in each.
 */
const usableServer = z.object({
  name: z.string(),
  note: z.string(),
  price: z.int(),
  tool_prices: toolPrices,
  groups: z.array(z.string()),
  group_ratio: z.record(z.string(), z.number()),
})
export type UsableMcpServer = z.output<typeof usableServer>

export const mcpEndpoints = {
  listMcpServers: endpoint({
    method: 'GET',
    path: '/api/mcp_server',
    access: 'admin',
    summary: {
      zh: '所有 MCP 服务；请求头只列出名称',
      en: 'All MCP servers; of their headers only the names',
    },
    query: z.object(pageQuery),
    output: listOf(mcpServerView),
  }),
  getMcpServer: endpoint({
    method: 'GET',
    path: '/api/mcp_server/:id',
    access: 'admin',
    summary: { zh: '一个 MCP 服务', en: 'One MCP server' },
    output: mcpServerView,
  }),
  createMcpServer: endpoint({
    method: 'POST',
    path: '/api/mcp_server',
    access: 'admin',
    bodyLimit: BODY,
    summary: {
      zh: '添加 MCP 服务（Streamable HTTP）：headers 加密保存；tools 为空时开放全部工具；price 为每次调用的额度，tool_prices 为其中个别工具的额度',
      en: 'Add an MCP server (streamable HTTP): its headers are kept encrypted; without tools all of them are open; price is the quota of one call, tool_prices that of single tools',
    },
    body: newServer,
    output: mcpServerView,
  }),
  updateMcpServer: endpoint({
    method: 'PUT',
    path: '/api/mcp_server/:id',
    access: 'admin',
    bodyLimit: BODY,
    summary: {
      zh: '修改 MCP 服务，或用 enabled 启用、停用；未给出的字段不变，给出的 headers、tool_prices 替换全部',
      en: 'Change an MCP server, or switch it by enabled; what is left out stays, and given headers or tool_prices replace all of them',
    },
    body: serverChange,
    output: mcpServerView,
  }),
  deleteMcpServer: endpoint({
    method: 'DELETE',
    path: '/api/mcp_server/:id',
    access: 'admin',
    summary: { zh: '删除 MCP 服务', en: 'Delete an MCP server' },
  }),
  testMcpServer: endpoint({
    method: 'POST',
    path: '/api/mcp_server/:id/test',
    access: 'admin',
    summary: {
      zh: '连接 MCP 服务并列出其工具，停用的也可以',
      en: 'Connect to an MCP server and list its tools, also of one that is switched off',
    },
    output: z.object({ title: z.string(), version: z.string(), time: z.number(), tools: z.array(tool) }),
  }),
  usableMcpServers: endpoint({
    method: 'GET',
    path: '/api/mcp/servers',
    access: 'user',
    team: 'members',
    summary: { zh: '自己的令牌可以使用的 MCP 服务', en: 'The MCP servers that your tokens may use' },
    output: z.array(usableServer),
  }),
  usableMcpTools: endpoint({
    method: 'GET',
    path: '/api/mcp/servers/:name/tools',
    access: 'user',
    team: 'members',
    summary: {
      zh: '一个可以使用的 MCP 服务的工具，向该服务查询',
      en: 'The tools of an MCP server that you may use, as it lists them now',
    },
    output: z.array(tool),
  }),
}
