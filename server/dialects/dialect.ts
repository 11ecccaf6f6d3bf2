import type { FindAccountData } from './account-data.ts'
import type { JsonObject } from './json.ts'
import type { DialectName, NeutralAnswer, NeutralRequest, Problem, StreamPart, TokenUsage } from './spec.ts'
import type { ToolUse } from './usage.ts'
import type { StoredIds, StreamWatcher } from './watching.ts'

// What a dialect does: from the neutral form (`spec.ts`) and into it, on the side of clients and of upstreams.

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
   * Present where a frame that is like the one before need not be parsed: its text is cut out instead. The reader
   * promises: every delta is the whole value of a string in its frame. When a frame has brought one delta, with or
   * without usage, the next one that differs in that string alone brings that delta alone. Numbers that the pattern
   * finds may differ too; of those it is enough to know the last.
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
  /** Usage of an answer that came whole; undefined when nothing usable is said, and then it is counted here. */
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

export interface WatcherOptions {
  /** False when a usage frame was asked for by us and not by the client. */
  readonly wantsUsage: boolean
  /** Whether a search is on offer that only its calls tell of. */
  readonly mayOwnSearch?: boolean | undefined
  /** Whether there may be more than one answer: of each that has begun it is to be known whether it ends. */
  readonly several?: boolean | undefined
}

/** What is needed of whatever a client speaks. */
export interface ClientDialect {
  readonly name: DialectName
  /** Refuses what is not a request of this dialect. */
  readRequest(body: JsonObject, path: { readonly model?: string; readonly stream?: boolean }): NeutralRequest
  writeAnswer(answer: NeutralAnswer, asked: Asked): JsonObject
  createWriter(asked: Asked): StreamWriter
  /** What a client is shown, and what has to be looked for in its answer. */
  createWatcher(options: WatcherOptions): StreamWatcher
  /** Whether these frames only open an answer, before its model has begun. Absent: none of this dialect's do. */
  opens?(frames: Uint8Array): boolean
  /** Whether what came whole and has usage may be no answer all the same: it holds nothing, or says that it failed. */
  isDoubtful(body: JsonObject): boolean
  /** The field of an answer, and of a frame, with an entry for each of several answers. Absent: it has one. */
  readonly severalIn?: SeveralIn | undefined
  /** Whether an upstream is to store its answer to a request. Absent: this dialect's never do. */
  stores?(request: JsonObject): boolean
  /** What the upstream stores of an answer that came whole. */
  storedIds?(body: JsonObject): StoredIds | undefined
  /** Ids of stored items that a request names instead of sending them. */
  namedItems?(body: JsonObject): readonly string[]
  /** Where a request names what is only for the owner of the account that it goes to. */
  readonly accountData: FindAccountData
  writeProblem(problem: Problem): JsonObject
  /** The frame that tells a client mid-stream, when nothing but passing frames on has been done so far. */
  writeStreamProblem(problem: Problem): string
  /** A frame that keeps a silent connection open, where clients of this dialect take one. */
  readonly keepAlive: string | undefined
}

/** Spoken on both sides. */
export interface Dialect extends UpstreamDialect, ClientDialect {}
