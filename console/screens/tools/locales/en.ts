import type zh from './zh.ts'

export default {
  allServers: 'All servers',
  askAdmin: 'Once an administrator adds an MCP server, your agents can use its tools.',
  configure: 'Set up an agent',
  connect: 'Endpoint',
  connectHelp: 'MCP Streamable HTTP, authenticated by a token. Append /name to reach one server only.',
  hide: 'Hide',
  noToken: 'Create a token first',
  showTools: 'Show tools',
  title: 'MCP tools',
  token: 'Token',
  toolCount: '{count, plural, one {# tool} other {# tools}}',
} satisfies Record<keyof typeof zh, string>
