import type { DialectName as TranslatedDialect } from '../../contract/dialects.ts'
import type { AppError } from '../errors.ts'
import type { Json, JsonObject } from './json.ts'
import type { TokenUsage } from './usage.ts'

export type { TokenUsage, TranslatedDialect }

/** Those that are put into each other's words, and Google's Interactions, which go to Google as they are. */
export type DialectName = TranslatedDialect | 'gemini-interactions'

// The neutral form between the four dialects. A reader fills in what its dialect can say; a writer says what
// its own can carry and treats the rest by the rule written beside the field here or in the writer.

// ── Requests ────────────────────────────────────────────────────────────────────────────────────────────

export interface NeutralRequest {
  readonly model: string
  readonly stream: boolean
  /** System texts that stood before the conversation. One inside it is a message of role `system`. */
  readonly system: readonly TextPart[]
  readonly messages: readonly Message[]
  readonly tools: readonly Tool[]
  readonly toolChoice?: ToolChoice | undefined
  readonly parallelTools?: boolean | undefined
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly topK?: number | undefined
  readonly frequencyPenalty?: number | undefined
  readonly presencePenalty?: number | undefined
  readonly seed?: number | undefined
  readonly stop?: readonly string[] | undefined
  readonly maxOutput?: number | undefined
  /** How many answers; one when absent. */
  readonly choices?: number | undefined
  /** How likely the tokens of the answer were, and this many others in the place of each. */
  readonly logprobs?: number | undefined
  readonly reasoning?: Reasoning | undefined
  readonly format?: Format | undefined
  readonly verbosity?: string | undefined
  readonly user?: string | undefined
  readonly serviceTier?: string | undefined
  readonly cacheKey?: string | undefined
  /** A chat client that wants the usage chunk at the end of the stream. */
  readonly wantsUsage?: boolean | undefined
  /** A chat client of the time when an answer had one call at most, and no id for it. */
  readonly oldCalls?: boolean | undefined
}

export interface Message {
  /** Tool results are parts of a user message, as many together as the dialect sent together. */
  readonly role: 'system' | 'user' | 'assistant'
  readonly parts: readonly Part[]
}

export type Part = TextPart | ImagePart | AudioPart | FilePart | ThinkingPart | ToolCallPart | ToolResultPart

export interface TextPart {
  readonly type: 'text'
  readonly text: string
  /** Asks that the prompt up to here be cached. */
  readonly cache?: CacheMark | undefined
  /** Gemini's signature of a text part; goes back to Gemini only. */
  readonly signature?: string | undefined
  /** The model declining, where the dialect marks that. */
  readonly refusal?: true | undefined
  readonly logprobs?: readonly TokenLogprob[] | undefined
}

/** How likely a token was, and others in its place. */
export interface TokenLogprob extends Logprob {
  readonly top: readonly Logprob[]
}

export interface Logprob {
  readonly token: string
  readonly logprob: number
  /** Of a token that is no whole character. */
  readonly bytes?: readonly number[] | undefined
}

export type CacheMark = 'minutes' | 'hour'

/** Bytes as base64, or where they are. `data` never has the `data:` prefix. */
export type Media =
  | { readonly data: string; readonly mediaType: string }
  | { readonly url: string; readonly mediaType?: string | undefined }
  | { readonly fileId: string }

export interface ImagePart {
  readonly type: 'image'
  readonly source: Media
  readonly detail?: string | undefined
  readonly cache?: CacheMark | undefined
}

export interface AudioPart {
  readonly type: 'audio'
  readonly source: Media
}

export interface FilePart {
  readonly type: 'file'
  readonly source: Media
  readonly name?: string | undefined
  readonly cache?: CacheMark | undefined
}

/** What a model thought. It goes back only where its signature came from; writers drop what they cannot prove. */
export interface ThinkingPart {
  readonly type: 'thinking'
  readonly text: string
  readonly signature?: Signature | undefined
  /** Thinking that its vendor keeps sealed. */
  readonly redacted?: string | undefined
}

/** Opaque, and valid only with the vendor that made it. */
export interface Signature {
  readonly by: TranslatedDialect
  readonly value: string
}

export interface ToolCallPart {
  readonly type: 'tool-call'
  readonly id: string
  readonly name: string
  /** JSON text of an object; '' is an empty object. */
  readonly input: string
  /** Gemini's thoughtSignature of the call. */
  readonly signature?: Signature | undefined
  readonly cache?: CacheMark | undefined
}

export interface ToolResultPart {
  readonly type: 'tool-result'
  readonly callId: string
  /** Known where the dialect names it, or where the call is in the same request. */
  readonly name?: string | undefined
  readonly content: readonly (TextPart | ImagePart | FilePart)[]
  readonly isError?: boolean | undefined
  readonly cache?: CacheMark | undefined
}

export type Tool =
  | {
      readonly type: 'function'
      readonly name: string
      readonly description?: string | undefined
      /** JSON Schema of the input; absent when it takes none. */
      readonly schema?: JsonObject | undefined
      readonly strict?: boolean | undefined
      readonly cache?: CacheMark | undefined
      /** Of a tool that takes a text: what is asked of that. To others the text is its one field. */
      readonly freeform?: JsonObject | undefined
      /** Of a tool in one of OpenAI's namespaces: its client's names for it. `name` is both in one. */
      readonly grouped?: Grouped | undefined
      /** The client's own search for tools that it has not told of yet. OpenAI has calls of a kind for that. */
      readonly findsTools?: true | undefined
    }
  /** The vendor's own search of the web, with the settings of the dialect it came in. */
  | { readonly type: 'web-search'; readonly settings: JsonObject; readonly by: TranslatedDialect }

export interface Grouped {
  readonly namespace: string
  readonly name: string
  /** What the whole namespace is for. */
  readonly description?: string | undefined
}

export type ToolChoice =
  | { readonly type: 'auto' | 'none' | 'required' }
  /** One of these must be called; with `auto`, only these may be. */
  | { readonly type: 'named'; readonly names: readonly string[]; readonly mode: 'required' | 'auto' }

export interface Reasoning {
  readonly effort?: Effort | undefined
  /** Tokens for thinking; 0 means none, −1 as many as the model likes. */
  readonly budget?: number | undefined
  /** Whether the thoughts (or their summary) are to be sent to the client. */
  readonly visible?: boolean | undefined
}
export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

export type Format =
  | { readonly type: 'json' }
  | {
      readonly type: 'schema'
      readonly name: string
      readonly schema: JsonObject
      readonly strict?: boolean | undefined
      readonly description?: string | undefined
    }

// ── Answers ─────────────────────────────────────────────────────────────────────────────────────────────

export interface NeutralAnswer extends Choice {
  readonly id: string
  readonly model: string
  /** Seconds since 1970. */
  readonly created: number
  readonly usage?: TokenUsage | undefined
  /** More answers to the same, in their order. */
  readonly others?: readonly Choice[] | undefined
}

export interface Choice {
  readonly parts: readonly AnswerPart[]
  readonly finish: Finish
}

export type AnswerPart = TextPart | ThinkingPart | ToolCallPart | CitationPart | MediaOutPart

/** A source of the text before it. */
export interface CitationPart {
  readonly type: 'citation'
  readonly url: string
  readonly title?: string | undefined
  readonly start?: number | undefined
  readonly end?: number | undefined
}

/** An image or sound the model made. */
export interface MediaOutPart {
  readonly type: 'media'
  readonly data: string
  readonly mediaType: string
  readonly signature?: string | undefined
}

export interface Finish {
  readonly reason: FinishReason
  /** Which stop string was met, where the vendor says. */
  readonly stopSequence?: string | undefined
  /** Why it was filtered, in words. */
  readonly explanation?: string | undefined
}
/** `broken-call`: the model called a tool in a way that its vendor could not read. */
export type FinishReason = 'stop' | 'stop-string' | 'length' | 'tools' | 'filtered' | 'paused' | 'broken-call'

// ── Streams ─────────────────────────────────────────────────────────────────────────────────────────────

/**
 * An answer in pieces. Readers guarantee the order: `start` first and once; per tool call `tool-start`, its
 * `tool-input-delta`s, `tool-end`; `finish` once, and `usage` (the last one counts) before or after it; after
 * `problem` nothing. Pieces of one kind need not be contiguous: writers open and close blocks as they need.
 */
export type StreamPart =
  | { readonly type: 'start'; readonly id: string; readonly model: string; readonly created: number }
  | {
      readonly type: 'text-delta'
      readonly text: string
      readonly signature?: string | undefined
      readonly logprobs?: readonly TokenLogprob[] | undefined
    }
  | { readonly type: 'refusal-delta'; readonly text: string }
  | { readonly type: 'thinking-delta'; readonly text: string }
  /** Ends the thinking block before it. */
  | { readonly type: 'thinking-signature'; readonly signature: Signature }
  | { readonly type: 'thinking-redacted'; readonly data: string; readonly by: TranslatedDialect }
  /** `index` tells the calls of one answer apart; calls may be interleaved. */
  | {
      readonly type: 'tool-start'
      readonly index: number
      readonly id: string
      readonly name: string
      readonly signature?: Signature | undefined
    }
  | { readonly type: 'tool-input-delta'; readonly index: number; readonly json: string }
  | { readonly type: 'tool-end'; readonly index: number }
  | { readonly type: 'citation'; readonly citation: CitationPart }
  | { readonly type: 'media'; readonly media: MediaOutPart }
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  | { readonly type: 'finish'; readonly finish: Finish }
  /** Produced and never said: the answer had ended before. It is paid for. */
  | { readonly type: 'unsaid'; readonly text: string }
  | { readonly type: 'problem'; readonly problem: Problem }
  /** Of another answer to the same; those of the first come without. Only where several were asked for. */
  | { readonly type: 'choice'; readonly index: number; readonly part: StreamPart }

// ── Errors ──────────────────────────────────────────────────────────────────────────────────────────────

/** An error in no dialect, for any of them to write. Its message is fit for the client to read. */
export interface Problem {
  readonly status: number
  readonly message: string
  /** Where the vendor had no words: ours, which `message` has in English. */
  readonly own?: AppError | undefined
  /** The vendor's or our own code, e.g. `model_not_found`; dialects that have no place for it leave it out. */
  readonly code?: string | null | undefined
  readonly param?: string | null | undefined
  /** The OpenAI `type` it came with; writers derive one from the status when there is none. */
  readonly type?: string | undefined
  /** Seconds after which the vendor says it may be tried again. */
  readonly retryAfter?: number | undefined
  /** By which Anthropic's clients tell errors of one type apart, e.g. `thread_not_found`. */
  readonly detail?: string | undefined
  /** Vendor details worth handing on, as they came. */
  readonly details?: Json | undefined
}
