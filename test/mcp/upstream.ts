// Servers of the protocol by its official library, of each of the three kinds that there are.

import {
  createMcpHandler,
  McpServer,
  ResourceTemplate,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import * as z from 'zod'
import { serveLoopback } from '../serve-loopback.ts'

/** `sessions` and `plain` speak the versions with `initialize`, with sessions and without; `modern` the one after them. */
export type Kind = 'sessions' | 'plain' | 'modern'

export interface Told {
  readonly to: string
  readonly number?: number | undefined
}

export interface McpUpstream {
  readonly url: string
  readonly port: number
  /** The headers of every request, in the order in which they came. */
  readonly seen: Headers[]
  /** What the tool `tell` was called with. */
  readonly told: Told[]
  /** How often each tool began. */
  readonly begun: Record<string, number>
  /** Tools that were told to end. */
  readonly cancelled: string[]
  /** How many sessions are open. */
  sessions(): number
  /** Forgets all sessions, as one that was started anew has. */
  forget(): void
  /** Lets go what waits in the tool `wait`. */
  letGo(): void
  stop(): Promise<void>
}

export function startMcpUpstream(kind: Kind): McpUpstream {
  const seen: Headers[] = []
  const told: Told[] = []
  const begun: Record<string, number> = {}
  const cancelled: string[] = []
  const waiting = new Set<() => void>()
  const transports = new Map<string, WebStandardStreamableHTTPServerTransport>()

  function build(): McpServer {
    const server = new McpServer(
      { name: `sample ${kind}`, version: '1.2.3' },
      { capabilities: { logging: {} }, instructions: `Ask the ${kind} one.` },
    )
    const begin = (tool: string) => {
      begun[tool] = (begun[tool] ?? 0) + 1
    }
    server.registerTool(
      'add',
      { description: 'Adds two numbers', inputSchema: z.object({ a: z.number(), b: z.number() }) },
      async ({ a, b }) => {
        begin('add')
        return { content: [{ type: 'text', text: String(a + b) }] }
      },
    )
    server.registerTool('fail', { description: 'Says that it failed' }, async () => {
      begin('fail')
      return { content: [{ type: 'text', text: 'it went wrong' }], isError: true }
    })
    server.registerTool('count', { description: 'Tells how far it is' }, async ctx => {
      begin('count')
      const token = ctx.mcpReq._meta?.progressToken
      for (let progress = 1; progress <= 3 && token !== undefined; progress++)
        await ctx.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken: token, progress, total: 3 },
        })
      return { content: [{ type: 'text', text: 'counted' }] }
    })
    server.registerTool('wait', { description: 'Waits until it is let go' }, async ctx => {
      begin('wait')
      ctx.mcpReq.signal.addEventListener('abort', () => cancelled.push('wait'))
      await new Promise<void>(resolve => waiting.add(resolve))
      return { content: [{ type: 'text', text: 'waited' }] }
    })
    server.registerTool(
      'tell',
      {
        description: 'Tells somebody something',
        inputSchema: z.object({ to: z.string(), number: z.optional(z.number()) }),
      },
      async (said, ctx) => {
        begin('tell')
        told.push(said)
        const token = ctx.mcpReq._meta?.progressToken
        if (token !== undefined)
          await ctx.mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken: token, progress: 1, message: `on its way to ${said.to}` },
          })
        const about = 'From office@example.com'
        return {
          content: [
            { type: 'text', text: `${about}: told ${said.to}` },
            { type: 'resource', resource: { uri: 'note://told', text: about } },
          ],
          structuredContent: { about, rank: 4111111111111111 },
        }
      },
    )
    server.registerTool('half', { description: 'Tells a part, and waits until it is let go' }, async ctx => {
      begin('half')
      await ctx.mcpReq.notify({
        method: 'notifications/message',
        params: { level: 'info', data: 'half of it' },
      })
      await new Promise<void>(resolve => waiting.add(resolve))
      return { content: [{ type: 'text', text: 'the other half' }] }
    })
    server.registerTool('link', { description: 'Names a resource' }, async () => ({
      content: [{ type: 'resource_link', uri: 'note://one', name: 'one' }],
    }))
    server.registerResource('one', 'note://one', { description: 'A note' }, async uri => ({
      contents: [{ uri: uri.href, text: `a note of the ${kind} one` }],
    }))
    server.registerResource(
      'any',
      new ResourceTemplate('note://any/{name}', { list: undefined }),
      {},
      async uri => ({ contents: [{ uri: uri.href, text: 'any' }] }),
    )
    server.registerPrompt(
      'greet',
      { description: 'Greets', argsSchema: z.object({ who: z.string() }) },
      async ({ who }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Greet ${who}` } }] }),
    )
    return server
  }

  const modern = createMcpHandler(build, { legacy: 'reject' })

  async function serve(request: Request): Promise<Response> {
    seen.push(request.headers)
    if (kind === 'modern') return modern.fetch(request)
    if (kind === 'plain') {
      const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: undefined })
      await build().connect(transport)
      return transport.handleRequest(request)
    }
    const session = request.headers.get('mcp-session-id')
    const known = session === null ? undefined : transports.get(session)
    if (known) return known.handleRequest(request)
    if (session !== null)
      return Response.json(
        { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } },
        { status: 404 },
      )
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => `secret-session-${crypto.randomUUID()}`,
      onsessioninitialized: id => {
        transports.set(id, transport)
      },
      onsessionclosed: id => {
        transports.delete(id)
      },
    })
    await build().connect(transport)
    return transport.handleRequest(request)
  }

  const server = serveLoopback(serve)
  server.unref()
  return {
    url: `http://127.0.0.1:${server.port}/mcp`,
    port: server.port ?? 0,
    ...{ seen, told, begun, cancelled },
    sessions: () => transports.size,
    forget: () => transports.clear(),
    letGo() {
      for (const resolve of waiting) resolve()
      waiting.clear()
    },
    stop: () => server.stop(true),
  }
}
