import { expect, test } from 'bun:test'
import { mcpAddress, mcpSnippet } from './mcp-snippets.ts'

test('all servers together, or one of them', () => {
  expect(mcpAddress('https://gate.example/', '')).toBe('https://gate.example/mcp')
  expect(mcpAddress('https://gate.example', 'docs')).toBe('https://gate.example/mcp/docs')
})

test('each agent is told in its own words', () => {
  expect(mcpSnippet('claude', 'https://gate.example', 'sk-1', '')).toBe(
    'claude mcp add --transport http tollgate https://gate.example/mcp \\\n  --header "Authorization: Bearer sk-1"',
  )
  expect(mcpSnippet('codex', 'https://gate.example', 'sk-1', 'docs')).toContain(
    '[mcp_servers.docs]\nurl = "https://gate.example/mcp/docs"\nbearer_token_env_var = "TOLLGATE_KEY"',
  )
  expect(JSON.parse(mcpSnippet('cursor', 'https://gate.example', 'sk-1', 'docs'))).toEqual({
    mcpServers: {
      docs: { url: 'https://gate.example/mcp/docs', headers: { Authorization: 'Bearer sk-1' } },
    },
  })
})
