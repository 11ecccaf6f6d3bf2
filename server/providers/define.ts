import type { UpstreamDialect } from '../dialects/dialect.ts'
import type { Framing } from '../dialects/framing.ts'
import type { JsonObject } from '../dialects/json.ts'
import type { DialectName, Problem } from '../dialects/spec.ts'

/** Where one request goes, as far as a provider may know: never who asked, and nothing of money. */
export interface Destination {
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly key: string
  /** As the upstream names it. */
  readonly model: string
  readonly stream: boolean
  /** The type-specific field of the channel. */
  readonly other: string
  readonly organization: string | undefined
  /** The vendor would not have the thoughts in the conversation: this time they are left out. */
  readonly withoutThoughts?: true | undefined
}

/** Top-level fields of a body to set; undefined removes one. */
export type Edits = JsonObject

/** One address of a vendor. */
export interface Endpoint {
  /** Path and query, or a whole URL. */
  readonly path: (to: Destination) => string
  /** Headers besides the credential's. */
  readonly headers?: ((to: Destination) => Record<string, string>) | undefined
  /** What this vendor must have otherwise. Absent or undefined: the body goes as it came. */
  readonly edit?: EditBody | undefined
  /** Where this address wants another proof than the provider's. */
  readonly credential?: Credential | undefined
  /** Instead of the provider's: what is added when all else of the request stands. */
  readonly signer?: Signer | undefined
  /** Whether this address is for this model and this key. Absent: for all. */
  readonly serves?: ((to: Destination) => boolean) | undefined
  /** Instead of the dialect's: an error in words that only this vendor has. */
  readonly readProblem?: UpstreamDialect['readProblem'] | undefined
}

/** A request with nothing missing but its proof. */
export interface Unsigned {
  readonly method: string
  readonly url: string
  /** In lower case, as they go out; `host` is the URL's. */
  readonly headers: Readonly<Record<string, string>>
  /** Exactly what goes out; '' when there is none. */
  readonly body: string | Uint8Array
}

/** What signing adds. */
export interface Proof {
  readonly url?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** What a signer may use of the world. */
export interface SigningTools {
  /** Asks through the guarded client and the channel's proxy; for the exchange of tokens. */
  readonly ask: (
    url: string,
    init: {
      readonly method: string
      readonly headers: Readonly<Record<string, string>>
      readonly body?: string
    },
  ) => Promise<Response>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Proves who we are by what depends on the whole request, or by a token that has to be fetched. */
export interface Signer {
  /** Throws `ProofRefused` when the vendor does not give one. */
  sign(request: Unsigned, to: Destination, tools: SigningTools): Proof | Promise<Proof>
  /** The vendor refused the proof with 401: drops what is kept. True when another try makes sense. */
  forget?(to: Destination): boolean
}

/** `client`: what the client sent as headers, where it speaks the dialect of this address. */
export type EditBody = (body: JsonObject, to: Destination, client?: Headers) => Edits | undefined
/** Headers that prove who we are. */
export type Credential = (key: string, to: Destination) => Record<string, string>

/** A vendor's own words for chat, in its own folder. */
export type VendorForm = UpstreamDialect<Destination>

/** How a model that is offered functions is to think: `unsaid` leaves it to the model. */
export type Calling = 'thinking' | 'unthinking' | 'unsaid'

/** A chat address and what is spoken there: one of the four dialects, or the vendor's own form. */
export interface ChatEndpoint extends Endpoint {
  readonly dialect: DialectName | VendorForm
  /** How its streams are framed; server-sent events when absent. */
  readonly framing?: Framing | undefined
  /** A WebSocket: the body is the one message that is sent, and every message that comes is a frame. */
  readonly socket?: true | undefined
  /** Answers in streams only: for clients that want the answer whole it is gathered here. */
  readonly streamsOnly?: true | undefined
  /** Whether a client's body in the same dialect can go as it came. Absent: yes; else it is written anew. */
  readonly passes?: ((text: string) => boolean) | undefined
  /** Its answers hold what clients of the same dialect do not know: they are read, and said in the usual words. */
  readonly rewordsAnswers?: true | undefined
  /** Keeps the headers that clients of the same dialect send to themselves. */
  readonly hidesClientHeaders?: true | undefined
  /** Whether a model can be told stop strings. Absent: those that its dialect has. At others answers are cut here. */
  readonly takesStops?: ((model: string) => boolean) | undefined
  /** Whether a model thinks and says nothing of it, where its dialect has no place for that. Absent: none does. */
  readonly hidesThoughts?: ((model: string) => boolean) | undefined
  /** Whether a model has to be asked here, whatever its client speaks. Absent: none has to. */
  readonly insists?: ((model: string, calling: Calling | undefined) => boolean) | undefined
  /** Whether a model searches the web here, and cannot where another dialect is spoken. Absent: none does. */
  readonly searches?: ((model: string) => boolean) | undefined
  /**
   * Whether such a body has the vendor search the web where nothing in the answer tells of it: the call is then
   * charged for one search.
   */
  readonly searchesUntold?: ((body: JsonObject) => boolean) | undefined
  /** Takes media only inside the request: what has an address is fetched here first. `files`: but for images. */
  readonly inlinesMedia?: true | 'files' | undefined
  /** Makes answers in the background, which are asked after at the same address. */
  readonly worksInBackground?: true | undefined
  /** Keeps conversations and containers, at addresses beside the one at which answers are made. */
  readonly keeps?: true | undefined
  /** Whether usage in a chat stream comes only when `stream_options.include_usage` asks for it. */
  readonly asksForUsage?: boolean | undefined
  /** An address that only the vendor itself has: not used when the operator set another base URL. */
  readonly vendorOnly?: boolean | undefined
}

/** The wire forms of capabilities that are not chat; `openai` means OpenAI's body and answer. */
export interface PlainEndpoint extends Endpoint {
  readonly form: 'openai' | 'gemini' | 'anthropic'
  /** What a client of this form must find otherwise in an answer that came whole. Absent: it goes as it came. */
  readonly editAnswer?: ((body: JsonObject) => Edits | undefined) | undefined
  /** For a vendor with a body of its own; `form` is then `openai`, whose words it is translated from and to. */
  readonly convert?: PlainConversion | undefined
}

/** A vendor's own words for what is not chat. Rerank is in Jina's words, a search in Perplexity's, all else in OpenAI's. */
export interface PlainConversion {
  /** The fields as the client sent them, with the model as the upstream names it. */
  writeRequest(fields: JsonObject, to: Destination): JsonObject
  /** For transcriptions: the body of a vendor that takes no form. */
  writeSound?(
    sound: Uint8Array,
    fields: JsonObject,
    to: Destination,
  ): { readonly body: string | Uint8Array<ArrayBuffer>; readonly type: string }
  /** With `usage` in it where the vendor counts. Undefined when it is no answer: then the upstream has failed. */
  readAnswer?(body: JsonObject, fields: JsonObject): JsonObject | undefined
  /** For speech that comes inside JSON. */
  readSound?(body: JsonObject, fields?: JsonObject): Sound | undefined
  /** The path to ask, again and again, while the answer is a promise; undefined when it is the answer. */
  nextPath?(body: JsonObject, to: Destination): string | undefined
  /** Whether callers name inputs of the model's own, of which any may say how many pictures it is to make. */
  readonly namesInputs?: boolean
}

export interface Sound {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: string
  /** How many characters the vendor counted for it; counted here when it does not say. */
  readonly characters?: number | undefined
}

/** How the operator's side asks a vendor for the names of its models; `none` when nobody lists them there. */
export type ModelList =
  | 'none'
  | {
      readonly path: string | ((to: Destination) => string)
      /** Undefined when the answer is no list. */
      readonly read: (answer: JsonObject) => readonly string[] | undefined
    }

/** What is left at a vendor. */
export interface Balance {
  readonly path: string | ((to: Destination) => string)
  /** Undefined when the answer does not say. */
  readonly read: (
    answer: JsonObject,
    to: Destination,
  ) => { readonly amount: number; readonly currency: 'USD' | 'CNY' } | undefined
}

/** Keys that end by themselves, and can be exchanged for others before. */
export interface KeyRenewal {
  /** Whether it is time. `now` is in seconds since 1970. */
  isDue(key: string, now: number): boolean
  /** The next key. The old one is of no use any more: whoever asks must keep the answer before it is used. */
  renew(key: string, baseUrl: string, tools: Pick<SigningTools, 'ask'>): Promise<string>
}

export const plainCapabilities = [
  'completions',
  'embeddings',
  'rerank',
  'moderations',
  'images',
  'image-edits',
  'speech',
  'transcriptions',
  'translations',
  'count-tokens',
  'search',
  'web-search',
  'ocr',
] as const
export type PlainCapability = (typeof plainCapabilities)[number]
export type Capability = 'chat' | 'realtime' | PlainCapability

/** Several where the address depends on the model or the key; the first that serves it is taken. */
export type PlainEndpoints = PlainEndpoint | readonly PlainEndpoint[]

export interface Provider extends Readonly<Partial<Record<PlainCapability, PlainEndpoints>>> {
  /** The number that a channel's `type` has; the whole family of tools knows it. */
  readonly type: number
  readonly id: string
  readonly name: string
  /** '' when only the operator knows it. */
  readonly baseUrl: string
  readonly models: readonly string[]
  readonly credential: Credential
  readonly signer?: Signer | undefined
  /** Every chat address it has; the first serves clients whose dialect it does not speak. */
  readonly chat?: readonly ChatEndpoint[] | undefined
  /** A WebSocket address, as https. */
  readonly realtime?: Endpoint | undefined
  /** An error that this vendor sends with status 200. */
  readonly readFailure?: ((body: JsonObject) => Problem | undefined) | undefined
  /** Says of usage what is not so: it is counted here. */
  readonly miscounts?: true | undefined
  /** Absent: as OpenAI lists them. */
  readonly modelList?: ModelList | undefined
  readonly balance?: Balance | undefined
  readonly renewal?: KeyRenewal | undefined
  /** Whether an operator's base URL is the whole address of chat: then there is no other, and nothing else. */
  readonly isWholeAddress?: ((baseUrl: string) => boolean) | undefined
}

export function defineProvider(provider: Provider): Provider {
  return provider
}
