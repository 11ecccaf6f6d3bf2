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
}

export type EditBody = (body: JsonObject, to: Destination) => Edits | undefined
/** Headers that prove who we are. */
export type Credential = (key: string, to: Destination) => Record<string, string>

/** A chat address and the dialect that is spoken there. */
export interface ChatEndpoint extends Endpoint {
  readonly dialect: DialectName
  /** Whether usage in a chat stream comes only when `stream_options.include_usage` asks for it. */
  readonly asksForUsage?: boolean | undefined
  /** An address that only the vendor itself has: not used when the operator set another base URL. */
  readonly vendorOnly?: boolean | undefined
}

/** The wire forms of capabilities that are not chat; `openai` means OpenAI's body and answer. */
export interface PlainEndpoint extends Endpoint {
  readonly form: 'openai' | 'gemini' | 'anthropic'
  /** What a client of this form must find otherwise in a plain answer. Absent: it goes as it came. */
  readonly editAnswer?: ((body: JsonObject) => Edits | undefined) | undefined
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
] as const
export type PlainCapability = (typeof plainCapabilities)[number]
export type Capability = 'chat' | 'realtime' | PlainCapability

export interface Provider extends Readonly<Partial<Record<PlainCapability, PlainEndpoint>>> {
  /** The number that a channel's `type` has; the whole family of tools knows it. */
  readonly type: number
  readonly id: string
  readonly name: string
  /** '' when only the operator knows it. */
  readonly baseUrl: string
  readonly models: readonly string[]
  readonly credential: Credential
  /** Every chat address it has; the first serves clients whose dialect it does not speak. */
  readonly chat?: readonly ChatEndpoint[] | undefined
  /** A WebSocket address, as https. */
  readonly realtime?: Endpoint | undefined
  /** An error that this vendor sends with status 200. */
  readonly readFailure?: ((body: JsonObject) => Problem | undefined) | undefined
  /** Whether an operator's base URL is the whole address of chat: then there is no other, and nothing else. */
  readonly isWholeAddress?: ((baseUrl: string) => boolean) | undefined
}

export function defineProvider(provider: Provider): Provider {
  return provider
}
