import type { DialectName } from '../../dialects/spec.ts'
import type { PlainCapability } from '../../providers/define.ts'

/** What a path asks for. `dialect` is also the one that errors are written in. */
export type Route =
  | ChatRoute
  | {
      readonly kind: 'plain'
      readonly capability: PlainCapability
      readonly dialect: DialectName
      /** Named by the path, as Gemini does. */
      readonly model?: string
      /** Gemini's batch form of an embedding. */
      readonly batch?: boolean
    }
  | { readonly kind: 'models'; readonly dialect: DialectName; readonly id?: string }
  | { readonly kind: 'model-info'; readonly dialect: DialectName }
  | { readonly kind: 'billing'; readonly dialect: DialectName; readonly what: 'subscription' | 'usage' }
  | { readonly kind: 'realtime'; readonly dialect: DialectName }
  | { readonly kind: 'render'; readonly dialect: DialectName; readonly prompt: string }
  | { readonly kind: 'responses-socket'; readonly dialect: DialectName }
  | {
      readonly kind: 'stored'
      readonly dialect: StoringDialect
      readonly id: string
      /** What stands behind the id. */
      readonly what: '' | '/input_items' | '/cancel'
      readonly method: 'GET' | 'POST' | 'DELETE'
    }
  | PassRoute

/** Of whose answers the vendor stores each as a whole, and makes some in the background. */
export type StoringDialect = Extract<DialectName, 'openai-responses' | 'gemini-interactions'>

export type StoredRoute = Extract<Route, { kind: 'stored' }>

/** Any HTTP API: the service is the model, and all behind its name is for its upstream. */
export interface PassRoute {
  readonly kind: 'pass'
  readonly dialect: DialectName
  readonly model: string
  /** As it was sent; '' or with a slash before it. */
  readonly path: string
}

export interface ChatRoute {
  readonly kind: 'chat'
  readonly dialect: DialectName
  readonly model?: string
  readonly stream?: boolean
  /** Gemini without `alt=sse`: the stream is one JSON array. */
  readonly asArray?: boolean
  /** The conversation is to be made shorter, which only its own dialect knows. */
  readonly compact?: boolean
  /** The prompt that the path names. */
  readonly prompt?: string
  /** Session instead of token, group from the body. */
  readonly playground?: boolean
}

export const posts: Readonly<Record<string, Route>> = {
  '/v1/chat/completions': { kind: 'chat', dialect: 'openai-chat' },
  '/v1/responses': { kind: 'chat', dialect: 'openai-responses' },
  '/v1/responses/compact': { kind: 'chat', dialect: 'openai-responses', stream: false, compact: true },
  '/v1/messages': { kind: 'chat', dialect: 'anthropic' },
  '/v1/interactions': { kind: 'chat', dialect: 'gemini-interactions' },
  '/v1beta/interactions': { kind: 'chat', dialect: 'gemini-interactions' },
  '/pg/chat/completions': { kind: 'chat', dialect: 'openai-chat', playground: true },
  '/v1/completions': plain('completions'),
  '/v1/embeddings': plain('embeddings'),
  '/v1/rerank': plain('rerank'),
  '/v2/rerank': plain('rerank'),
  '/v1/moderations': plain('moderations'),
  '/v1/images/generations': plain('images'),
  '/v1/images/edits': plain('image-edits'),
  // As clients of this family's other gateways know it.
  '/v1/edits': plain('image-edits'),
  '/v1/audio/speech': plain('speech'),
  '/v1/audio/transcriptions': plain('transcriptions'),
  '/v1/audio/translations': plain('translations'),
  '/v1/alpha/search': plain('search'),
  '/v1/search': plain('web-search'),
  '/v1/ocr': plain('ocr'),
  '/v1/messages/count_tokens': { kind: 'plain', capability: 'count-tokens', dialect: 'anthropic' },
  '/v1/responses/input_tokens': { kind: 'plain', capability: 'count-tokens', dialect: 'openai-responses' },
}

/** Clients that encode a name whole encode the colon before its verb too. */
const geminiCall = /^\/(?:v1beta|v1)\/models\/(.{1,300})(?::|%3[Aa])([a-zA-Z]{1,40})$/
const asEvents = /[?&](?:\$|%24)?alt=sse(&|$)/i
const modelPath = /^\/(?:v1|v1beta|v1beta\/openai)\/models\/(.{1,300})$/
const enginePath = /^\/v1\/engines\/([^/:]{1,300})\/embeddings$/
/** As clients of LiteLLM name what searches for them. */
const searchPath = /^\/v1\/search\/([^/]{1,300})$/
const promptPath = /^\/v1\/prompts\/([^/]{1,300})\/(completions|render)$/
const passPath = /^\/pass\/([^/]{1,300})(\/.*)?$/s
const OPENAI = '/openai/'
const deploymentPath = /^\/openai\/deployments\/([^/]{1,300})\/(.{1,60})$/
const storedPath = /^\/v1\/responses\/([\w-]{1,200})(\/input_items|\/cancel)?$/
/** Clients encode the id whole. */
const interactionPath = /^\/(?:v1|v1beta)\/interactions\/((?:[\w=-]|%3[Dd]){1,200})(\/cancel)?$/
const billingPath = /^(?:\/v1)?\/dashboard\/billing\/(subscription|usage)$/

/** The route of a request, or undefined when nothing is served there. */
export function matchRoute(request: Request, path: string): Route | undefined {
  const { method } = request
  if (path.startsWith(OPENAI)) return matchUnderOpenai(request, path)
  if (method === 'POST')
    return (
      postAt(path) ??
      matchNamedModel(request.url, path) ??
      matchPrompt(path) ??
      matchStored(path, method) ??
      matchPass(path)
    )
  const read = method === 'GET' ? matchReading(request, path) : undefined
  return read ?? matchStored(path, method) ?? matchPass(path)
}

/** As clients of Azure call, who name the model in the path, and of vendors who have OpenAI's API beside their own. */
function matchUnderOpenai(request: Request, path: string): Route | undefined {
  if (path.startsWith(`${OPENAI}v1/`)) return matchRoute(request, path.slice(OPENAI.length - 1))
  const [, deployment, task] = deploymentPath.exec(path) ?? []
  if (deployment === undefined || request.method !== 'POST') return undefined
  const route = postAt(`/v1/${task}`)
  if (route?.dialect !== 'openai-chat' || (route.kind !== 'chat' && route.kind !== 'plain')) return undefined
  return { ...route, model: decode(deployment) }
}

function postAt(path: string): Route | undefined {
  return Object.hasOwn(posts, path) ? posts[path] : undefined
}

function matchNamedModel(url: string, path: string): Route | undefined {
  const engine = enginePath.exec(path)?.[1]
  if (engine !== undefined) return { ...plain('embeddings'), model: decode(engine) }
  const tool = searchPath.exec(path)?.[1]
  if (tool !== undefined) return { ...plain('web-search'), model: decode(tool) }
  const [, encoded, verb] = geminiCall.exec(path) ?? []
  if (encoded === undefined) return undefined
  const model = decode(encoded)
  const dialect = 'gemini'
  switch (verb) {
    case 'generateContent':
      return { kind: 'chat', dialect, model, stream: false }
    case 'streamGenerateContent':
      return { kind: 'chat', dialect, model, stream: true, asArray: !asEvents.test(url) }
    case 'countTokens':
      return { kind: 'plain', capability: 'count-tokens', dialect, model }
    case 'embedContent':
      return { kind: 'plain', capability: 'embeddings', dialect, model, batch: false }
    case 'batchEmbedContents':
      return { kind: 'plain', capability: 'embeddings', dialect, model, batch: true }
    default:
      return undefined
  }
}

/** What can be done with a response, or an interaction. Of what it was made from nothing can be deleted alone. */
const acts: Record<StoredRoute['method'], readonly string[]> = {
  GET: ['', '/input_items'],
  POST: ['/cancel'],
  DELETE: [''],
}

/** What a vendor stores of a response, or makes in the background. */
function matchStored(path: string, method: string): Route | undefined {
  if (method !== 'GET' && method !== 'POST' && method !== 'DELETE') return undefined
  const asResponse = storedPath.exec(path)
  const [, id, what = ''] = asResponse ?? interactionPath.exec(path) ?? []
  if (id === undefined || !acts[method].includes(what)) return undefined
  const dialect = asResponse ? 'openai-responses' : 'gemini-interactions'
  return { kind: 'stored', dialect, id: decode(id), what: what as StoredRoute['what'], method }
}

function matchPass(path: string): PassRoute | undefined {
  const [, service, rest = ''] = passPath.exec(path) ?? []
  return service === undefined
    ? undefined
    : { kind: 'pass', dialect: 'openai-chat', model: decode(service), path: rest }
}

/** As clients of Portkey call. */
function matchPrompt(path: string): Route | undefined {
  const [, encoded, verb] = promptPath.exec(path) ?? []
  if (encoded === undefined) return undefined
  const prompt = decode(encoded)
  if (verb === 'render') return { kind: 'render', dialect: 'openai-chat', prompt }
  return { kind: 'chat', dialect: 'openai-chat', prompt }
}

function matchReading(request: Request, path: string): Route | undefined {
  const { headers } = request
  if (path === '/v1/realtime') return { kind: 'realtime', dialect: 'openai-chat' }
  // Who asks without wanting a socket is told what it would be told of any other address.
  if (path === '/v1/responses' && wantsSocket(headers))
    return { kind: 'responses-socket', dialect: 'openai-responses' }
  if (path === '/v1/models' || path === '/v1/models/') return { kind: 'models', dialect: whoLists(headers) }
  // As clients of LiteLLM ask for models.
  if (path === '/v1/model/info') return { kind: 'model-info', dialect: 'openai-chat' }
  if (path === '/v1beta/models') return { kind: 'models', dialect: 'gemini' }
  if (path === '/v1beta/openai/models') return { kind: 'models', dialect: 'openai-chat' }
  const id = modelPath.exec(path)?.[1]
  if (id !== undefined) {
    const dialect = path.startsWith('/v1beta/models/') ? 'gemini' : whoLists(headers)
    return { kind: 'models', dialect, id: decode(id) }
  }
  const what = billingPath.exec(path)?.[1] as 'subscription' | 'usage' | undefined
  return what && { kind: 'billing', dialect: 'openai-chat', what }
}

export function wantsSocket(headers: Headers): boolean {
  return headers.get('upgrade')?.toLowerCase() === 'websocket' && headers.has('sec-websocket-key')
}

/** The same address is asked by clients of three vendors; each brings its own kind of header. */
function whoLists(headers: Headers): DialectName {
  if (headers.has('anthropic-version') || headers.has('x-api-key')) return 'anthropic'
  return headers.has('x-goog-api-key') ? 'gemini' : 'openai-chat'
}

/** The dialect to say "no such address" in, and errors that come before a route is known. */
export function dialectOfPath(path: string): DialectName {
  if (path.startsWith('/v1/messages')) return 'anthropic'
  if (path.startsWith('/v1beta/') && !path.startsWith('/v1beta/openai/')) return 'gemini'
  if (path.startsWith('/upload/') || path.startsWith('/v1/interactions')) return 'gemini'
  return 'openai-chat'
}

function plain(capability: PlainCapability) {
  return { kind: 'plain', capability, dialect: 'openai-chat' } as const
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
