import { dialects } from '../../server/dialects/index.ts'
import type { JsonObject } from '../../server/dialects/json.ts'
import { headersOf, signerOf, urlOf } from '../../server/providers/address-request.ts'
import { chooseEndpoint } from '../../server/providers/choose-endpoint.ts'
import type { Provider } from '../../server/providers/define.ts'
import { providerOf } from '../../server/providers/index.ts'
import { asRecord } from '../../server/providers/kit/answers/ndjson.ts'
import { ChatCall } from '../../server/relay/chat/chat-call.ts'
import type { ComposedChat } from '../../server/relay/chat/compose-chat.ts'
import type { TokenCounter } from '../../server/relay/counting/token-counter.ts'
import { lookAtRequest } from '../../server/relay/request/look-at-request.ts'
import type { ChatRoute } from '../../server/relay/request/match-route.ts'
import type { Conveyor } from '../../server/relay/stream/conveyor.ts'
import { makeConveyor } from '../../server/relay/stream/make-conveyor.ts'
import { cutFrames } from './cut-frames.ts'
import type { Vendor } from './vendors.ts'

/** A stream as the vendor sent it, and what carries it to a client that speaks OpenAI's chat. */
export interface Recorded {
  readonly name: string
  readonly frames: readonly Uint8Array[]
  readonly passes: boolean
  /** False for a vendor that sends its answers whole. */
  readonly streams: boolean
  createConveyor(counter: TokenCounter): Conveyor
}

const route: ChatRoute = { kind: 'chat', dialect: 'openai-chat' }

/** Asks the fake once, as the relay would, for an answer in these pieces. */
export async function recordStream(vendor: Vendor, pieces: readonly string[]): Promise<Recorded> {
  const provider = providerOf(vendor.type)
  const [first = ''] = pieces
  if (!provider) throw new Error(`There is no type ${vendor.type}`)
  const fake = await vendor.start()
  try {
    const { url, key } = fake
    fake.always({ reply: { text: pieces.join('') }, pieceChars: first.length })
    const call = callFor(vendor.model)
    const composed = compose(provider, vendor, call, url + (vendor.base ?? ''), key)
    const bytes = composed.socket ? await askBySocket(composed) : await ask(composed)
    if (fake.complaints.length > 0) throw new Error(`${provider.name}: ${fake.complaints.join(', ')}`)
    const frames = cutFrames(bytes, composed.framing)
    return {
      name: vendor.api === undefined ? provider.name : `${provider.name}, ${vendor.api}`,
      frames,
      passes: composed.passes,
      streams: frames.length > 1,
      createConveyor: counter => makeConveyor(counter, call, composed),
    }
  } finally {
    await fake.stop()
  }
}

function callFor(model: string): ChatCall {
  const json = {
    model,
    messages: [{ role: 'user', content: 'Tell me a long story.' }],
    stream: true,
    stream_options: { include_usage: true },
  }
  const body = { text: JSON.stringify(json), json }
  return new ChatCall(route, body, lookAtRequest(route.dialect, body, route))
}

function compose(
  provider: Provider,
  { model, other = '' }: Vendor,
  call: ChatCall,
  baseUrl: string,
  key: string,
): ComposedChat {
  const to = { baseUrl, key, model, stream: true, other, organization: undefined }
  const endpoint = chooseEndpoint(provider, route.dialect, to)
  if (!endpoint) throw new Error(`${provider.name} has no chat`)
  const dialect = typeof endpoint.dialect === 'string' ? dialects[endpoint.dialect] : endpoint.dialect
  const body: JsonObject = dialect.writeRequest(call.neutral(), to)
  const headers = { ...headersOf(provider, endpoint, to), 'content-type': 'application/json' }
  return {
    dialect,
    framing: endpoint.framing,
    passes: endpoint.dialect === route.dialect,
    gathers: false,
    url: urlOf(endpoint, to),
    to,
    signer: signerOf(provider, endpoint),
    socket: endpoint.socket,
    readProblem: dialect.readProblem,
    headers,
    body: JSON.stringify({ ...body, ...endpoint.edit?.(body, to) }),
  }
}

interface Signed {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string
}

async function sign({ url, headers, body, to, signer, socket }: ComposedChat): Promise<Signed> {
  const unsigned = { method: socket ? 'GET' : 'POST', url, headers, body: String(body) }
  const proof = await signer?.sign(unsigned, to, { ask: fetch, now: Date.now })
  return { url: proof?.url ?? url, headers: { ...headers, ...proof?.headers }, body: unsigned.body }
}

async function ask(composed: ComposedChat): Promise<Uint8Array> {
  const { url, headers, body } = await sign(composed)
  const response = await fetch(url, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response.bytes()
}

/** The messages as they are put together for the conveyor. */
async function askBySocket(composed: ComposedChat): Promise<Uint8Array> {
  const { url, body } = await sign(composed)
  const socket = new WebSocket(url.replace(/^http/, 'ws'))
  let records = ''
  return new Promise((resolve, reject) => {
    socket.onopen = () => socket.send(body)
    socket.onmessage = ({ data }) => {
      records += asRecord(String(data))
    }
    socket.onclose = () => resolve(new TextEncoder().encode(records))
    socket.onerror = () => reject(new Error(`${url}: the socket failed`))
  })
}
