import { asArray, asObject, asText, type JsonObject } from '../dialects/json.ts'
import { AppError } from '../errors.ts'
import type { McpTester, ShownTool } from '../store/mcp-tester.ts'
import { RpcFailure } from './json-rpc.ts'
import type { McpServer } from './mcp-server.ts'
import type { McpParts } from './parts.ts'

/** No server has so many; one that never comes to an end is not followed for ever. */
const MOST_PAGES = 20
const LONGEST_DESCRIPTION = 2000

/** Asks servers for their tools, on behalf of people who look at them in the console. */
export function openMcpTester({ servers, upstreams }: McpParts): McpTester {
  return {
    async listTools(serverId) {
      const server = servers.all().find(({ id }) => id === serverId)
      if (!server) throw new AppError('row.not-found')
      const upstream = upstreams.of(server)
      const signal = AbortSignal.timeout(server.timeoutMs)
      try {
        const link = await upstream.connect(signal)
        try {
          const tools: ShownTool[] = []
          let cursor: string | undefined
          for (let page = 0; page < MOST_PAGES; page++) {
            const params: JsonObject = cursor === undefined ? {} : { cursor }
            const request = { id: `list-${page}`, method: 'tools/list', params, isModern: false, signal }
            const answer = await upstream.ask(link, request)
            for (const tool of asArray(answer.tools)) tools.push(...shown(server, tool))
            cursor = asText(answer.nextCursor)
            if (cursor === undefined) break
          }
          return { title: link.know.title, version: link.know.version, tools }
        } finally {
          upstream.end(link)
        }
      } catch (error) {
        throw reasonOf(error, server.name)
      }
    },
  }
}

function shown(server: McpServer, tool: unknown): ShownTool[] {
  const { name, title, description } = asObject(tool) ?? {}
  if (typeof name !== 'string') return []
  const words = asText(description) ?? asText(title) ?? ''
  return [{ name, description: words.slice(0, LONGEST_DESCRIPTION), price: server.priceOf(name) }]
}

function reasonOf(error: unknown, server: string): unknown {
  if (error instanceof RpcFailure) return new AppError('mcp.said', { said: error.message.slice(0, 300) })
  const isLate = error instanceof DOMException && error.name === 'TimeoutError'
  return isLate ? new AppError('mcp.slow', { server }) : error
}
