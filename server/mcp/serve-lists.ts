import { asArray, asObject, asText, type Json, type JsonObject, parseObject } from '../dialects/json.ts'
import { AppError } from '../errors.ts'
import { log } from '../log.ts'
import { mayUseAll, mayUseTool, type Usable } from './access.ts'
import type { RpcRequest } from './json-rpc.ts'
import { type ListMethod, lists } from './names.ts'
import { SessionGone } from './upstream/exchange.ts'
import { askServer, serversOf, type Visit, withPatience } from './visit.ts'

/** A page of a list: of one server as it has it, or of all of them together. */
export async function serveList(visit: Visit, request: RpcRequest, method: ListMethod): Promise<JsonObject> {
  const cursor = asText(request.params.cursor)
  const usable = serversOf(visit)
  if (visit.only !== undefined) {
    const [one] = usable
    if (!one) throw new AppError('mcp.no-server', { server: visit.only })
    return listOf(visit, request, method, one, cursor)
  }
  const { field, by, join } = lists[method]
  const pages = await Promise.all(
    turnsOf(usable, cursor).map(([one, from]) => pageOrNothing(visit, request, method, one, from)),
  )
  const next: JsonObject = {}
  const entries: Json[] = []
  for (const { server, page } of pages) {
    for (const entry of asArray(page[field])) {
      const given = asObject(entry)
      const known = asText(given?.[by])
      if (given && known !== undefined) entries.push({ ...given, [by]: join(server, known) })
    }
    if (typeof page.nextCursor === 'string') next[server] = page.nextCursor
  }
  return {
    [field]: entries,
    ...(Object.keys(next).length > 0 && { nextCursor: writeCursor(next) }),
    ...(visit.isModern && { ttlMs: 0, cacheScope: 'private', resultType: 'complete' }),
  }
}

type Turn = readonly [usable: Usable, cursor: string | undefined]

/** All of them at first, and then those that have more. */
function turnsOf(usable: readonly Usable[], cursor: string | undefined): Turn[] {
  if (cursor === undefined) return usable.map(one => [one, undefined])
  const from = readCursor(cursor)
  return usable.flatMap(one => {
    const more = Object.hasOwn(from, one.server.name) ? asText(from[one.server.name]) : undefined
    return more === undefined ? [] : [[one, more] as const]
  })
}

function writeCursor(next: JsonObject): string {
  return Buffer.from(JSON.stringify(next)).toString('base64url')
}

function readCursor(cursor: string): JsonObject {
  const from = parseObject(Buffer.from(cursor, 'base64url').toString())
  if (!from) throw new AppError('mcp.no-such', { name: cursor.slice(0, 100) })
  return from
}

/** A server that is away is left out: the others are there. One that has forgotten its session has to be begun anew. */
async function pageOrNothing(
  visit: Visit,
  request: RpcRequest,
  method: ListMethod,
  usable: Usable,
  cursor: string | undefined,
): Promise<{ readonly server: string; readonly page: JsonObject }> {
  const server = usable.server.name
  try {
    return { server, page: await listOf(withPatience(visit), request, method, usable, cursor) }
  } catch (error) {
    const isOver = error instanceof AppError && error.code === 'mcp.session'
    if (isOver || error instanceof SessionGone || visit.signal.aborted) throw error
    log.debug('a list goes on without an MCP server', { server, method, error })
    return { server, page: {} }
  }
}

/** What a caller may not use is not shown. */
async function listOf(
  visit: Visit,
  { id, params }: RpcRequest,
  method: ListMethod,
  { server }: Usable,
  cursor: string | undefined,
): Promise<JsonObject> {
  const { cursor: _, ...others } = params
  const asked = cursor === undefined ? others : { ...others, cursor }
  if (method !== 'tools/list') {
    if (!mayUseAll(server, visit.admitted)) return { [lists[method].field]: [] }
    return askServer(visit, server, { id, method, params: asked })
  }
  const page = await askServer(visit, server, { id, method, params: asked })
  const tools = asArray(page.tools).filter(tool =>
    mayUseTool(server, visit.admitted, asText(asObject(tool)?.name) ?? ''),
  )
  return { ...page, tools }
}
