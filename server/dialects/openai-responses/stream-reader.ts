import type { StreamReader } from '../dialect.ts'
import { asArray, asNumber, asObject, asText, type JsonObject, parseObject } from '../json.ts'
import type { StreamPart } from '../spec.ts'
import type { ToolUse } from '../usage.ts'
import { readStreamProblem } from './problems.ts'
import { readFinish } from './read-answer.ts'
import { readUsage } from './read-usage.ts'
import { StreamItems } from './stream-items.ts'
import { ITEM_DONE, ToolsSoFar } from './tools-so-far.ts'

type Emit = (part: StreamPart) => void

export function createReader(): StreamReader {
  return new ResponsesReader()
}

class ResponsesReader implements StreamReader {
  readonly #items = new StreamItems()
  readonly #tools = new ToolsSoFar()
  #started = false
  #state: 'open' | 'whole' | 'broken' = 'open'

  read(event: string, data: string, emit: Emit): void {
    if (this.#state !== 'open') return
    const body = parseObject(data)
    if (!body) return event === 'error' ? this.#break(data, emit) : undefined
    const type = asText(body.type) ?? event
    if (type === 'error' || (body.type === undefined && body.error)) return this.#break(body, emit)
    this.#start(asObject(body.response), emit)
    switch (type) {
      case 'response.completed':
        return this.#finish(asObject(body.response) ?? {}, false, emit)
      case 'response.incomplete':
        return this.#finish(asObject(body.response) ?? {}, true, emit)
      case 'response.failed':
      case 'response.cancelled':
        return this.#break(asObject(body.response) ?? {}, emit)
      default:
        if (type === ITEM_DONE) this.#tools.note(asObject(body.item))
        this.#items.read(type, body, emit)
    }
  }

  get hidesThoughts(): boolean {
    return this.#items.thought
  }

  get toolUse(): ToolUse | undefined {
    return this.#tools.toolUse
  }

  end(emit: Emit): boolean {
    if (this.#state === 'open') this.#items.close(emit)
    return this.#state === 'whole'
  }

  #start(response: JsonObject | undefined, emit: Emit): void {
    if (this.#started) return
    this.#started = true
    emit({
      type: 'start',
      id: asText(response?.id) ?? '',
      model: asText(response?.model) ?? '',
      created: asNumber(response?.created_at) ?? 0,
    })
  }

  #finish(response: JsonObject, incomplete: boolean, emit: Emit): void {
    if (response.status === 'failed') return this.#break(response, emit)
    // Some upstreams send the answer whole and at once, in this event only.
    if (this.#items.isEmpty)
      for (const [at, item] of asArray(response.output).entries()) this.#items.readWhole(at, item, emit)
    this.#items.close(emit)
    const usage = readUsage(response)
    if (usage) emit({ type: 'usage', usage })
    emit({ type: 'finish', finish: readFinish(incomplete, response, this.#items) })
    this.#state = 'whole'
  }

  #break(body: JsonObject | string, emit: Emit): void {
    this.#start(undefined, emit)
    const usage = typeof body === 'string' ? undefined : readUsage(body)
    if (usage) emit({ type: 'usage', usage })
    emit({ type: 'problem', problem: readStreamProblem(body) })
    this.#state = 'broken'
  }
}
