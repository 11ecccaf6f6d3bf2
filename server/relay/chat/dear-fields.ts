import { asArray, asObject, asText, isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'
import { tellsTools } from '../../dialects/tells-tools.ts'
import type { Edits } from '../../providers/define.ts'
import { gatewayFields } from '../request/gateway-fields.ts'
import { paidTool } from '../request/hosted-tools.ts'
import { isWeighty } from '../request/odd-names.ts'

/** Tiers that vendors ask more for than for the usual one; whoever relays would pay the difference. */
const dearTiers = new Set(['priority', 'fast', 'ultrafast', 'scale'])

interface Priced {
  hasToolPrice(tool: string): boolean
}

/** What a client cannot have at any price here is left out, unless the channel's operator lets it pass. */
export function withoutDearFields(body: JsonObject, order: Priced): Edits | undefined {
  const { service_tier, serviceTier, speed, plugins, provider, tools, input, search_options } = body
  const isPlain = service_tier === undefined && serviceTier === undefined && speed === undefined
  const hasMore = (plugins ?? provider ?? tools ?? search_options) !== undefined
  const tellsLater = Array.isArray(input) && input.some(tellsTools)
  if (isPlain && !hasMore && !tellsLater) return undefined
  return {
    ...(provider === undefined ? {} : withoutChosenVendors(provider)),
    ...(isDearTier(service_tier) ? { service_tier: undefined } : {}),
    ...(isDearTier(serviceTier) ? { serviceTier: undefined } : {}),
    ...(isDear(speed) ? { speed: undefined } : {}),
    ...(plugins === undefined ? {} : { plugins: undefined }),
    ...(tools === undefined ? {} : withoutDearTools(body, order)),
    ...(search_options === undefined ? {} : withOneSearch(search_options)),
    ...(tellsLater ? { input: input.map(withoutPaidLater) } : {}),
  }
}

export function withoutDearTier(request: NeutralRequest): NeutralRequest {
  return isDearTier(request.serviceTier) ? { ...request, serviceTier: undefined } : request
}

/** Google takes its own name for a tier as well (`SERVICE_TIER_PRIORITY`), and the number that stands for it. */
function isDearTier(value: Json | undefined): boolean {
  return typeof value === 'number' || isDear(asText(value)?.replace(/^service_tier_/i, ''))
}

function isDear(value: Json | undefined): boolean {
  return typeof value === 'string' && dearTiers.has(value.toLowerCase())
}

/** By which callers of OpenRouter's choose who serves a model, of vendors whose prices are not the same. */
const preferences: ReadonlySet<string> = new Set([
  ...['order', 'sort', 'preferred_min_throughput', 'preferred_max_latency'],
])
/** The same as conditions: whoever makes one is told that it cannot be kept. */
const conditions: ReadonlySet<string> = new Set(['only', 'ignore', 'quantizations'])

/** What else is said of vendors, such as that none may keep what it reads, stays. */
export function withoutChosenVendors(provider: Json | undefined): Edits {
  if (!isObject(provider)) return {}
  const condition = Object.keys(provider).find(name => conditions.has(name.toLowerCase()))
  if (condition !== undefined) refuseNamed(`provider.${condition}`)
  const kept = Object.entries(provider).filter(([name]) => !preferences.has(name.toLowerCase()))
  if (kept.length === Object.keys(provider).length) return {}
  return { provider: kept.length === 0 ? undefined : Object.fromEntries(kept) }
}

/** Ali's deepest search looks as often as it likes and does not tell how often; the next one looks once. */
function withOneSearch(options: Json): Edits {
  const strategy = asText(asObject(options)?.search_strategy)
  if (!isObject(options) || strategy?.toLowerCase() !== 'agent_max') return {}
  return { search_options: { ...options, search_strategy: 'agent' } }
}

/** What is paid by the piece is charged by the tools that the answer repeats, and those told of later are not among them. */
function withoutPaidLater(item: Json): Json {
  if (!tellsTools(item)) return item
  return { ...item, tools: asArray(item.tools).filter(tool => paidTool(tool) === undefined) }
}

/** Many clients offer a model every tool there is; who asks for nothing else is told that it cannot be had. */
function withoutDearTools({ tools: given, tool_choice }: JsonObject, order: Priced): Edits {
  const dearTool = (value: Json | undefined): string | undefined => {
    const name = paidTool(value)
    return name === undefined || order.hasToolPrice(name) ? undefined : asText(asObject(value)?.type)
  }
  const tools = asArray(given)
  const kept = tools.filter(tool => dearTool(tool) === undefined)
  if (kept.length === tools.length) return {}
  const feature = dearTool(tool_choice) ?? (kept.length === 0 ? tools.map(dearTool).find(Boolean) : undefined)
  if (feature !== undefined) refuseNamed(feature)
  return { tools: kept }
}

/** Upstreams that are gateways themselves turn to other models, and do as they are told besides. */
export function withoutOtherModels(body: JsonObject): Edits | undefined {
  let edits: Edits | undefined
  // A request has fewer fields than there are names here.
  for (const name in body) if (gatewayFields.has(name)) edits = { ...edits, [name]: undefined }
  const { extra_body, providerOptions, generationConfig, generation_config } = body
  if (extra_body !== undefined) edits = { ...edits, extra_body: withoutWeight(extra_body) }
  if (isObject(providerOptions) && providerOptions.gateway !== undefined)
    edits = { ...edits, providerOptions: withoutGateway(providerOptions) }
  if (mayRoute(generationConfig)) edits = { ...edits, generationConfig: withoutRouting(generationConfig) }
  if (mayRoute(generation_config)) edits = { ...edits, generation_config: withoutRouting(generation_config) }
  return edits
}

/** By which Google turns to another of its models, the caller's choice or its own. */
const routings = ['routingConfig', 'routing_config', 'modelConfig', 'model_config']

function mayRoute(config: Json | undefined): config is JsonObject {
  return isObject(config) && routings.some(name => config[name] !== undefined)
}

function withoutRouting(config: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(config).filter(([name]) => !routings.includes(name)))
}

/** Vercel's is told there which models and vendors may stand in, and is paid for the one that does. */
function withoutGateway({ gateway: _, ...rest }: JsonObject): JsonObject | undefined {
  return Object.keys(rest).length === 0 ? undefined : rest
}

/** Some of them put what is in there over what is beside it. */
function withoutWeight(extra: Json): Json {
  if (!isObject(extra)) return extra
  const mayStay = ([name]: readonly [string, unknown]): boolean =>
    !isWeighty(name) && !gatewayFields.has(name) && name.toLowerCase() !== 'provider'
  return Object.fromEntries(Object.entries(extra).filter(mayStay))
}
