import { dialects } from '../../dialects/index.ts'
import type { DialectName, StreamPart } from '../../dialects/spec.ts'
import { SseReader } from '../../dialects/sse.ts'

/** Takes out of a stream's bytes what the model wrote: text, thinking, tool calls. */
export class StreamText {
  readonly #reader
  readonly #sse: SseReader
  #pieces: string[] = []

  constructor(dialect: DialectName) {
    this.#reader = dialects[dialect].createReader()
    this.#sse = new SseReader((event, data) => this.#read(event, data))
  }

  /** The text of these bytes, as far as their frames are whole. */
  push(bytes: Uint8Array): string {
    this.#sse.push(bytes)
    return this.#take()
  }

  /** The text of what was left. */
  end(): string {
    this.#sse.end()
    this.#reader.end(this.#collect)
    return this.#take()
  }

  #read(event: string, data: string): void {
    try {
      this.#reader.read(event, data, this.#collect)
    } catch {
      // A frame that its dialect cannot read has no text that we could count.
    }
  }

  readonly #collect = (part: StreamPart): void => {
    switch (part.type) {
      case 'text-delta':
      case 'refusal-delta':
      case 'thinking-delta':
        this.#pieces.push(part.text)
        break
      case 'tool-start':
        this.#pieces.push(part.name)
        break
      case 'tool-input-delta':
        this.#pieces.push(part.json)
        break
    }
  }

  #take(): string {
    const text = this.#pieces.join('')
    this.#pieces = []
    return text
  }
}
