import { isObject } from '../dialects/json.ts'
import { AppError } from '../errors.ts'
import type { RpcMessage, RpcRequest } from './json-rpc.ts'
import { envelope, MODERN, metaOf, nameIn, sessionVersions, unpackName, versionInside } from './protocol.ts'

/** `/mcp`, `/mcp/{server}`, and `/{server}/mcp` as others have it. */
const paths = /^\/mcp(?:\/(?<behind>[^/]+))?\/?$|^\/(?<before>[^/]+)\/mcp\/?$/

/** Undefined when it is none of the gateway's addresses. */
export function findMcpPath(path: string): { readonly only: string | undefined } | undefined {
  const found = paths.exec(path)
  return found ? { only: found.groups?.behind ?? found.groups?.before } : undefined
}

/** Which kind of client speaks; refuses a version that is not spoken here, and headers that say something else. */
export function readVersion(request: Request, message: RpcMessage): 'modern' | 'older' {
  const header = request.headers.get('mcp-protocol-version') ?? undefined
  const inside = message.kind === 'answer' ? undefined : versionInside(message.params)
  if (inside === undefined && header !== MODERN) {
    if (header !== undefined && !(sessionVersions as readonly string[]).includes(header))
      throw new AppError('mcp.version', { version: header.slice(0, 100) })
    return 'older'
  }
  if (message.kind === 'request') checkEnvelope(request, message, header, inside)
  return 'modern'
}

function checkEnvelope(
  { headers }: Request,
  { method, params }: RpcRequest,
  header: string | undefined,
  inside: string | undefined,
): void {
  if (inside === undefined) throw new AppError('mcp.envelope', { field: envelope.version })
  if (header !== undefined && header !== inside)
    throw new AppError('mcp.header-mismatch', { header: 'MCP-Protocol-Version' })
  if (inside !== MODERN) throw new AppError('mcp.version', { version: inside.slice(0, 100) })
  if (!isObject(metaOf(params)[envelope.capabilities]))
    throw new AppError('mcp.envelope', { field: envelope.capabilities })
  if (headers.get('mcp-method') !== method)
    throw new AppError('mcp.header-mismatch', { header: 'Mcp-Method' })
  const name = nameIn(method, params)
  if (name !== undefined && unpackName(headers.get('mcp-name') ?? '') !== name)
    throw new AppError('mcp.header-mismatch', { header: 'Mcp-Name' })
}
