import type { Json, JsonObject } from '../../server/dialects/json.ts'
import type { FailureKind, Fixed } from './failure.ts'
import type { WireRequest } from './http.ts'
import type { Answer, Script } from './script.ts'
import type { Signatures } from './signatures.ts'
import type { Tally } from './tally.ts'

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
  readonly text: string
  /** Undefined when the body is no JSON. */
  readonly json: Json | undefined
  readonly form: FormData | undefined
  /** What a WebSocket client said, as it came. */
  readonly messages: JsonObject[]
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface Served {
  readonly path: string
  status: number
  /** What it told, or would have told had it not been cut, stopped or silenced. */
  tally: Tally
  /** The client closed before the answer was out. */
  aborted: boolean
  /** Bytes of the body that went out. */
  bytes: number
  frames: number
  /** The answer is out, or the client is gone. */
  readonly done: Promise<void>
}

export interface FakeUpstream {
  /** `http://127.0.0.1:port` */
  readonly url: string
  /** The one key it takes. */
  readonly key: string
  readonly requests: SeenRequest[]
  /** What a strict vendor would have refused; each was answered with the vendor's own 4xx. */
  readonly complaints: string[]
  readonly served: Served[]
  /** For one request that is not refused. Scripts queue up. */
  next(script: Script): void
  /** For every request with no script of its own. */
  always(script: Script): void
  /** The vendor's own words for a failure, or others in its form. */
  failWith(kind: FailureKind, message?: string): Answer
  /** A failure whose message gives away the key and the address. */
  failTellingSecrets(kind: FailureKind): Script
  stop(): Promise<void>
}

export interface UpstreamOptions {
  readonly key?: string
  /** Other keys that it takes, of vendors whose keys come whole in a header. */
  readonly moreKeys?: readonly string[]
  /** Strings that must never arrive: a client's token, an inner address. */
  readonly forbid?: readonly string[]
  /** Models it has; any when unset. */
  readonly models?: readonly string[]
  /** Top-level fields that it takes beside the vendor's own. */
  readonly accept?: readonly string[]
  /** Signatures shared with another fake of the same vendor. */
  readonly signatures?: Signatures
}

/** One request on its way through a vendor. */
export interface Call {
  readonly seen: SeenRequest
  /** The body, when the route takes JSON. */
  readonly body: JsonObject
  /** Named groups of the path. */
  readonly params: Readonly<Record<string, string>>
  readonly options: UpstreamOptions
  readonly signatures: Signatures
  /** Ids that are never the same twice: `call_00000001`. */
  newId(prefix: string, digits: number): string
}

/** What a route says: a body, or frames when it streams. */
export interface Rendered {
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly frames?: readonly string[]
  /** Puts a frame into bytes, where it goes out otherwise than as text. */
  readonly pack?: (frame: string) => Uint8Array
  /** Says some more text, for streams without an end. */
  readonly moreText?: string
  readonly errorFrame?: string
  readonly tally: Tally
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: RegExp
  /** Names of the query that it knows. */
  readonly query?: readonly string[]
  readonly takes: 'json' | 'form' | 'bytes' | 'nothing'
  /** Throws what the vendor would refuse. */
  check?(call: Call): void
  answer(call: Call, answer: Answer): Rendered | Promise<Rendered>
}

export interface Vendor {
  readonly name: string
  readonly key: string
  /** Headers that carry the key; none of the other vendors' may be there. */
  readonly keyHeaders: readonly string[]
  readonly routes: readonly Route[]
  /** Throws when the key is not the one. */
  authorize(seen: SeenRequest, key: string): void
  fail(kind: FailureKind, message?: string): Fixed
  /** A WebSocket handshake at this path is a conversation. */
  readonly socket?: {
    readonly path: RegExp
    talk(talk: SocketTalk): Promise<void>
  }
}

export interface SocketTalk {
  readonly call: Call
  readonly answer: Answer
  readonly served: Served
  /** False when the client has left or the script cut the line. */
  say(event: JsonObject): Promise<boolean>
  /** Undefined when the client has left. */
  hear(): Promise<JsonObject | undefined>
}

/** Thrown by checks; becomes a complaint and the vendor's own answer. */
export class Refusal extends Error {
  readonly fixed: Fixed

  constructor(message: string, fixed: Fixed) {
    super(message)
    this.fixed = fixed
  }
}

/** For a vendor that wants its key as a bearer's, and nothing else. */
export function bearerOnly(fail: Vendor['fail']): Vendor['authorize'] {
  return ({ headers }, key) => {
    if (headers.authorization !== `Bearer ${key}`) throw new Refusal('the key is wrong', fail('bad-key'))
  }
}

export async function readSeen(wire: WireRequest): Promise<SeenRequest> {
  const mark = wire.target.indexOf('?')
  const path = mark < 0 ? wire.target : wire.target.slice(0, mark)
  const type = wire.headers['content-type'] ?? ''
  const text = new TextDecoder().decode(wire.body)
  return {
    method: wire.method,
    path,
    query: Object.fromEntries(new URLSearchParams(mark < 0 ? '' : wire.target.slice(mark + 1))),
    headers: wire.headers,
    bytes: wire.body,
    text,
    json: parseJson(text),
    form: type.startsWith('multipart/form-data') ? await readForm(wire.body, type) : undefined,
    messages: [],
    at: Date.now(),
  }
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function readForm(body: Uint8Array, type: string): Promise<FormData | undefined> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  } catch {
    return undefined
  }
}
