import { asObject, asText, type JsonObject } from '../dialects/json.ts'
import { AppError } from '../errors.ts'
import { endWith } from '../relay/contents/transcript.ts'
import { claimLimits, hasLimits } from '../relay/limits/enter-limits.ts'
import { LimitReached } from '../relay/limits/limit-reached.ts'
import { noteRefusal } from '../relay/order/note-refusal.ts'
import { asProblem } from '../relay/problems.ts'
import { ClientGone } from '../relay/stream/client-gone.ts'
import type { ToolTrace } from '../relay/tracing/tool-trace.ts'
import { mayUseAll, mayUseTool, toolModel, type Usable } from './access.ts'
import { RpcFailure, type RpcRequest, resultOf } from './json-rpc.ts'
import type { McpServer } from './mcp-server.ts'
import { joinAddresses, splitAddress, splitName } from './names.ts'
import { errorOf } from './refuse.ts'
import { type Called, ToolCall } from './tool-call.ts'
import { guardCall, guardFailure, mayBeHeard } from './tool-guard.ts'
import { textsOfAnswer, textsOfCall } from './tool-texts.ts'
import { failureOf, type NamedTool, outcomeOf, traceTool } from './trace-tool.ts'
import { SessionGone } from './upstream/exchange.ts'
import { askServer, type Say, serversOf, type Visit } from './visit.ts'

/** How long a model's name may be in the log. */
const LONGEST_MODEL = 255
/** A tool's name as an error tells it. */
const LONGEST_NAME = 128

/** A call of a tool: it is limited, paid, and in the log, however it ends. */
export async function callTool(visit: Visit, request: RpcRequest, say: Say): Promise<JsonObject> {
  const { parts, incoming, admitted } = visit
  const asked = asText(request.params.name) ?? ''
  const found = find(visit, asked, splitName)
  const refusal = new AppError('mcp.no-tool', { tool: asked.slice(0, LONGEST_NAME) })
  if (!found) throw refusal
  const { usable, name } = found
  const model = toolModel(usable.server.name, name).slice(0, LONGEST_MODEL)
  if (!mayUseTool(usable.server, admitted, name)) {
    noteRefusal(parts.relay, incoming, admitted, { model, stream: false }, refusal)
    throw refusal
  }
  const trace = traceTool(visit, request, { usable, name, model })
  try {
    const answer = await serveTool(visit, request, { usable, name, model }, say, trace)
    trace?.end(outcomeOf(answer))
    if (incoming.transcript) endWith(incoming.transcript, JSON.stringify(resultOf(request.id, answer)))
    return answer
  } catch (error) {
    trace?.end(failureOf(error))
    if (incoming.transcript)
      endWith(incoming.transcript, JSON.stringify(errorOf(request.id, error, incoming)))
    throw error
  }
}

/** Read by the rules that look for themselves, limited, and paid. */
async function serveTool(
  visit: Visit,
  request: RpcRequest,
  { usable, name, model }: NamedTool,
  say: Say,
  trace: ToolTrace | undefined,
): Promise<JsonObject> {
  const { incoming } = visit
  const { server, groups } = usable
  const params = { ...request.params, name }
  const headers = paramHeadersOf(incoming.request)
  const guard = guardCall(visit, model, { params, headers })
  if (!guard?.asksFirst) keepContent(visit, request, params)
  const { group, claim } = await enter(visit, groups, model)
  if (trace) trace.group = group
  try {
    const call = begin(visit, { server, group, name, model })
    call.guard = guard
    call.trace = trace
    const answer = await payFor(visit, call, server, { request, params, headers, say })
    return visit.only === undefined ? joinAddresses(server.name, answer) : answer
  } finally {
    await claim?.end(0)
  }
}

/** One that cannot begin, as with labels that are none, leaves its row too. */
function begin({ parts, incoming, admitted }: Visit, called: Called): ToolCall {
  try {
    return new ToolCall(parts.relay, incoming, admitted, called)
  } catch (error) {
    noteRefusal(parts.relay, incoming, admitted, { model: called.model, stream: false }, error)
    throw error
  }
}

interface Asking {
  readonly request: RpcRequest
  /** The request's, by the name that the server has for the tool. */
  readonly params: JsonObject
  readonly headers: Record<string, string>
  readonly say: Say
}

/** The answer, once it is paid; whatever fails gives the money back. */
async function payFor(
  visit: Visit,
  call: ToolCall,
  server: McpServer,
  { request, params, headers, say }: Asking,
): Promise<JsonObject> {
  const { guard, trace } = call
  let isHeard = false
  try {
    await call.hold()
    if (guard?.asksFirst) {
      await guard.askRequest(textsOfCall(params, headers))
      keepContent(visit, request, params)
    }
    trace?.noteAsked()
    const answer = await askServer(visit, server, {
      id: request.id,
      method: request.method,
      params,
      paramHeaders: headers,
      onNotification: notification => {
        if (guard && !mayBeHeard(guard, notification)) return
        call.streams = true
        if (say(notification) && tellsSomething(notification)) isHeard = true
      },
    })
    trace?.noteAnswered()
    if (guard?.rules.output) await guard.readAnswer(textsOfAnswer(answer))
    await call.settle(answer.resultType === 'input_required' ? 0 : 1)
    return answer
  } catch (failure) {
    const error = await guardFailure(guard, failure)
    // As with models: who has heard a part of the answer and leaves pays for it.
    if (isHeard && isClientsOwn(error)) await call.settle(1)
    else {
      const { status, message } = asProblem(forTheLog(error), visit.incoming)
      await call.cancel(status, message)
    }
    throw error
  }
}

/** Words, and not only how far it is. */
function tellsSomething({ method, params }: JsonObject): boolean {
  return method === 'notifications/message' || Boolean(asText(asObject(params)?.message))
}

/** Why the client itself has ended a call. */
function isClientsOwn(error: unknown): boolean {
  return error instanceof ClientGone || (error instanceof AppError && error.code === 'mcp.cancelled')
}

/** Where what is asked and answered is kept: the request as it goes on, under the name that its client has for it. */
function keepContent({ parts, incoming, admitted }: Visit, request: RpcRequest, params: JsonObject): void {
  const { id, method } = request
  incoming.transcript = parts.relay.contents.open(incoming, admitted, {
    json: params,
    get text() {
      return JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, name: request.params.name } })
    },
  })
}

/** What else is asked of one server by name: it is limited, and costs nothing. */
export async function askByName(visit: Visit, request: RpcRequest, say: Say): Promise<JsonObject> {
  const { id, method } = request
  const { asked, params, split } = whatIsAsked(request)
  const found = find(visit, asked, split)
  if (!found || !mayUseAll(found.usable.server, visit.admitted))
    throw new AppError('mcp.no-such', { name: asked.slice(0, LONGEST_NAME) })
  const { server, groups } = found.usable
  const model = `mcp/${server.name}`
  const spoken = params(found.name)
  const guard = guardCall(visit, toolModel(server.name, found.name).slice(0, LONGEST_MODEL), {
    params: spoken,
  })
  const { claim } = await enter(visit, groups, model)
  try {
    if (guard?.asksFirst) await guard.askRequest(textsOfCall(spoken))
    const answer = await askServer(visit, server, {
      id,
      method,
      params: spoken,
      onNotification: notification => {
        if (!guard || mayBeHeard(guard, notification)) say(notification)
      },
    })
    if (guard?.rules.output) await guard.readAnswer(textsOfAnswer(answer))
    return visit.only === undefined ? joinAddresses(server.name, answer) : answer
  } catch (failure) {
    const error = await guardFailure(guard, failure)
    if (isRefusal(error)) {
      const { parts, incoming, admitted } = visit
      noteRefusal(parts.relay, incoming, admitted, { model, stream: false }, error, guard?.tally.seen)
    }
    throw error
  } finally {
    await claim?.end(0)
  }
}

/** These calls leave no line in the log, but what a rule stops does. */
function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code.startsWith('guard.')
}

interface Asked {
  readonly asked: string
  /** The same request by the name that the server has for it. */
  readonly params: (name: string) => JsonObject
  readonly split: typeof splitName
}

function whatIsAsked({ method, params }: RpcRequest): Asked {
  if (method === 'resources/read') {
    const asked = asText(params.uri) ?? ''
    return { asked, params: uri => ({ ...params, uri }), split: splitAddress }
  }
  if (method === 'prompts/get') {
    const asked = asText(params.name) ?? ''
    return { asked, params: name => ({ ...params, name }), split: splitName }
  }
  const ref = asObject(params.ref) ?? {}
  const field = ref.type === 'ref/resource' ? 'uri' : 'name'
  return {
    asked: asText(ref[field]) ?? '',
    params: name => ({ ...params, ref: { ...ref, [field]: name } }),
    split: field === 'uri' ? splitAddress : splitName,
  }
}

/** Whose it is: that of the one server of this address, or the one that its name begins with. */
function find(
  visit: Visit,
  asked: string,
  split: typeof splitName,
): { readonly usable: Usable; readonly name: string } | undefined {
  const usable = serversOf(visit)
  if (visit.only !== undefined) {
    const [one] = usable
    if (!one) throw new AppError('mcp.no-server', { server: visit.only })
    return asked === '' ? undefined : { usable: one, name: asked }
  }
  const parts = split(asked)
  const one = parts && usable.find(({ server }) => server.name === parts.server)
  return one && parts.name !== '' ? { usable: one, name: parts.name } : undefined
}

/**
 * Counts it against its caller's limits, and those of the first group that is not at its own; or refuses it, of which the
 * log has a row.
 */
async function enter({ parts, incoming, admitted }: Visit, groups: readonly string[], model: string) {
  let refusal: unknown
  for (const group of groups) {
    const served = { ...admitted, group }
    if (!hasLimits(parts.relay, served)) return { group, claim: undefined }
    try {
      return { group, claim: await claimLimits(parts.relay, served, 0) }
    } catch (error) {
      refusal = error
      if (!(error instanceof LimitReached && error.code.startsWith('limit.group-'))) break
    }
  }
  noteRefusal(parts.relay, incoming, admitted, { model, stream: false }, refusal)
  throw refusal
}

/** Those that repeat arguments for whoever stands between client and server. */
function paramHeadersOf({ headers }: Request): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, value] of headers) if (name.startsWith('mcp-param-')) found[name] = value
  return found
}

function forTheLog(error: unknown): unknown {
  if (error instanceof SessionGone) return new AppError('mcp.session')
  return error instanceof RpcFailure ? new AppError('mcp.said', { said: error.message.slice(0, 300) }) : error
}
