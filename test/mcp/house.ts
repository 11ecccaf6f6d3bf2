// The gateway with servers behind it, and clients by the official library before it.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { mcpHeadersPlace } from '../../server/store/sealed-places.ts'
import { openRig, type Rig } from '../relay/rig.ts'

export interface McpSeed {
  readonly name: string
  readonly url: string
  readonly headers?: Record<string, string>
  readonly groups?: readonly string[]
  readonly tools?: readonly string[]
  readonly price?: number
  readonly toolPrices?: Record<string, number>
  readonly timeout?: number
  readonly enabled?: boolean
}

/** As the management API would write it. */
export async function addMcpServer({ store }: Pick<Rig, 'store'>, seed: McpSeed): Promise<number> {
  const { name, url, headers = {}, groups = ['default'], tools = [], price = 0, timeout = 60 } = seed
  return store.change('mcp-servers', async transaction => {
    await transaction
      .insertInto('mcp_servers')
      .values({
        ...{ name, url, note: '', proxy: '', price, timeout, created_at: 1 },
        headers_sealed: '',
        header_names: Object.keys(headers).join(','),
        group: groups.join(','),
        tools: tools.join('\n'),
        tool_prices: seed.toolPrices ? JSON.stringify(seed.toolPrices) : null,
        enabled: Number(seed.enabled ?? true),
      })
      .execute()
    const { id } = await transaction
      .selectFrom('mcp_servers')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    if (Object.keys(headers).length > 0)
      await transaction
        .updateTable('mcp_servers')
        .set({ headers_sealed: store.cipher.seal(mcpHeadersPlace(id), JSON.stringify(headers)) })
        .where('id', '=', id)
        .execute()
    return id
  })
}

export async function openMcpRig(
  seed: Parameters<typeof openRig>[0],
  environment: Record<string, string> = {},
): Promise<Rig> {
  return openRig(async books => {
    await books.setOption('GlobalApiRateLimit', '0')
    await seed?.(books)
  }, environment)
}

export type ClientKind = 'older' | 'modern'

export interface Connected {
  readonly client: Client
  readonly transport: StreamableHTTPClientTransport
  /** The ids of the requests, as the gateway names them, in their order. */
  readonly requestIds: string[]
}

/** A client as people have them: it remembers which request id each answer had. */
export async function connectClient(
  url: string,
  key: string,
  kind: ClientKind,
  headers: Record<string, string> = {},
): Promise<Connected> {
  const requestIds: string[] = []
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${key}`, ...headers } },
    fetch: async (address, init) => {
      const response = await fetch(address, init)
      const id = response.headers.get('x-oneapi-request-id')
      if (id !== null && init?.method === 'POST') requestIds.push(id)
      return response
    },
  })
  const client = new Client(
    { name: 'a test', version: '1' },
    kind === 'modern' ? { versionNegotiation: { mode: 'auto' } } : {},
  )
  await client.connect(transport)
  return { client, transport, requestIds }
}

/** One message, as it is written. */
export function postMcp(
  url: string,
  key: string | undefined,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

export function textOf(result: { content?: unknown }): string | undefined {
  const [first] = (result.content ?? []) as { text?: string }[]
  return first?.text
}
