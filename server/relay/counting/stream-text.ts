import { dialects } from '../../dialects/index.ts'
import { asObject, asText, parseObject } from '../../dialects/json.ts'
import { readSeveral } from '../../dialects/several-answers.ts'
import type { DialectName, StreamPart } from '../../dialects/spec.ts'
import { SseReader } from '../../dialects/sse.ts'
import { soundIn, tokensOfMedia } from './made-media.ts'
import { ToolText } from './tool-text.ts'

/** Takes out of a stream's bytes what the model made: text, thinking, tool calls, pictures, sound. */
export class StreamText {
  readonly #reader
  readonly #sse: SseReader
  readonly #toolText: ToolText
  #pieces: string[] = []
  #mediaTokens = 0

  constructor(dialect: DialectName, choices: number) {
    const known = dialects[dialect]
    const { severalIn } = known
    const reading = choices > 1 && severalIn ? readSeveral(known, severalIn, choices) : known
    this.#reader = reading.createReader()
    this.#toolText = new ToolText(dialect)
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

  /** Of what was not text in the bytes so far, told once. */
  takeMediaTokens(): number {
    const tokens = this.#mediaTokens
    this.#mediaTokens = 0
    return tokens
  }

  #read(event: string, data: string): void {
    try {
      this.#mediaTokens += soundIn(data)
      this.#pieces.push(this.#toolText.read(data))
      if (data.includes('"compaction_delta"')) this.#pieces.push(summaryIn(data))
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
      case 'media':
        this.#mediaTokens += tokensOfMedia(part.media)
        break
      case 'choice':
        this.#collect(part.part)
        break
    }
  }

  #take(): string {
    const text = this.#pieces.join('')
    this.#pieces = []
    return text
  }
}

/** What Anthropic's models make of a conversation that became too long; no part of the answer to others. */
function summaryIn(data: string): string {
  return asText(asObject(parseObject(data)?.delta)?.content) ?? ''
}
