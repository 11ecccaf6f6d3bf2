import type { Operation } from '../../../contract/override/operations.ts'
import type { AnswerDialect } from '../../dialects/dialect.ts'
import type { Framing } from '../../dialects/framing.ts'
import { hasOwnCalls } from '../../dialects/freeform-tools.ts'
import { nameField } from '../../dialects/gemini-interactions/check-request.ts'
import { dialects } from '../../dialects/index.ts'
import { asObject, type JsonObject } from '../../dialects/json.ts'
import { refuseFeature, refuseNamed } from '../../dialects/refuse.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'
import { AppError } from '../../errors.ts'
import { headersOf, signerOf, urlOf } from '../../providers/address-request.ts'
import { chooseEndpoint, insistingEndpoint, type Upstream } from '../../providers/choose-endpoint.ts'
import type { ChatEndpoint, Destination, Edits, Provider, VendorForm } from '../../providers/define.ts'
import { editTopLevel } from '../../providers/kit/edits/edit-json.ts'
import { withoutBodyTags } from '../labels/body-tags.ts'
import { inlineMedia, namesFiles } from '../media/inline-media.ts'
import type { Order } from '../order/order.ts'
import { OverrideRun } from '../override/override-run.ts'
import { mayNameModelTwice } from '../request/odd-names.ts'
import { refuseAccountData } from '../request/refuse-account-data.ts'
import type { Channel } from '../routing/channel.ts'
import type { ChannelSetting } from '../routing/channel-setting.ts'
import type { Outgoing } from '../upstream/outgoing.ts'
import { outgoingHeaders, overrideHeaders, REPEATED } from '../upstream/outgoing-headers.ts'
import type { Attempt } from '../upstream/try-channels.ts'
import { type Bridge, bridgeTo, cutFor, severalFrom, untoldStops } from './bridge-dialects.ts'
import type { ChatCall } from './chat-call.ts'
import { withoutDearFields, withoutDearTier, withoutOtherModels } from './dear-fields.ts'
import { leadToResponses, understood, wasRefused } from './lead-to-responses.ts'
import { limitOutput } from './limit-output.ts'
import { addSystemPrompt, withSystemPrompt } from './system-prompt.ts'

/** A chat request in the words of one upstream. */
export interface ComposedChat extends Outgoing {
  readonly dialect: AnswerDialect
  /** How a stream is framed that does not come as server-sent events. */
  readonly framing: Framing | undefined
  /** Whether the answer can be handed on as it comes. */
  readonly passes: boolean
  /** Whether the upstream streams what the client wants whole. */
  readonly gathers: boolean
  /** Whether the upstream is told the client's stop strings. */
  readonly tellsStops?: boolean
  /** The channel's `thinking_to_content`: thoughts become the beginning of the text. */
  readonly saysThoughts?: boolean | undefined
}

/** Why the same upstream is asked once more, and what is otherwise then. */
export type SecondTry = 'signed-anew' | 'without-thoughts' | 'without-stops' | 'without-summary'

/** The request for one upstream: the client's own text where the dialects are the same, otherwise written anew. */
export function composeChat(
  order: Order,
  call: ChatCall,
  attempt: Attempt,
  provider: Provider,
  again?: SecondTry,
): ComposedChat | Promise<ComposedChat> {
  const { setting } = attempt.channel
  const { endpoint, to: usual, url: chatUrl } = addressOf(call, attempt, provider)
  const url = call.route.compact ? chatUrl.replace(/(?=\?|$)/, '/compact') : chatUrl
  const to: Destination = again === 'without-thoughts' ? { ...usual, withoutThoughts: true } : usual
  const sameDialect = endpoint.dialect === call.dialect.name
  const bodyPasses =
    sameDialect && !holdsForeignSignature(call) && (endpoint.passes?.(call.body.text) ?? true)
  const gathers = to.stream && !call.outline.stream
  const spoken = dialectOf(endpoint)
  const refusesStops =
    call.outline.stops && (again === 'without-stops' || endpoint.takesStops?.(to.model) === false)
  const upstream = refusesStops ? { ...spoken, takeStops: () => [] } : spoken
  // A model that refused stop strings is one that thinks.
  const hidesThoughts =
    refusesStops && (again === 'without-stops' || endpoint.hidesThoughts?.(to.model) === true)
  const untold = refusesStops ? untoldStops(upstream, call.neutral()) : []
  const saysThoughts = setting.thinking_to_content && mayWriteAnew(call)
  const reformats =
    endpoint.rewordsAnswers ||
    saysThoughts ||
    (setting.force_format && call.outline.stream && mayReword(call))
  const passes = sameDialect && !reformats && !gathers && untold.length === 0
  if (!sameDialect && !mayReword(call)) refuseFeature('feature.interactions')
  if (call.route.compact && !bodyPasses) refuseNamed('compact')
  // Only who makes the answer can be asked after it, and its words then go to the client as they come.
  if (call.outline.background && !(bodyPasses && passes && endpoint.worksInBackground))
    refuseFeature('feature.background')
  // Calls of custom tools cannot be written anew: where the answer would have to be, nobody is asked.
  if (bodyPasses && !passes && hasOwnCalls(call.neutral())) refuseFeature('feature.custom-tools')
  const bridge = sameDialect ? undefined : bridgeTo(upstream, call.neutral(), hidesThoughts)
  const dialect =
    bridge?.dialect ??
    (passes ? spoken : cutFor(severalFrom(spoken, call.neutral()), call.neutral(), untold, hidesThoughts))
  const override = setting.operations && overrideOf(setting.operations, call, to)
  const composed = (body: string): ComposedChat => {
    const own = headersOf(provider, endpoint, to)
    const { request } = order.incoming
    const headers = outgoingHeaders(own, attempt, request, bodyPasses && !endpoint.hidesClientHeaders)
    // What is begun here is paid as one of its own: its vendor must not tell of an earlier one instead.
    if (call.outline.background) delete headers[REPEATED]
    return {
      dialect,
      framing: endpoint.framing,
      passes,
      gathers,
      url,
      to,
      signer: signerOf(provider, endpoint),
      socket: endpoint.socket,
      readProblem: endpoint.readProblem ?? dialect.readProblem,
      headers: overrideHeaders(headers, override, attempt, request),
      tellsStops: call.outline.stops && untold.length === 0,
      saysThoughts,
      body,
    }
  }
  const writing: Writing = { order, call, endpoint, to, setting, override, again }
  return bodyPasses ? composed(passOn(writing, untold.length > 0)) : writeAnew(writing, bridge).then(composed)
}

/** Not beside custom tools, whose calls cannot be written anew: they are worth more than how an answer is shown. */
export function mayWriteAnew(call: ChatCall): boolean {
  return call.dialect.name === 'openai-chat' && !hasOwnCalls(call.neutral())
}

/** Whether an answer that has come whole may be said as a stream, in the words that we have for it. */
export function maySayAnew(call: ChatCall): boolean {
  if (call.route.compact || !mayReword(call) || !understood(call)) return false
  return call.dialect.name !== 'openai-chat' || mayWriteAnew(call)
}

/** Interactions have no other words. */
function mayReword({ dialect }: ChatCall): boolean {
  return dialect.name !== 'gemini-interactions'
}

function overrideOf(operations: readonly Operation[], call: ChatCall, { model }: Destination): OverrideRun {
  const isLimited = call.limit !== undefined || call.outline.maxOutput !== undefined
  return new OverrideRun(operations, { model, askedModel: call.model, isLimited })
}

/** What is spoken at an address. */
function dialectOf({ dialect }: ChatEndpoint): VendorForm {
  return typeof dialect === 'string' ? dialects[dialect] : dialect
}

interface Address {
  readonly endpoint: ChatEndpoint
  readonly upstream: Upstream
  /** Whether some calls of the model have to be asked elsewhere. */
  readonly isPicky: boolean
  readonly to: Destination
  readonly url: string
}

/** Worked out once for each way of asking a channel; gone with the channel when it is changed. */
const addresses = new WeakMap<Channel, Map<string, Address>>()
const MOST_ADDRESSES = 1000

function addressOf(call: ChatCall, attempt: Attempt, provider: Provider): Address {
  const { channel, model, key } = attempt
  const { stream, hosted } = call.outline
  const searches = hosted?.some(tool => tool.name === 'web_search') === true
  const name = `${call.dialect.name} ${stream} ${searches} ${key} ${model}`
  const usual =
    addresses.get(channel)?.get(name) ??
    keepAddress(channel, name, () => {
      const upstream = upstreamOf(attempt, provider, stream)
      const endpoint = chooseEndpoint(provider, call.dialect.name, upstream, searches)
      return endpoint ? writeAddress(endpoint, upstream, provider) : refuseNamed('chat')
    })
  const { upstream, isPicky } = usual
  if ((!isPicky && !wasRefused(channel)) || usual.endpoint.dialect === 'openai-responses') return usual
  const endpoint = leadToResponses(call, channel, provider, upstream)
  if (!endpoint) return usual
  const led = `${name} led`
  return (
    addresses.get(channel)?.get(led) ??
    keepAddress(channel, led, () => writeAddress(endpoint, upstream, provider))
  )
}

function keepAddress(channel: Channel, name: string, write: () => Address): Address {
  const known = addresses.get(channel) ?? new Map<string, Address>()
  if (known.size >= MOST_ADDRESSES) known.clear()
  const address = write()
  addresses.set(channel, known.set(name, address))
  return address
}

function upstreamOf({ channel, model, key }: Attempt, provider: Provider, stream: boolean): Upstream {
  const { other, organization, setting, baseUrl = provider.baseUrl } = channel
  return { baseUrl, key, model, stream, other, organization, dialects: setting.dialects }
}

function writeAddress(endpoint: ChatEndpoint, upstream: Upstream, provider: Provider): Address {
  const { dialects: _, ...asked } = upstream
  const to: Destination = { ...asked, stream: asked.stream || endpoint.streamsOnly === true }
  const isPicky = insistingEndpoint(provider, upstream, 'thinking') !== undefined
  return { endpoint, upstream, isPicky, to, url: urlOf(endpoint, to) }
}

/** A body on its way, to whom, and what the operator wants done to it. */
interface Writing {
  readonly order: Order
  readonly call: ChatCall
  readonly endpoint: ChatEndpoint
  readonly to: Destination
  readonly setting: ChannelSetting
  readonly override: OverrideRun | undefined
  readonly again: SecondTry | undefined
}

/** The client's own text, with only what must be otherwise edited in place. */
function passOn({ order, call, endpoint, to, setting, override }: Writing, leavesOutStops: boolean): string {
  let edits: Edits | undefined
  const edit = (more: Edits | undefined): void => {
    if (more) edits = edits ? { ...edits, ...more } : more
  }
  if (endpoint.dialect === 'gemini-interactions') edit(nameAsked(call, to))
  else if (
    endpoint.dialect !== 'gemini' &&
    (to.model !== call.json.model || mayNameModelTwice(call.body.text))
  )
    edit({ model: to.model })
  if (call.route.playground) edit({ group: undefined })
  if (leavesOutStops && call.json.stop !== undefined) edit({ stop: undefined })
  if (to.stream && !call.outline.stream) edit({ stream: true })
  if (to.stream && endpoint.asksForUsage && !call.outline.wantsUsage) edit(askForUsage(call.json))
  edit(withoutOtherModels(call.json))
  edit(withoutBodyTags(call.json))
  if (!setting.allow_service_tier) edit(withoutDearFields(weighed(call), order))
  // Tools that were left out may name what they like.
  const asked = edits?.tools || edits?.input ? { ...call.json, ...edits } : call.json
  refuseAccountData(call.dialect.accountData, asked, setting)
  if (call.limit !== undefined && !call.route.compact)
    edit(limitOutput(call.dialect.name, edits ? { ...call.json, ...edits } : call.json, call.limit))
  if (setting.system_prompt !== undefined) edit(addSystemPrompt(call.dialect.name, call.json, setting))
  edit(endpoint.edit?.(edits ? { ...call.json, ...edits } : call.json, to, order.incoming.request.headers))
  edit(setting.param_override)
  if (override) edit(override.edits(edits ? { ...call.json, ...edits } : call.json))
  const { searchesUntold } = endpoint
  order.searchesUntold = searchesUntold?.(edits ? { ...call.json, ...edits } : call.json) ?? false
  return edits ? editTopLevel(call.body.text, edits) : call.body.text
}

/** A model, or an agent by a field of its own: of the other field nothing is left. */
function nameAsked({ json, limit }: ChatCall, to: Destination): Edits {
  const field = nameField(json)
  if (field === 'agent' && limit !== undefined) throw new AppError('gemini.agent-quota')
  const other = field === 'agent' ? 'model' : 'agent'
  return { [field]: to.model, ...(json[other] === undefined ? {} : { [other]: undefined }) }
}

/** Google's tools are not to be taken for others' of the same name: of those that pass, none costs extra untold. */
function weighed({ dialect, json }: ChatCall): JsonObject {
  return dialect.name === 'gemini-interactions' ? { ...json, tools: undefined } : json
}

async function writeAnew(
  { order, call, endpoint, to, setting, override, again }: Writing,
  bridge: Bridge | undefined,
): Promise<string> {
  const { parts, incoming } = order
  const inline = (request: NeutralRequest) => inlineMedia(parts, request, incoming.request.signal)
  const asked = needsInlined(endpoint, call) ? await call.withMedia(inline) : call.neutral()
  const instructed = withSystemPrompt(asked, setting)
  const allowed = setting.allow_service_tier ? instructed : withoutDearTier(instructed)
  const limited = call.limit === undefined ? allowed : { ...allowed, maxOutput: call.limit }
  const shown = again === 'without-summary' ? hideThoughts(limited) : limited
  const request = to.withoutThoughts ? leaveOutThoughts(shown) : shown
  const body = dialectOf(endpoint).writeRequest(bridge?.fit(request) ?? request, to)
  if (namesAccountData(endpoint, body))
    // In the caller's words, of which hosted tools are never said to another vendor.
    refuseAccountData(call.dialect.accountData, { ...call.json, tools: undefined }, setting)
  const edited = { ...body, ...endpoint.edit?.(body, to), ...setting.param_override }
  const written = override ? override.run(edited) : edited
  order.searchesUntold = endpoint.searchesUntold?.(written) ?? false
  return JSON.stringify(written)
}

/** A vendor's own form may say what it is told in any place. */
function namesAccountData({ dialect }: ChatEndpoint, body: JsonObject): boolean {
  return typeof dialect !== 'string' || dialects[dialect].accountData(body) !== undefined
}

function hideThoughts(request: NeutralRequest): NeutralRequest {
  return { ...request, reasoning: { ...request.reasoning, visible: false } }
}

function leaveOutThoughts(request: NeutralRequest): NeutralRequest {
  const messages = request.messages.map(message => ({
    ...message,
    parts: message.parts.filter(({ type }) => type !== 'thinking'),
  }))
  return { ...request, messages: messages.filter(({ parts }) => parts.length > 0) }
}

function needsInlined({ inlinesMedia }: ChatEndpoint, call: ChatCall): boolean {
  return inlinesMedia === 'files' ? namesFiles(call.neutral()) : inlinesMedia === true
}

/** How such signatures begin in a body: as they are, and in base64. */
const FOREIGN_MARKS = ['"tg1.', '"tg1r.', '"dGcxL', '"dGcxci']

/**
 * Signatures of other vendors travel through Gemini's dialect under marks of ours. Gemini would refuse them:
 * such a request is written anew, which leaves them out. Providers leave out those of the other dialects.
 */
function holdsForeignSignature({ dialect, body: { text } }: ChatCall): boolean {
  if (dialect.name !== 'gemini') return false
  return FOREIGN_MARKS.some(mark => text.includes(mark))
}

function askForUsage(body: JsonObject): Edits {
  return { stream_options: { ...asObject(body.stream_options), include_usage: true } }
}
