import { mcpEndpoints, type NewMcpServer } from '../../../../contract/mcp.ts'
import { MOST_QUOTA } from '../../../../contract/tokens.ts'
import { CannotCome, readHeaders, resolve, type Variable } from './place.ts'

/** An MCP server as LiteLLM has it, by the names that its file and its table have in common. */
export interface ForeignServer {
  /** What agents call it by. */
  readonly name: string
  readonly fields: Readonly<Record<string, unknown>>
}

export interface PlannedServer {
  readonly server: NewMcpServer
  /** What does not come as it was. */
  readonly odd: readonly string[]
}

interface Here {
  readonly variable: Variable
  readonly groups: ReadonlySet<string>
  /** What a dollar is here. */
  readonly unit: number
}

const EVERYBODY = 'default'
const LONGEST_NAME = 32
const LONGEST_NOTE = 300

/** How a value proves the gateway, by what LiteLLM calls that. */
const proofs: Readonly<Record<string, (value: string) => Readonly<Record<string, string>>>> = {
  api_key: value => ({ 'X-API-Key': value }),
  bearer_token: value => ({ Authorization: `Bearer ${value}` }),
  // A name and a password, which older versions wanted encoded already.
  basic: value => ({
    Authorization: `Basic ${value.includes(':') ? Buffer.from(value).toString('base64') : value}`,
  }),
  authorization: value => ({ Authorization: value }),
  token: value => ({ Authorization: `token ${value}` }),
}

/** By the rules for a server that is entered by hand. */
export function planServer({ name, fields }: ForeignServer, here: Here): PlannedServer {
  const text = (field: string): string => resolve(fields[field], here.variable)
  const url = text('url')
  refuseTransport(text('transport').toLowerCase(), url, fields)
  const kept = nameHere(name)
  const access = accessOf(fields, here.groups)
  const cost = costOf(fields.mcp_info, here.unit)
  const { success, data, error } = mcpEndpoints.createMcpServer.body.safeParse({
    ...{ name: kept, url, note: noteOf(fields.description), groups: access.groups },
    headers: headersOf(fields, here.variable),
    ...{
      tools: listOf(fields.allowed_tools),
      price: cost.price,
      tool_prices: cost.byTool,
      enabled: access.closed === undefined,
    },
  })
  // Which field it is, and not what it says: that may be a key.
  if (!success) throw new CannotCome(`its ${String(error.issues[0]?.path[0])} cannot be kept here`)
  return {
    server: data,
    odd: [
      ...(kept === name ? [] : [`is called ${kept} here, so its tools are ${kept}__…`]),
      ...(access.closed === undefined ? [] : [`switched off, for ${access.closed}`]),
      ...(listOf(fields.extra_headers).length > 0
        ? ["without extra_headers: nothing of the caller's is handed on here"]
        : []),
    ],
  }
}

/** Those that speak streamable HTTP can come. In a file that says nothing of it, the address tells. */
function refuseTransport(transport: string, url: string, fields: ForeignServer['fields']): void {
  if (transport === 'stdio' || fields.command)
    throw new CannotCome('it is a program that is started (stdio), and here servers are addresses')
  if (fields.spec_path) throw new CannotCome('it is made of an OpenAPI file')
  if (url === '') throw new CannotCome('it has no url')
  if (transport === 'sse' || (transport === '' && /\/sse\/?($|\?)/.test(url)))
    throw new CannotCome('it speaks the older transport of SSE, and here only streamable HTTP is spoken')
  if (transport !== '' && transport !== 'http') throw new CannotCome(`nothing here speaks ${transport}`)
}

function nameHere(name: string): string {
  const kept = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, LONGEST_NAME)
    .replace(/-+$/, '')
  if (kept === '') throw new CannotCome('nothing of its name could be a name here')
  return kept
}

/** What proves the gateway stands once, however it is written. */
function headersOf(fields: ForeignServer['fields'], variable: Variable): Readonly<Record<string, string>> {
  const proof = proofOf(fields, variable)
  const proving = new Set(Object.keys(proof).map(name => name.toLowerCase()))
  const others = Object.entries(readHeaders(fields.static_headers, variable))
  return {
    ...Object.fromEntries(others.filter(([name]) => !proving.has(name.toLowerCase()))),
    ...proof,
  }
}

function proofOf(fields: ForeignServer['fields'], variable: Variable): Readonly<Record<string, string>> {
  const type = resolve(fields.auth_type, variable).toLowerCase()
  if (type === '' || type === 'none') return {}
  const prove = Object.hasOwn(proofs, type) ? proofs[type] : undefined
  if (!prove) throw new CannotCome(`nothing here proves itself by ${type}`)
  const value = resolve(fields.auth_value, variable) || resolve(fields.authentication_token, variable)
  if (value === '') throw new CannotCome(`it has no auth_value for its ${type}`)
  return prove(value)
}

/** What only some might use there is not open to everybody here: it waits until somebody has looked at it. */
function accessOf(
  fields: ForeignServer['fields'],
  known: ReadonlySet<string>,
): { readonly groups: readonly string[]; readonly closed: string | undefined } {
  const blocked = listOf(fields.disallowed_tools)
  const named = [...listOf(fields.mcp_access_groups), ...listOf(fields.access_groups)]
  const groups = [...new Set(named)].filter(group => known.has(group))
  const everybody = { groups: groups.length > 0 ? groups : [EVERYBODY] }
  if (blocked.length > 0 && listOf(fields.allowed_tools).length === 0)
    return { ...everybody, closed: 'it had tools that were not allowed: list those that are' }
  if (fields.allow_all_keys === true) return { groups: [EVERYBODY], closed: undefined }
  if (groups.length > 0) return { groups, closed: undefined }
  return {
    ...everybody,
    closed:
      named.length > 0
        ? `no group here is called ${[...new Set(named)].join(' or ')}: choose whose it is`
        : 'only some keys might use it: choose whose it is',
  }
}

/** What each call of a tool costs, in dollars there. */
function costOf(info: unknown, unit: number) {
  const costs = fieldsOf(fieldsOf(info).mcp_server_cost_info)
  const quotaOf = (field: string, dollars: unknown): number => {
    const price = Math.round(Number(dollars) * unit)
    // What is no price is never taken for none.
    if (!(price >= 0 && price <= MOST_QUOTA)) throw new CannotCome(`its ${field} is no price`)
    return price
  }
  const byTool = Object.entries(fieldsOf(costs.tool_name_to_cost_per_query))
  return {
    price: quotaOf('default_cost_per_query', costs.default_cost_per_query ?? 0),
    byTool: Object.fromEntries(
      byTool.map(([tool, dollars]) => [tool, quotaOf('tool_name_to_cost_per_query', dollars ?? Number.NaN)]),
    ),
  }
}

function noteOf(description: unknown): string {
  if (typeof description !== 'string') return ''
  return description
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NOTE)
    .toWellFormed()
}

function listOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return []
  return value.flatMap(each => (typeof each === 'string' && each.trim() !== '' ? [each.trim()] : []))
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
