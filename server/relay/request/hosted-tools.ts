import { asArray, asNumber, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import { isOwnSearch, OWN_SEARCH } from '../../dialects/openai-chat/own-searches.ts'
import { gigabytesOf, isHostedShell } from '../../dialects/openai-responses/ran-in.ts'
import { tellsTools } from '../../dialects/tells-tools.ts'

/** A tool of the vendor's own that a request offers the model, and that the vendor asks extra for. */
export interface HostedTool {
  /** `web_search`, or as prices name it. */
  readonly name: string
  /** How often it may be used at most, where the request says. */
  readonly atMost: number | undefined
  /** What is paid for it whether it is used or not. */
  readonly certain: number
  /** The container that it is to be used in, where the request names one. */
  readonly container?: string | undefined
  /** The vendor's shell, which runs where its code interpreter does, and is paid as that. */
  readonly isShell?: true
  /** What is paid for it, whatever the answer tells: the container it is used in is the caller's, and known here. */
  readonly settled?: number | undefined
  /** That container's paid time is over: the next is to be paid with the answer, unless another has by then. */
  readonly due?: DueWindow | undefined
  /** What may be paid for it where the answer goes on in a container that the request tells of. */
  readonly most?: number | undefined
}

/** Time of a container's that nobody has paid yet. */
export interface DueWindow {
  /** Our name for the container. */
  readonly mark: string
  /** Until when it was paid. */
  readonly since: number
  readonly gigabytes: number
}

/** Under this name stands the price of containers: dollars for a thousand times 20 minutes of a gigabyte. */
export const CONTAINER = 'code_interpreter'

export function runsInContainer({ name }: HostedTool): boolean {
  return name === CONTAINER
}

/** What vendors call them, and what prices call them. Those that nobody can count here have no price. */
const names = new Map([
  ['image_generation', 'image_generation'],
  ['code_interpreter', CONTAINER],
  ['code_execution', CONTAINER],
  ['file_search', 'file_search'],
  ['collections_search', 'file_search'],
  ['x_search', 'x_search'],
  ['browser_search', 'browser_search'],
  ['image_search', 'image_search'],
  ['web_search_image', 'image_search'],
])
const runsCode = /^code_execution_(\d{8})$/
/** From then on Anthropic's own searches run code themselves, and with them running code is free. */
const filters = /^web_(?:search|fetch)_(\d{8})$/
const CODE_IS_FREE_SINCE = 20260209
const searchKeys = [
  'googleSearch',
  'google_search',
  'googleSearchRetrieval',
  'google_search_retrieval',
  'googleMaps',
  'google_maps',
  'enterpriseWebSearch',
  'enterprise_web_search',
]

/** Ali's, which is no tool: it is asked for by a field, and at most one is made. */
export const ASKED_SEARCH = 'enable_search'

/** The name that its price goes by; undefined for what costs nothing besides tokens. Searches are not among them. */
export function paidTool(value: Json | undefined): string | undefined {
  const tool = asObject(value)
  const type = asText(tool?.type) ?? ''
  const known = names.get(type)
  if (known !== undefined) return known
  if (runsCode.test(type)) return 'code_execution'
  if (type === 'builtin_function' && isOwnSearch(tool)) return OWN_SEARCH
  // Asks another model, at its price; or is another gateway's; or Moonshot's, which has more than are known here.
  if (type.startsWith('advisor_') || type.startsWith('openrouter:') || type === 'builtin_function')
    return type
  return tool && isHostedShell(tool) ? CONTAINER : undefined
}

/** Undefined for most requests. */
export function hostedTools(body: JsonObject): readonly HostedTool[] | undefined {
  const offered = offeredTools(body)
  const most = asNumber(body.max_tool_calls)
  let found: HostedTool[] | undefined
  const add = (name: string, atMost = most, tool?: JsonObject): void => {
    found ??= []
    found.push({ name, atMost, certain: 0, ...(tool && containerOf(tool)) })
  }
  let hasFilter: boolean | undefined
  if (body.web_search_options) add('web_search')
  if (body.enable_search) add(ASKED_SEARCH, 1)
  for (const tool of offered) {
    const object = asObject(tool)
    if (!object || object.type === 'function') continue
    const name = paidTool(object)
    if (name === 'code_execution') {
      hasFilter ??= offered.some(isFilter)
      if (hasFilter) continue
    }
    if (name !== undefined) add(name, most, name === CONTAINER ? object : undefined)
    else if (isSearch(object)) add('web_search', asNumber(object.max_uses) ?? most)
  }
  return found
}

/** Types of tools that find something for the model to read, and keys by which Google's are known. */
const finding = /^(web_search|web_fetch|file_search|collections_search|x_search|browser_search|mcp)/
const findingKeys = ['urlContext', 'url_context']

/** Whether the vendor's own tools may give the model more to read than what was sent. */
export function mayFind(body: JsonObject): boolean {
  if (body.web_search_options || body.enable_search || asArray(body.mcp_servers).length > 0) return true
  return offeredTools(body).some(value => {
    const tool = asObject(value)
    const type = asText(tool?.type)
    if (type !== undefined) return finding.test(type)
    return findingKeys.some(key => tool?.[key] !== undefined)
  })
}

/** Whether the model may be given tools at servers that the caller names: what it says reaches others there. */
export function mayAct(body: JsonObject): boolean {
  if (asArray(body.mcp_servers).length > 0) return true
  return offeredTools(body).some(tool => asText(asObject(tool)?.type)?.startsWith('mcp'))
}

function offeredTools({ tools, input }: JsonObject): readonly Json[] {
  const later = Array.isArray(input) ? input.filter(tellsTools) : []
  return later.length === 0 ? asArray(tools) : [tools, ...later.map(item => item.tools)].flatMap(asArray)
}

function isFilter(value: Json): boolean {
  const dated = filters.exec(asText(asObject(value)?.type) ?? '')
  return dated !== null && Number(dated[1]) >= CODE_IS_FREE_SINCE
}

function isSearch(tool: JsonObject): boolean {
  if (typeof tool.type === 'string') return tool.type.startsWith('web_search')
  return searchKeys.some(key => tool[key] !== undefined)
}

/** How large it is to be, or which one, as code interpreters say it, and shells. */
function containerOf(tool: JsonObject): Pick<HostedTool, 'certain' | 'container' | 'isShell'> {
  const container = asText(tool.container) || asText(asObject(tool.environment)?.container_id)
  return {
    certain: gigabytesOf(tool),
    ...(container && { container }),
    ...(tool.type === 'shell' && { isShell: true as const }),
  }
}
