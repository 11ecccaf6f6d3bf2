import type { Admitted } from '../relay/callers/authorise.ts'
import type { McpServer } from './mcp-server.ts'
import type { ServerSnapshot } from './server-snapshot.ts'

/** A server that a caller may use, and the groups of theirs that have it: the first that may serves a call, and is paid. */
export interface Usable {
  readonly server: McpServer
  readonly groups: readonly string[]
}

export function usableServers(servers: ServerSnapshot, admitted: Admitted): Usable[] {
  const { caller, group: own, groups = [own] } = admitted
  return servers.all().flatMap(server => {
    const having = server.isEnabled ? groups.filter(one => server.groups.has(one)) : []
    return having.length > 0 && namesServer(caller.models, server) ? [{ server, groups: having }] : []
  })
}

/** What a call of a tool is called in logs, statistics, and the list of models that a token may be limited to. */
export function toolModel(server: string, tool: string): string {
  return `mcp/${server}/${tool}`
}

/** A token that is limited to models may use those servers and tools that its list names, and no others. */
function namesServer(models: ReadonlySet<string> | undefined, { name }: McpServer): boolean {
  if (!models || models.has(`mcp/${name}`)) return true
  const beginning = `mcp/${name}/`
  for (const model of models) if (model.startsWith(beginning)) return true
  return false
}

export function mayUseTool({ tools, name }: McpServer, { caller }: Admitted, tool: string): boolean {
  if (tools && !tools.has(tool)) return false
  const { models } = caller
  return !models || models.has(`mcp/${name}`) || models.has(toolModel(name, tool))
}

/** A token that may use some tools of a server alone has nothing else of it. */
export function mayUseAll({ name }: McpServer, { caller }: Admitted): boolean {
  return !caller.models || caller.models.has(`mcp/${name}`)
}
