import {
  asArray,
  asObject,
  asText,
  isObject,
  type JsonObject,
  parseExactly,
  parseObject,
} from '../../dialects/json.ts'
import { SseReader } from '../../dialects/sse.ts'
import type { Sink } from '../stream/client-sink.ts'

/** Of the parts of an answer that are remembered until its end. */
const MOST_REMEMBERED = 16 * 1024 * 1024

/** The client's end of the socket. */
export interface Wire {
  send(message: string): void
  /** Until the client has taken what was sent; undefined when nothing waits for it. */
  taken(): Promise<void> | undefined
}

interface Given {
  readonly wire: Wire
  readonly streamId: string | undefined
  /** As the client named it; the upstream may have been told all of it instead. */
  readonly previousId: string | undefined
  /** The response is whole, and its last event has not been sent yet. */
  onWhole(id: string, output: readonly JsonObject[]): void
}

/** Makes a message of each event of an answer. */
export class TurnOutput implements Sink {
  readonly #given: Given
  readonly #reader = new SseReader((event, data) => this.#hear(event, data))
  readonly #mark: string
  /** Items that are done, as they were told, for upstreams that do not repeat them at the end; undefined: too many. */
  #done: string[] | undefined = []
  #doneLength = 0
  responseId: string | undefined
  output: readonly JsonObject[] = []
  /** Undefined until its last event. */
  outcome: 'whole' | 'failed' | undefined

  constructor(given: Given) {
    this.#given = given
    this.#mark = given.streamId === undefined ? '' : `"stream_id":${JSON.stringify(given.streamId)},`
  }

  write(piece: Uint8Array | string): void {
    if (typeof piece === 'string') this.#reader.pushText(piece)
    else this.#reader.push(piece)
  }

  flush(): Promise<void> | undefined {
    return this.#given.wire.taken()
  }

  close(): void {
    this.#reader.end()
  }

  #hear(event: string, data: string): void {
    // Chat's word for the end, which some vendors say here too.
    if (!data.startsWith('{')) return
    const isNamed = event === 'error' || event.startsWith('response.')
    const type = isNamed ? event : asText(parseObject(data)?.type)
    switch (type) {
      case 'response.created':
      case 'response.queued':
      case 'response.in_progress':
        return this.#send(this.#open(data))
      case 'response.output_item.done':
        this.#remember(data)
        break
      case 'response.completed':
      case 'response.incomplete':
        return this.#send(this.#finish(data))
      case 'response.failed':
      case 'error':
        this.outcome = 'failed'
    }
    this.#send(data)
  }

  #send(data: string): void {
    this.#given.wire.send(this.#mark === '' ? data : `{${this.#mark}${data.slice(1)}`)
  }

  #open(data: string): string {
    const event = parseExactly(data)
    const response = asObject(event?.response)
    if (!event || !response) return data
    this.responseId = asText(response.id) ?? this.responseId
    return this.#withPrevious(event, response) ?? data
  }

  /** The client is told what it said, whatever the upstream was told. */
  #withPrevious(event: JsonObject, response: JsonObject): string | undefined {
    const { previousId } = this.#given
    if (previousId === undefined || response.previous_response_id === previousId) return undefined
    return JSON.stringify({ ...event, response: { ...response, previous_response_id: previousId } })
  }

  #remember(data: string): void {
    this.#doneLength += data.length
    if (this.#doneLength <= MOST_REMEMBERED) this.#done?.push(data)
    else this.#done = undefined
  }

  #finish(data: string): string {
    this.outcome = 'whole'
    const event = parseExactly(data)
    const response = asObject(event?.response)
    if (!event || !response) return data
    const repeated = asArray(response.output).filter(isObject)
    const output = repeated.length > 0 ? repeated : this.#doneItems()
    const id = asText(response.id)
    this.responseId = id ?? this.responseId
    this.output = output ?? []
    if (id !== undefined && output) this.#given.onWhole(id, output)
    return this.#withPrevious(event, response) ?? data
  }

  #doneItems(): JsonObject[] | undefined {
    return this.#done?.map(data => parseExactly(data)?.item).filter(isObject)
  }
}
