import type { AnswerDialect, StreamReader } from './dialect.ts'
import type { AnswerPart, NeutralAnswer, StreamPart, TextPart } from './spec.ts'
import type { ToolUse } from './usage.ts'

type Emit = (part: StreamPart) => void
type TextDelta = Extract<StreamPart, { type: 'text-delta' }>

/**
 * The same, with answers that end before the first of these texts, for upstreams that cannot be told to.
 * `hidesThoughts`: of a model that thinks and whose stream does not tell.
 */
export function cutAtStops(
  dialect: AnswerDialect,
  stops: readonly string[],
  hidesThoughts = false,
): AnswerDialect {
  return {
    ...dialect,
    readAnswer(body) {
      const answer = dialect.readAnswer(body)
      return answer && cutAnswer(answer, stops)
    },
    createReader: () => new CuttingReader(dialect.createReader(), stops, hidesThoughts),
  }
}

function cutAnswer(answer: NeutralAnswer, stops: readonly string[]): NeutralAnswer {
  const parts: AnswerPart[] = []
  for (const part of answer.parts) {
    const stop = isSaid(part) ? findStop(part.text, stops) : undefined
    if (!isSaid(part) || stop === undefined) {
      parts.push(part)
      continue
    }
    if (stop.at > 0) parts.push({ ...part, text: part.text.slice(0, stop.at) })
    const called = parts.some(({ type }) => type === 'tool-call')
    return { ...answer, parts, finish: finishAt(stop.text, called) }
  }
  return answer
}

function isSaid(part: AnswerPart): part is TextPart {
  return part.type === 'text' && !part.refusal
}

/** Calls that were made before the text are still to be answered. */
function finishAt(stop: string, called: boolean): NeutralAnswer['finish'] {
  return called ? { reason: 'tools' } : { reason: 'stop-string', stopSequence: stop }
}

interface FoundStop {
  readonly at: number
  readonly text: string
}

/** The one that is complete first, as it would be met letter by letter; of several, the longest. */
function findStop(text: string, stops: readonly string[]): FoundStop | undefined {
  let found: FoundStop | undefined
  for (const stop of stops) {
    const at = text.indexOf(stop)
    if (at < 0) continue
    const sooner = found ? at + stop.length - (found.at + found.text.length) : -1
    if (!found || sooner < 0 || (sooner === 0 && at < found.at)) found = { at, text: stop }
  }
  return found
}

/** Where the end of a text begins that may yet become a stop string. */
function beginOfStop(text: string, stops: readonly string[]): number {
  let begin = text.length
  for (const stop of stops) {
    const most = Math.min(stop.length - 1, text.length)
    for (let length = most; length > text.length - begin; length--)
      if (text.endsWith(stop.slice(0, length))) {
        begin = text.length - length
        break
      }
  }
  return begin
}

/**
 * Keeps back only what may be the beginning of a stop string. What comes after one is not said; it is read on all
 * the same where the model has thought in secret, because the vendor wants to be paid for that.
 */
class CuttingReader implements StreamReader {
  readonly #reader: StreamReader
  readonly #stops: readonly string[]
  readonly #hidesThoughts: boolean
  readonly #openCalls = new Set<number>()
  #called = false
  #held = ''
  #stopped = false
  /** Of the whole, which vendors tell when they are done. */
  #knowsUsage = false

  constructor(reader: StreamReader, stops: readonly string[], hidesThoughts: boolean) {
    this.#reader = reader
    this.#stops = stops
    this.#hidesThoughts = hidesThoughts
  }

  get hidesThoughts(): boolean {
    return this.#hidesThoughts || this.#reader.hidesThoughts === true
  }

  get toolUse(): ToolUse | undefined {
    return this.#reader.toolUse
  }

  get awaitsUsage(): boolean {
    return this.#stopped && !this.#knowsUsage && this.hidesThoughts
  }

  get hasEnough(): boolean {
    return this.#stopped && !this.awaitsUsage
  }

  read(event: string, data: string, emit: Emit): void {
    this.#reader.read(event, data, part => this.#take(part, emit))
  }

  end(emit: Emit): boolean {
    const isWhole = this.#reader.end(part => this.#take(part, emit))
    this.#release(emit)
    return isWhole || this.#stopped
  }

  #take(part: StreamPart, emit: Emit): void {
    if (part.type === 'usage') {
      this.#knowsUsage = this.#stopped
      return emit(part)
    }
    if (this.#stopped) return emitUnsaid(part, emit)
    if (part.type === 'text-delta') return this.#say(part, emit)
    // These do not end the text that they stand in.
    if (part.type !== 'start' && part.type !== 'citation') this.#release(emit)
    if (part.type === 'tool-start') {
      this.#called = true
      this.#openCalls.add(part.index)
    } else if (part.type === 'tool-end') this.#openCalls.delete(part.index)
    emit(part)
  }

  #say(part: TextDelta, emit: Emit): void {
    const text = this.#held + part.text
    const stop = findStop(text, this.#stops)
    const end = stop?.at ?? beginOfStop(text, this.#stops)
    this.#held = stop ? '' : text.slice(end)
    if (end > 0 || part.signature !== undefined) emit({ ...part, text: text.slice(0, end) })
    if (!stop) return
    emit({ type: 'unsaid', text: text.slice(stop.at) })
    for (const index of this.#openCalls) emit({ type: 'tool-end', index })
    emit({ type: 'finish', finish: finishAt(stop.text, this.#called) })
    this.#stopped = true
  }

  #release(emit: Emit): void {
    const text = this.#held
    this.#held = ''
    if (text !== '') emit({ type: 'text-delta', text })
  }
}

function emitUnsaid(part: StreamPart, emit: Emit): void {
  switch (part.type) {
    case 'text-delta':
    case 'thinking-delta':
    case 'refusal-delta':
      return emit({ type: 'unsaid', text: part.text })
    case 'tool-start':
      return emit({ type: 'unsaid', text: part.name })
    case 'tool-input-delta':
      return emit({ type: 'unsaid', text: part.json })
  }
}
