// LiteLLM's MCP servers come as ours: those of its file, and those of its database.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, rootClient } from '../client.ts'
import { connectClient, textOf } from '../mcp/house.ts'
import { type McpUpstream, startMcpUpstream } from '../mcp/upstream.ts'
import { freshDataDir, ROOT_PASSWORD, withProgram } from '../program.ts'
import { SECRET_KEY } from '../relay/rig.ts'
import { dropAll, engines } from '../services/databases.ts'
import { addToLitellm, fillLitellm, type LitellmTables, SALT, sealed } from './litellm-tables.ts'
import { run } from './older-house.ts'

let upstream: McpUpstream
beforeAll(() => {
  upstream = startMcpUpstream('plain')
})
afterAll(() => Promise.all([upstream.stop(), dropAll()]))

const secrets = [
  'ghp-of-theirs-1234567890',
  'house-key-of-theirs',
  'anna:word-of-theirs',
  'raw-of-theirs-123',
]

async function serversOf(root: Client) {
  const { json } = await root.get('/api/mcp_server?p=1&page_size=100')
  type Listed = { id: number; name: string; enabled: boolean }
  return new Map((json.data.items as Listed[]).map(server => [server.name, server]))
}

/** So many servers come, this is said of others, and no secret is. */
async function moveIn(
  environment: Record<string, string>,
  from: string,
  { count, said }: { readonly count: number; readonly said: readonly string[] },
): Promise<void> {
  const { code, out, err } = await run(environment, 'import', from)
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain(` ${count} MCP servers\n`)
  for (const words of said) expect(out).toContain(words)
  for (const secret of secrets) expect(out).not.toContain(secret)
}

/** What the server was sent when it was last asked. */
async function seenBy(root: Client, id: number | undefined): Promise<Headers> {
  const { json } = await root.post(`/api/mcp_server/${id}/test`, {})
  expect(json).toMatchObject({ success: true })
  return upstream.seen.at(-1) ?? new Headers()
}

test('those of the file, with what proves the gateway to them', async () => {
  const environment = { DATA_DIR: freshDataDir(), ROOT_PASSWORD }
  const file = join(environment.DATA_DIR, 'config.yaml')
  const at = upstream.url
  writeFileSync(
    file,
    `
litellm_settings:
  mcp_aliases: { wiki: deepwiki_mcp }
mcp_servers:
  deepwiki_mcp: { url: "${at}", allow_all_keys: true, description: "What is  known\\nof it" }
  github_mcp:
    url: os.environ/GITHUB_MCP
    transport: http
    auth_type: bearer_token
    auth_value: os.environ/GITHUB_TOKEN
    static_headers: { X-Toolset: issues, authorization: second }
    allowed_tools: [add, count]
    access_groups: [default, insiders]
    extra_headers: [x-trace]
    mcp_info: { mcp_server_cost_info: { default_cost_per_query: 0.002, tool_name_to_cost_per_query: { add: 1 } } }
  keyed: { url: "${at}", auth_type: api_key, authentication_token: ${secrets[1]} }
  named: { url: "${at}", alias: Raw One, auth_type: authorization, auth_value: ${secrets[3]}, access_groups: [insiders] }
  basics: { url: "${at}", auth_type: basic, auth_value: "${secrets[2]}", disallowed_tools: [fail], allow_all_keys: true }
  started: { transport: stdio, command: npx, args: [-y, something], env: { TOKEN: ${secrets[1]} } }
  older: { url: "https://mcp.example.com/sse" }
  streamed: { url: "https://mcp.example.com/mcp", transport: sse }
  petstore: { url: "https://petstore.example.com", spec_path: /openapi.json }
  granted: { url: "${at}", auth_type: oauth2 }
  unset: { url: "${at}", auth_type: bearer_token, auth_value: os.environ/NOT_SET_HERE }
  nowhere: { url: "ftp://mcp.example.com" }
  broken: { url: "${at}", static_headers: { "Mcp-Session-Id": ${secrets[1]} } }
  "42": { url: "${at}" }
  dear: { url: "${at}", allow_all_keys: true, mcp_info: { mcp_server_cost_info: { default_cost_per_query: -1 } } }
  unclear: { url: "${at}", allow_all_keys: true, mcp_info: { mcp_server_cost_info: { tool_name_to_cost_per_query: { add: much } } } }
  empty:
`,
  )
  const given = { ...environment, GITHUB_MCP: at, GITHUB_TOKEN: secrets[0] ?? '' }
  const said = [
    '! MCP server github_mcp: is called github-mcp here, so its tools are github-mcp__…',
    "! MCP server github_mcp: without extra_headers: nothing of the caller's is handed on here",
    '! MCP server keyed: switched off, for only some keys might use it: choose whose it is',
    '! MCP server Raw One: is called raw-one here, so its tools are raw-one__…',
    '! MCP server Raw One: switched off, for no group here is called insiders: choose whose it is',
    '! MCP server basics: switched off, for it had tools that were not allowed: list those that are',
    '! MCP server started: left out: it is a program that is started (stdio), and here servers are addresses',
    '! MCP server older: left out: it speaks the older transport of SSE, and here only streamable HTTP is spoken',
    '! MCP server streamed: left out: it speaks the older transport of SSE',
    '! MCP server petstore: left out: it is made of an OpenAPI file',
    '! MCP server granted: left out: nothing here proves itself by oauth2',
    '! MCP server unset: left out: the environment variable NOT_SET_HERE is not set',
    '! MCP server nowhere: left out: its url cannot be kept here',
    '! MCP server broken: left out: its headers cannot be kept here',
    '! MCP server 42: left out: nothing of its name could be a name here',
    '! MCP server dear: left out: its default_cost_per_query is no price',
    '! MCP server unclear: left out: its tool_name_to_cost_per_query is no price',
    '! MCP server empty: left out: it has no url',
  ]
  await moveIn(given, file, { count: 5, said })

  await withProgram(environment, async program => {
    const root = await rootClient(program.url)
    const servers = await serversOf(root)
    expect([...servers.keys()]).toEqual(['basics', 'github-mcp', 'keyed', 'raw-one', 'wiki'])
    expect([...servers.values()].filter(({ enabled }) => enabled).map(({ name }) => name)).toEqual([
      'github-mcp',
      'wiki',
    ])
    expect(servers.get('wiki')).toMatchObject({ note: 'What is known of it', price: 0, tools: [] })
    expect(servers.get('github-mcp')).toMatchObject({
      ...{
        groups: ['default'],
        tools: ['add', 'count'],
        price: 1000,
        tool_prices: { add: 500_000 },
        timeout: 60,
      },
      header_names: ['X-Toolset', 'Authorization'],
    })
    const github = await seenBy(root, servers.get('github-mcp')?.id)
    expect([github.get('authorization'), github.get('x-toolset')]).toEqual([`Bearer ${secrets[0]}`, 'issues'])
    expect((await seenBy(root, servers.get('keyed')?.id)).get('x-api-key')).toBe(secrets[1] ?? '')
    expect((await seenBy(root, servers.get('raw-one')?.id)).get('authorization')).toBe(secrets[3] ?? '')
    expect((await seenBy(root, servers.get('basics')?.id)).get('authorization')).toBe(
      `Basic ${btoa(secrets[2] ?? '')}`,
    )
    expect((await seenBy(root, servers.get('wiki')?.id)).has('authorization')).toBe(false)
  })

  // Done again, nothing is doubled, and what has been changed here stays.
  const again = await run({ ...given, GITHUB_MCP: 'https://elsewhere.example.com/mcp' }, 'import', file)
  expect(again).toMatchObject({ code: 0, err: '' })
  expect(again.out).toMatch(/ 0 MCP servers\n/)
  expect(again.out).toContain('! MCP server github_mcp: left out: another one here is called github-mcp')
  expect(again.out).not.toContain('! MCP server keyed')
})

const house = (): LitellmTables => {
  const at = { url: upstream.url, transport: 'http' }
  return {
    LiteLLM_UserTable: [{ user_id: 'u-anna', user_alias: 'Anna', max_budget: 5 }],
    LiteLLM_MCPServerTable: [
      {
        ...{
          ...at,
          server_id: 's-1',
          server_name: 'github_mcp_server',
          alias: 'github',
          allow_all_keys: true,
        },
        ...{ auth_type: 'bearer_token', credentials: { auth_value: sealed(secrets[0] ?? '', 'v3') } },
        ...{ allowed_tools: ['add'], description: 'Issues', static_headers: { 'X-Plain': 'as it is' } },
      },
      {
        ...{ ...at, server_id: 's-2', server_name: 'sealed_headers', mcp_access_groups: ['dev', 'default'] },
        ...{ static_headers: { 'X-House': sealed(secrets[1] ?? '', 'v2') } },
      },
      {
        ...{ ...at, server_id: 's-3', server_name: 'foreign', auth_type: 'api_key' },
        credentials: { auth_value: sealed('sk-nobody-can-read', 'v3', 'another') },
      },
      {
        ...{ ...at, server_id: 's-4', server_name: 'foreign_headers' },
        static_headers: { 'X-House': sealed('sk-nobody-can-read', 'v3', 'another') },
      },
      { server_id: 's-5', server_name: 'started', transport: 'stdio', command: 'npx', args: ['-y', 'x'] },
      { server_id: 's-6', server_name: 'older', url: 'https://mcp.example.com/sse' },
      { ...at, server_id: 's-7', server_name: 'closed' },
    ],
  }
}

test.each(engines.map(engine => [engine.name, engine] as const))(
  'those of the database, whose secrets are opened and sealed again (%s)',
  async (_name, engine) => {
    const from = (await engines.find(({ name }) => name === 'postgres')?.emptyUrl()) ?? ''
    await fillLitellm(from, house())
    const DATABASE_URL = await engine.freshUrl()
    const target = { DATA_DIR: freshDataDir(), DATABASE_URL, SECRET_KEY, ROOT_PASSWORD }
    const said = [
      '! MCP server foreign: left out: it was sealed with another LITELLM_SALT_KEY or LITELLM_MASTER_KEY',
      '! MCP server foreign_headers: left out: it was sealed with another LITELLM_SALT_KEY',
      '! MCP server started: left out: it is a program that is started (stdio)',
      '! MCP server older: left out: it speaks the older transport of SSE',
      '! MCP server closed: switched off, for only some keys might use it: choose whose it is',
    ]
    await moveIn({ ...target, LITELLM_SALT_KEY: SALT }, from, { count: 3, said })

    await withProgram(target, async program => {
      const root = await rootClient(program.url)
      const servers = await serversOf(root)
      expect([...servers.keys()]).toEqual(['closed', 'github', 'sealed-headers'])
      expect(servers.get('github')).toMatchObject({
        ...{ enabled: true, groups: ['default'], tools: ['add'], note: 'Issues' },
        header_names: ['X-Plain', 'Authorization'],
      })
      expect(servers.get('sealed-headers')).toMatchObject({ enabled: true, groups: ['default'] })
      expect(servers.get('closed')).toMatchObject({ enabled: false })
      const github = await seenBy(root, servers.get('github')?.id)
      expect([github.get('authorization'), github.get('x-plain')]).toEqual([
        `Bearer ${secrets[0]}`,
        'as it is',
      ])
      expect((await seenBy(root, servers.get('sealed-headers')?.id)).get('x-house')).toBe(secrets[1] ?? '')

      // An agent calls what has come, and sees nothing of what was closed.
      await root.put('/api/user/', { id: 1, quota: 50_000_000 })
      await root.post('/api/token/', { name: 'mine', unlimited_quota: true, expired_time: -1 })
      const { key } = (await root.get('/api/token/?p=0&size=10')).json.data[0]
      const { client } = await connectClient(`${program.url}/mcp`, `sk-${key}`, 'older')
      const { tools } = await client.listTools()
      expect([...new Set(tools.map(({ name }) => name.split('__')[0]))].sort()).toEqual([
        'github',
        'sealed-headers',
      ])
      const sum = await client.callTool({ name: 'github__add', arguments: { a: 2, b: 3 } })
      expect(textOf(sum)).toBe('5')
      await client.close()
    })

    await addToLitellm(from, {
      LiteLLM_MCPServerTable: [
        {
          server_id: 's-8',
          server_name: 'newer',
          url: upstream.url,
          transport: 'http',
          allow_all_keys: true,
        },
      ],
    })
    const again = await run({ ...target, LITELLM_SALT_KEY: SALT }, 'import', from)
    expect(again).toMatchObject({ code: 0, err: '' })
    expect(again.out).toMatch(/ 1 MCP server\n/)
    // Without the key what is sealed cannot come, and is not taken for what it is not.
    const blind = await run({ ...target, DATABASE_URL: await engine.freshUrl() }, 'import', from)
    expect(blind.out).toContain('! MCP server github: left out: set LITELLM_SALT_KEY')
    expect(blind.out).toContain('! MCP server sealed_headers: left out: set LITELLM_SALT_KEY')
  },
)
