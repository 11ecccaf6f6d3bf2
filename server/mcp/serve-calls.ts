import { asObject, asText, type JsonObject } from '../dialects/json.ts'
import { AppError } from '../errors.ts'
import { claimLimits, hasLimits } from '../relay/limits/enter-limits.ts'
import { noteRefusal } from '../relay/order/note-refusal.ts'
import { asProblem } from '../relay/problems.ts'
import { mayUseAll, mayUseTool, toolModel, type Usable } from './access.ts'
import { RpcFailure, type RpcRequest } from './json-rpc.ts'
import { joinAddresses, splitAddress, splitName } from './names.ts'
import { ToolCall } from './tool-call.ts'
import { SessionGone } from './upstream/exchange.ts'
import { askServer, serversOf, type Visit } from './visit.ts'

type Say = (notification: JsonObject) => void

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
  const call = new ToolCall(parts.relay, incoming, admitted, { usable, name, model })
  const claim = await enter(visit, model)
  try {
    await call.hold()
    const answer = await askServer(visit, usable.server, {
      id: request.id,
      method: request.method,
      params: { ...request.params, name },
      paramHeaders: paramHeadersOf(incoming.request),
      onNotification: notification => {
        call.streams = true
        say(notification)
      },
    })
    await call.settle(answer.resultType === 'input_required' ? 0 : 1)
    return visit.only === undefined ? joinAddresses(usable.server.name, answer) : answer
  } catch (error) {
    const { status, message } = asProblem(forTheLog(error), incoming)
    await call.cancel(status, message)
    throw error
  } finally {
    await claim?.end(0)
  }
}

/** What else is asked of one server by name: it is limited, and costs nothing. */
export async function askByName(visit: Visit, request: RpcRequest, say: Say): Promise<JsonObject> {
  const { id, method } = request
  const { asked, params, split } = whatIsAsked(request)
  const found = find(visit, asked, split)
  if (!found || !mayUseAll(found.usable.server, visit.admitted))
    throw new AppError('mcp.no-such', { name: asked.slice(0, LONGEST_NAME) })
  const { server } = found.usable
  const claim = await enter(visit, `mcp/${server.name}`)
  try {
    const answer = await askServer(visit, server, {
      id,
      method,
      params: params(found.name),
      onNotification: say,
    })
    return visit.only === undefined ? joinAddresses(server.name, answer) : answer
  } finally {
    await claim?.end(0)
  }
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

/** Counts it against its caller's limits, or refuses it; the log has a row of that. */
async function enter({ parts, incoming, admitted }: Visit, model: string) {
  if (!hasLimits(parts.relay, admitted)) return undefined
  try {
    return await claimLimits(parts.relay, admitted, 0)
  } catch (error) {
    noteRefusal(parts.relay, incoming, admitted, { model, stream: false }, error)
    throw error
  }
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
