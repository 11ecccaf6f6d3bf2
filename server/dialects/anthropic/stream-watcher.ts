import { findBytes } from '../find-bytes.ts'
import { asObject, asText, type JsonObject, parseObject } from '../json.ts'
import type { Problem, TokenUsage } from '../spec.ts'
import type { ToolUse } from '../usage.ts'
import type { StoredIds, StreamWatcher, Verdict } from '../watching.ts'
import { filesMadeBy } from './named-files.ts'
import { readStreamProblem } from './problems.ts'
import { isSearch, UsageGatherer } from './read-usage.ts'

const SERVER_TOOL = '"server_tool_use"'
const MCP_TOOL = '"mcp_tool_use"'
const COMPACTION = '"compaction"'
/** Of what code wrote, and of what is cited from. */
const FILE = '"file_id"'
const TELLING = [SERVER_TOOL, MCP_TOOL, COMPACTION, FILE]
/** What was read or written besides is in the last usage alone: what the vendor's tools have found is read too. */
const later: ReadonlySet<unknown> = new Set(['server_tool_use', 'mcp_tool_use', 'compaction'])

/** `message_` finds start, delta and stop; what is quoted cannot stand inside the text of a frame. */
const SIGNS = ['message_', '"error"', ...TELLING, 'event: error', 'event:error'].map(sign =>
  Buffer.from(sign),
)

export class AnthropicWatcher implements StreamWatcher {
  readonly #gatherer = new UsageGatherer()
  #holding = false
  #isBegun = false
  #stopped = false
  #counted = false
  #searches = 0
  tellsLater = false
  usage: TokenUsage | undefined
  problem: Problem | undefined
  #response: string | undefined
  readonly #files: string[] = []

  get stored(): StoredIds | undefined {
    if (!this.#isBegun) return undefined
    return { response: this.#response, items: [], files: this.#files }
  }

  get complete(): boolean {
    return this.#stopped && this.problem === undefined
  }

  mayMatter(chunk: Uint8Array): boolean {
    if (this.#holding) return true
    for (const sign of SIGNS) if (findBytes(chunk, sign) >= 0) return true
    return false
  }

  get toolUse(): ToolUse | undefined {
    return this.#searches > 0 ? { searches: this.#searches } : undefined
  }

  look(event: string, data: string): Verdict {
    const isTool = TELLING.some(sign => data.includes(sign))
    if (event === 'ping' || (event.startsWith('content_block_') && !isTool)) return this.#verdict()
    const frame = parseObject(data)
    const type = asText(frame?.type) ?? event
    // Gateways in between may tell of an error in another vendor's form.
    if (type === 'error' || event === 'error' || (frame?.type === undefined && frame?.error)) {
      this.problem ??= readStreamProblem(frame ?? {})
      return 'drop'
    }
    if (type === 'message_start') this.#lookAtStart(asObject(frame?.message))
    else if (type === 'message_delta') this.#lookAtEnd(frame)
    else if (type === 'message_stop') this.#stop()
    else if (type === 'content_block_start') this.#noteTool(frame)
    return this.#verdict()
  }

  #lookAtStart(message: JsonObject | undefined): void {
    this.#take(message, message)
    this.#isBegun = true
    this.#response = asText(message?.id)
  }

  #lookAtEnd(frame: JsonObject | undefined): void {
    this.#take(frame, asObject(frame?.delta))
    if (asObject(frame?.usage) !== undefined) this.#counted = true
    if (typeof asObject(frame?.delta)?.stop_reason === 'string') this.#stop()
  }

  /** A count that cannot be believed makes all of them doubtful. */
  #take(holder: JsonObject | undefined, said: JsonObject | undefined): void {
    if (asObject(holder?.usage) !== undefined)
      this.usage = this.#gatherer.take(holder?.usage, said?.container)
  }

  #noteTool(frame: JsonObject | undefined): void {
    const block = asObject(frame?.content_block)
    if (isSearch(block)) this.#searches++
    if (later.has(block?.type)) this.tellsLater = true
    this.#files.push(...filesMadeBy(block))
  }

  /** What the start of a message says of the output is no count of it; of the input it is. */
  #stop(): void {
    if (!this.#counted && this.usage) this.usage = { ...this.usage, output: 0 }
    this.#stopped = true
    this.#holding = true
  }

  #verdict(): Verdict {
    return this.#holding ? 'hold' : 'pass'
  }
}
