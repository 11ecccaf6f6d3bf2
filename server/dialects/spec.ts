import type { DialectName } from '../../contract/dialects.ts'
import type { AppError } from '../errors.ts'
import type { Json, JsonObject } from './json.ts'
import type { TokenUsage, ToolUse } from './usage.ts'
import type { StoredIds, StreamWatcher } from './watching.ts'

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
  readonly by: DialectName
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
    }
  /** The vendor's own search of the web, with the settings of the dialect it came in. */
  | { readonly type: 'web-search'; readonly settings: JsonObject; readonly by: DialectName }

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
  | { readonly type: 'thinking-redacted'; readonly data: string; readonly by: DialectName }
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
  /** Vendor details worth handing on, as they came. */
  readonly details?: Json | undefined
}

// ── Dialects ────────────────────────────────────────────────────────────────────────────────────────────

export type { DialectName, TokenUsage }

/** What a writer of requests has to know of where the request goes. */
export interface Target {
  /** As the upstream names it. */
  readonly model: string
  readonly stream: boolean
}

/** What a writer of answers has to know of who asked. */
export interface Asked {
  /** As the client named it. */
  readonly model: string
  readonly request: NeutralRequest
  /** For the dialects that name the input tokens before the upstream has counted them. */
  readonly estimatedInput: number
}

/** Turns an upstream's stream into parts. Made for one answer. */
export interface StreamReader {
  /** One frame, by its name and its data. Parts are handed on at once, in order. */
  read(event: string, data: string, emit: (part: StreamPart) => void): void
  /**
   * The upstream closed the connection. True when the answer was whole by then; what was left open (a tool
   * call) is closed first. False: the stream was cut.
   */
  end(emit: (part: StreamPart) => void): boolean
  /**
   * Present where not all frames that repeat have to be read. It is a promise: every delta is the whole value
   * of a string in its frame; and after a frame that brought one delta, and usage or not, one that differs in
   * that string alone brings that alone. Numbers that this finds may differ too: it is enough to know the last.
   */
  readonly mayVary?: RegExp | undefined
  /** True once the answer is whole though the upstream goes on: nothing more of it is wanted. */
  readonly hasEnough?: boolean | undefined
  /** True while the answer is whole and the upstream goes on, and what it cost is yet to be told. */
  readonly awaitsUsage?: boolean | undefined
  /** True once the model has thought and need not have said all of it: how long that was, only usage tells. */
  readonly hidesThoughts?: boolean | undefined
  /** The vendor's own tools that were used so far, where only the last usage tells. */
  readonly toolUse?: ToolUse | undefined
}

/** Turns parts into a client's stream. Made for one answer. Everything is text of whole frames. */
export interface StreamWriter {
  /** '' when the part has nothing to say yet. `finish` and `usage` are kept until `end`. */
  write(part: StreamPart): string
  /** The closing frames: last block, finish, usage, end mark. Sent only once the charge is on disk. */
  end(): string
  /** The closing frames of a stream that failed: never something that looks like a good end. */
  fail(problem: Problem): string
}

/** What is needed of whatever an upstream speaks: one of the four, or a vendor's own form. */
export interface UpstreamDialect<To extends Target = Target> {
  /** Refuses what this dialect cannot carry and must not lose. */
  writeRequest(request: NeutralRequest, target: To): JsonObject
  /** Undefined when it is no answer of this dialect at all: then the upstream has failed. */
  readAnswer(body: JsonObject): NeutralAnswer | undefined
  /** Usage of a plain answer; undefined when nothing usable is said, and then it is counted here. */
  readUsage(body: JsonObject): TokenUsage | undefined
  createReader(): StreamReader
  /** An upstream's error body (parsed, or its text when it is not JSON). */
  readProblem(status: number, body: unknown, headers?: Headers): Problem
  /** Those of the stop strings that can be said; at the others answers are cut here. Absent: all. */
  takeStops?(stops: readonly string[]): readonly string[]
  /** The field of an answer, and of a frame, with an entry for each of several answers. Absent: it gives one. */
  readonly severalIn?: SeveralIn | undefined
  /** Whether it can tell how likely its tokens were. */
  readonly tellsLogprobs?: true | undefined
  /** What a tool may be called. Absent: letters, digits, `_` and `-`, 64 at most. */
  readonly toolNames?: RegExp | undefined
}

export type SeveralIn = 'choices' | 'candidates'

/** What is needed to read answers. */
export type AnswerDialect = Omit<UpstreamDialect, 'writeRequest'>

/** What is needed of whatever a client speaks. */
export interface ClientDialect {
  readonly name: DialectName
  /** Refuses what is not a request of this dialect. */
  readRequest(body: JsonObject, path: { readonly model?: string; readonly stream?: boolean }): NeutralRequest
  writeAnswer(answer: NeutralAnswer, asked: Asked): JsonObject
  createWriter(asked: Asked): StreamWriter
  /** `wantsUsage` is false when a usage frame was asked for by us and not by the client. */
  createWatcher(options: { readonly wantsUsage: boolean }): StreamWatcher
  /** Whether these frames only open an answer, before its model has begun. Absent: none of this dialect's do. */
  opens?(frames: Uint8Array): boolean
  /** Whether an upstream's plain answer with usage may be none all the same: it holds nothing, or says that it failed. */
  isDoubtful(body: JsonObject): boolean
  /** The field of an answer, and of a frame, with an entry for each of several answers. Absent: it has one. */
  readonly severalIn?: SeveralIn | undefined
  /** What the upstream keeps of a plain answer, and ids of items that a request names instead of sending them. */
  storedIds?(body: JsonObject): StoredIds | undefined
  namedItems?(body: JsonObject): readonly string[]
  writeProblem(problem: Problem): JsonObject
  /** The frame that tells a client mid-stream, when nothing but passing frames on has been done so far. */
  writeStreamProblem(problem: Problem): string
  /** A frame that keeps a silent connection open, where clients of this dialect take one. */
  readonly keepAlive: string | undefined
}

/** Spoken on both sides. */
export interface Dialect extends UpstreamDialect, ClientDialect {}
