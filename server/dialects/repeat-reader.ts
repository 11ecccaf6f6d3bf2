import type { StreamReader } from './dialect.ts'
import { FrameShape } from './frame-shape.ts'
import type { StreamPart } from './spec.ts'
import type { ToolUse } from './usage.ts'

type Emit = (part: StreamPart) => void
type Delta = { readonly type: 'text-delta' | 'thinking-delta'; readonly text: string }

/** So many shapes in a row that no other frame had: the frames of this stream do not repeat. */
const MOST_TRIES = 8

/**
 * Most frames of a stream repeat the one before but for a few letters. Where their reader allows it, these
 * letters are cut out and the rest is not read. The last of such a run is read late, for the usage it may bring.
 */
export class RepeatReader {
  readonly #reader: StreamReader
  readonly #mayVary: RegExp | undefined
  /** Of the frame before, if that brought nothing but a delta, and usage or not. */
  #shape: FrameShape | undefined
  #event = ''
  #type: Delta['type'] = 'text-delta'
  #tries = 0
  /** The last frame that was cut and not read. */
  #unread: string | undefined
  /** What the frame that is being read has brought. */
  #delta: Delta | undefined
  #broughtMore = false
  #emit: Emit = () => {}

  constructor(reader: StreamReader) {
    this.#reader = reader
    this.#mayVary = reader.mayVary
  }

  /** What the frame from `start` to `end` brings, if it repeats the one before. Otherwise it has to be read. */
  cut(event: string, text: string, start: number, end: number): Delta | undefined {
    const said = event === this.#event ? this.#shape?.read(text, start, end) : undefined
    if (!said) return undefined
    this.#tries = 0
    this.#unread = text.slice(start, end)
    return { type: this.#type, text: said }
  }

  /** The usage as of the last frame that was cut. To be asked for before another is read. */
  catchUp(emit: Emit): void {
    const data = this.#unread
    if (data === undefined) return
    this.#unread = undefined
    this.#reader.read(this.#event, data, part => {
      if (part.type === 'usage') emit(part)
    })
  }

  read(event: string, data: string, emit: Emit): void {
    this.#shape = undefined
    if (this.#mayVary === undefined || this.#tries === MOST_TRIES) return this.#reader.read(event, data, emit)
    this.#delta = undefined
    this.#broughtMore = false
    this.#emit = emit
    this.#reader.read(event, data, this.#look)
    this.#learn(event, data, this.#mayVary)
  }

  get hasEnough(): boolean {
    return this.#reader.hasEnough === true
  }

  get awaitsUsage(): boolean {
    return this.#reader.awaitsUsage === true
  }

  get toolUse(): ToolUse | undefined {
    return this.#reader.toolUse
  }

  /** True when the answer was whole. */
  end(emit: Emit): boolean {
    this.catchUp(emit)
    return this.#reader.end(emit)
  }

  #learn(event: string, data: string, mayVary: RegExp): void {
    if (this.#delta === undefined || this.#broughtMore) return
    this.#tries++
    this.#event = event
    this.#type = this.#delta.type
    this.#shape = FrameShape.of(data, this.#delta.text, mayVary)
  }

  /** An arrow, because it is handed over. */
  readonly #look = (part: StreamPart): void => {
    if (this.#delta === undefined && isPlain(part)) this.#delta = part
    else if (part.type !== 'usage') this.#broughtMore = true
    this.#emit(part)
  }
}

function isPlain(part: StreamPart): part is Delta {
  return part.type === 'thinking-delta' || (part.type === 'text-delta' && !part.signature && !part.logprobs)
}
