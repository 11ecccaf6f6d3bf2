import { McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { serveLoopback } from '../../serve-loopback.ts'

export interface SampleTool {
  readonly name: string
  readonly description: string
}

/** A server that has these tools and says so; it ends with the process. */
export function startToolServer(title: string, tools: readonly SampleTool[]): string {
  const server = serveLoopback(async request => {
    const shown = new McpServer({ name: title, version: '3.1.0' }, { capabilities: { tools: {} } })
    for (const { name, description } of tools)
      shown.registerTool(name, { description }, async () => ({ content: [{ type: 'text', text: 'done' }] }))
    const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: undefined })
    await shown.connect(transport)
    return transport.handleRequest(request)
  })
  server.unref()
  return `http://127.0.0.1:${server.port}/mcp`
}
