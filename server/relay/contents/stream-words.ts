import { dialects } from '../../dialects/index.ts'
import type { DialectName, StreamPart } from '../../dialects/spec.ts'
import { SseReader } from '../../dialects/sse.ts'

/** What is said in one breath: of another kind, or in another call of a tool, it begins anew. */
type Kind = 'thought' | 'said' | 'note' | number

/**
 * What a model says in a streamed answer, as text for people: an event has a hundred bytes and more for every
 * word in it. Thoughts stand in the tags that many models write themselves, calls of tools behind their names.
 */
export class StreamWords {
  readonly #onText: (text: string) => void
  /** Handed over when there is enough of it to be worth the while. */
  #text = ''
  readonly #reader
  readonly #events: SseReader
  readonly #tools = new Map<number, string>()
  #kind: Kind | undefined
  #isLost = false

  constructor(dialect: DialectName, onText: (text: string) => void) {
    this.#onText = onText
    this.#reader = dialects[dialect].createReader()
    this.#events = new SseReader((event, data) => this.#read(event, data))
  }

  push(bytes: Uint8Array): void {
    if (this.#isLost) return
    try {
      this.#events.push(bytes)
    } catch {
      // An event that is too long to be one.
      this.#isLost = true
    }
  }

  end(): void {
    if (!this.#isLost) this.#events.end()
    if (this.#kind === 'thought') this.#write(THOUGHT_END)
    this.#onText(this.#text)
    this.#text = ''
  }

  #write(text: string): void {
    this.#text += text
    if (this.#text.length < ENOUGH) return
    this.#onText(this.#text)
    this.#text = ''
  }

  #read(event: string, data: string): void {
    try {
      this.#reader.read(event, data, this.#say)
    } catch {
      // What its dialect cannot read has no words for us; the event itself is kept as it was sent.
    }
  }

  readonly #say = (part: StreamPart): void => {
    switch (part.type) {
      case 'text-delta':
      case 'refusal-delta':
        return this.#add('said', part.text)
      case 'thinking-delta':
        return this.#add('thought', part.text)
      case 'tool-start':
        this.#tools.set(part.index, part.name)
        return this.#turnTo(part.index)
      case 'tool-input-delta':
        return this.#add(part.index, part.json)
      case 'media':
        return this.#note(`[${part.media.mediaType}]`)
      case 'problem':
        return this.#note(part.problem.message)
    }
  }

  #note(text: string): void {
    this.#turnTo('note')
    this.#write(text)
  }

  #add(kind: Kind, text: string): void {
    if (text === '') return
    if (kind !== this.#kind) this.#turnTo(kind)
    this.#write(text)
  }

  #turnTo(kind: Kind): void {
    if (this.#kind === 'thought') this.#write(THOUGHT_END)
    if (this.#kind !== undefined) this.#write('\n\n')
    this.#kind = kind
    if (kind === 'thought') this.#write('<think>\n')
    if (typeof kind === 'number') this.#write(`${this.#tools.get(kind) ?? ''}: `)
  }
}

const ENOUGH = 1024
const THOUGHT_END = '\n</think>'
