import { asArray, asObject, asText, type JsonObject } from '../json.ts'
import type { PictureTokens, TokenUsage, ToolUse } from '../usage.ts'
import { containersPaid, ranIn } from './ran-in.ts'

/** What an answer tells of the vendor's own tools, as far as they are paid for one by one. */
export function readToolUse(response: JsonObject, usage: JsonObject): ToolUse {
  const told = asObject(usage.server_side_tool_usage_details)
  if (told) return readTold(told)
  const items = readItems(response)
  const counted = asObject(usage.x_tools)
  return counted ? { ...items, ...readCounted(counted, items) } : items
}

/** Whether an item tells of one, other than of a client's own. */
export function tellsTool(item: JsonObject): boolean {
  const { type } = item
  return typeof type === 'string' && (paidItems.has(type) || ranIn(item) !== undefined)
}

/** Whether an item tells of what its vendor found and had the model read: how much that was is told at the end only. */
export function tellsFound(item: JsonObject): boolean {
  const { type } = item
  return typeof type === 'string' && (readItemTypes.has(type) || (tellsTool(item) && type !== DRAWING))
}

const DRAWING = 'image_generation_call'
const readItemTypes = new Set(['mcp_call', 'mcp_list_tools'])
const paidItems = new Set(['web_search_call', 'file_search_call', 'code_interpreter_call', DRAWING])

/** The same of an answer that has not come to its end: what ran was on offer. */
export function readItemsSoFar(items: readonly JsonObject[]): ToolUse {
  const tools = items.map(({ type }) => ({ type: String(type).replace(/_call$/, '') }))
  return readItems({ output: [...items], tools })
}

/** Names in the details of xAI, which counts itself, and only what succeeded. */
const toldNames = [
  ['code_interpreter_calls', 'code_interpreter'],
  ['file_search_calls', 'file_search'],
  ['document_search_calls', 'attachment_search'],
  ['image_generation_calls', 'image_generation'],
  ['x_search_calls', 'x_search'],
] as const

function readTold(told: JsonObject): ToolUse {
  const tools: Record<string, number> = {}
  for (const [field, name] of toldNames) if (countOf(told[field]) > 0) tools[name] = countOf(told[field])
  return { searches: countOf(told.web_search_calls) || undefined, ...someOf(tools) }
}

/** Ali counts what its tools did, and asks by that. Searches for pictures have a price of their own. */
function readCounted(counted: JsonObject, items: ToolUse): ToolUse {
  const countIn = (name: string): number => countOf(asObject(counted[name])?.count)
  const pictures = countIn('image_search') + countIn('web_search_image')
  return {
    searches: countIn('web_search') || items.searches,
    ...someOf({ ...items.tools, ...(pictures > 0 && { image_search: pictures }) }),
  }
}

function readItems(response: JsonObject): ToolUse {
  const tools: Record<string, number> = {}
  let searches = 0
  let pictures = 0
  for (const value of asArray(response.output)) {
    const item = asObject(value)
    if (item?.type === 'web_search_call') searches += Number(isSearch(item))
    else if (item?.type === 'file_search_call') tools.file_search = (tools.file_search ?? 0) + 1
    else if (item?.type === 'image_generation_call') pictures += Number(item.status !== 'failed')
  }
  // One call of the tool may be several searches: where the vendor tells how many it asks for, that counts.
  const asked = countOf(asObject(asObject(response.tool_usage)?.web_search)?.num_requests)
  if (asked > 0) searches = asked
  const offered = asArray(response.tools).map(asObject)
  const gigabytes = containersPaid(response)
  if (gigabytes > 0) tools.code_interpreter = gigabytes
  // A model that draws by itself tells of its pictures in the same words.
  if (pictures > 0 && offered.some(one => one?.type === 'image_generation')) tools.image_generation = pictures
  if (searches > 0 && offered.some(isPreview)) {
    tools.web_search_preview = searches
    searches = 0
  }
  return { searches: searches || undefined, ...someOf(tools), ...readPictures(response, offered) }
}

function someOf(tools: Record<string, number>): Pick<TokenUsage, 'tools'> {
  for (const _ in tools) return { tools }
  return {}
}

/** Looking at a page that was found costs nothing more. */
function isSearch({ action }: JsonObject): boolean {
  const type = asObject(action)?.type
  return type === undefined || type === 'search'
}

function isPreview(tool: JsonObject | undefined): boolean {
  return asText(tool?.type)?.startsWith('web_search_preview') === true
}

function readPictures(
  response: JsonObject,
  offered: readonly (JsonObject | undefined)[],
): Pick<TokenUsage, 'pictures'> {
  const told = asObject(asObject(response.tool_usage)?.image_gen)
  const output = countOf(told?.output_tokens)
  if (!told || output === 0) return {}
  const input = countOf(told.input_tokens)
  const imageInput = Math.min(input, countOf(asObject(told.input_tokens_details)?.image_tokens))
  const cached = asObject(told.cached_tokens_details)
  const cachedText = Math.min(input - imageInput, countOf(cached?.cached_text_tokens))
  const cachedImages = Math.min(imageInput, countOf(cached?.cached_image_tokens))
  const tool = offered.find(one => one?.type === 'image_generation')
  const pictures: PictureTokens = {
    ...{ model: asText(tool?.model) ?? '', input, imageInput, cachedText, cachedImages, output },
  }
  return { pictures }
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0
}
