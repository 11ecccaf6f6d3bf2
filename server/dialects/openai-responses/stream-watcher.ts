import { findBytes } from '../find-bytes.ts'
import { asObject, asText, type JsonObject, parseObject } from '../json.ts'
import type { Problem, TokenUsage } from '../spec.ts'
import type { ToolUse } from '../usage.ts'
import type { StoredIds, StreamWatcher, Verdict } from '../watching.ts'
import { readStreamProblem } from './problems.ts'
import { tellsFound } from './read-tool-use.ts'
import { readUsage } from './read-usage.ts'
import { storedIds } from './stored-items.ts'
import { ITEM_DONE, ToolsSoFar } from './tools-so-far.ts'

/** One of these is in every frame that ends or breaks an answer, or tells of a tool. */
const MARKS = [
  'response.completed',
  'response.incomplete',
  'response.failed',
  '"error"',
  'event: error',
  'event:error',
  '_call"',
  '.partial_image',
].map(mark => Buffer.from(mark))

/** A picture that is nearly made; what it costs is told when it is. */
const PARTIAL = 'response.image_generation_call.partial_image'
const itemId = /"item_id"\s*:\s*"([^"]{1,200})"/

const LAST_EVENTS: readonly string[] = ['response.completed', 'response.incomplete']

export function createWatcher(): StreamWatcher {
  return new ResponsesWatcher()
}

class ResponsesWatcher implements StreamWatcher {
  #usage: TokenUsage | undefined
  #problem: Problem | undefined
  #complete = false
  #stored: StoredIds | undefined
  readonly #tools = new ToolsSoFar()
  tellsLater = false

  get usage(): TokenUsage | undefined {
    return this.#usage
  }
  get problem(): Problem | undefined {
    return this.#problem
  }
  get complete(): boolean {
    return this.#complete
  }
  get toolUse(): ToolUse | undefined {
    return this.#tools.toolUse
  }
  get stored(): StoredIds | undefined {
    return this.#stored ?? this.#tools.stored
  }

  mayMatter(chunk: Uint8Array): boolean {
    for (const mark of MARKS) if (findBytes(chunk, mark) >= 0) return true
    return false
  }

  look(event: string, data: string): Verdict {
    if (this.#problem) return 'drop'
    if (this.#complete) return 'hold'
    if (event === PARTIAL) return this.#notePartial(data)
    if (!isLast(event) && !isBreak(event) && event !== ITEM_DONE && event !== '') return 'pass'
    const body = parseObject(data)
    if (!body) return this.#lookUnreadable(event, data)
    const type = asText(body.type) ?? event
    if (type === ITEM_DONE) this.#noteItem(asObject(body.item))
    if (isLast(type)) {
      const response = asObject(body.response) ?? {}
      this.#usage = readUsage(response)
      if (response.status === 'failed') return this.#drop(readStreamProblem(response))
      this.#complete = true
      this.#stored = storedIds(response)
      return 'hold'
    }
    if (type === 'response.failed') {
      const response = asObject(body.response) ?? {}
      this.#usage = readUsage(response)
      return this.#drop(readStreamProblem(response))
    }
    if (type === 'error' || (body.type === undefined && body.error))
      return this.#drop(readStreamProblem(body))
    return 'pass'
  }

  #noteItem(item: JsonObject | undefined): void {
    this.#tools.note(item)
    if (item && tellsFound(item)) this.tellsLater = true
  }

  /** Not parsed: it holds a picture. */
  #notePartial(data: string): Verdict {
    this.tellsLater = true
    this.#tools.note({ type: 'image_generation_call', id: itemId.exec(data)?.[1] ?? '' })
    return 'pass'
  }

  #lookUnreadable(event: string, data: string): Verdict {
    if (isBreak(event)) return this.#drop(readStreamProblem(data))
    return isLast(event) ? 'drop' : 'pass'
  }

  #drop(problem: Problem): Verdict {
    this.#problem = problem
    return 'drop'
  }
}

function isLast(type: string): boolean {
  return LAST_EVENTS.includes(type)
}

function isBreak(type: string): boolean {
  return type === 'error' || type === 'response.failed'
}
