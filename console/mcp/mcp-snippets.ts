// How agents are told of the gateway's tools. Keys are put in when these are copied.

export const mcpAgents = ['claude', 'codex', 'cursor'] as const
export type McpAgent = (typeof mcpAgents)[number]

export const mcpAgentNames: Record<McpAgent, string> = {
  claude: 'Claude Code',
  codex: 'Codex',
  cursor: 'Cursor',
}

/** Where all servers are offered together, or one of them alone. */
export function mcpAddress(address: string, server: string): string {
  return `${address.replace(/\/+$/, '')}/mcp${server === '' ? '' : `/${server}`}`
}

/** A command, or the file that the program reads. */
export function mcpSnippet(agent: McpAgent, address: string, key: string, server: string): string {
  const url = mcpAddress(address, server)
  const name = server || 'tollgate'
  if (agent === 'claude')
    return `claude mcp add --transport http ${name} ${url} \\\n  --header "Authorization: Bearer ${key}"`
  if (agent === 'codex')
    return [
      `# export TOLLGATE_KEY=${key}`,
      '# ~/.codex/config.toml',
      `[mcp_servers.${name}]`,
      `url = ${JSON.stringify(url)}`,
      'bearer_token_env_var = "TOLLGATE_KEY"',
    ].join('\n')
  const servers = { [name]: { url, headers: { Authorization: `Bearer ${key}` } } }
  return JSON.stringify({ mcpServers: servers }, null, 2)
}
