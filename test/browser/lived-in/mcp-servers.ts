import type { Client } from '../../client.ts'
import { startMcpUpstream } from '../../mcp/upstream.ts'

/** Servers of every state; the first of them is really there. */
export async function addMcpServers(root: Client): Promise<void> {
  const servers = [
    {
      ...{ name: 'docs', url: startMcpUpstream('plain').url, note: '产品文档与知识库检索' },
      groups: ['default', 'vip'],
    },
    {
      ...{ name: 'github', url: 'https://api.githubcopilot.example.com/mcp/', groups: ['vip', 'svip'] },
      ...{ headers: { Authorization: 'Bearer stage-github-token' }, price: 500 },
      ...{ note: 'Issues, pull requests and code search', tools: ['search_code', 'list_issues', 'get_file'] },
    },
    {
      ...{
        name: 'web-search',
        url: 'https://mcp.search.example.com/mcp',
        groups: ['default', 'vip', 'svip'],
      },
      ...{ headers: { 'X-API-Key': 'stage-search-key' }, price: 2500, timeout: 20 },
    },
    { name: 'old-crm', url: 'http://10.0.0.12:8080/mcp', groups: ['svip'], enabled: false },
  ]
  for (const server of servers) {
    const { json } = await root.post('/api/mcp_server', server)
    if (!json?.success) throw new Error(`an MCP server was refused: ${JSON.stringify(json)}`)
  }
}
