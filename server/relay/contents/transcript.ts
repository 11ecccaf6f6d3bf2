import type { DialectName } from '../../dialects/spec.ts'
import type { Form } from '../request/parse-multipart.ts'
import type { JsonBody } from '../request/read-body.ts'
import type { Piece } from '../stream/conveyor.ts'
import { KeptEnds } from './kept-ends.ts'
import { requestWords } from './request-words.ts'
import { StreamWords } from './stream-words.ts'

/** Who asked what. */
export interface Asked {
  readonly requestId: string
  readonly userId: number
  /** When, in seconds since 1970. */
  readonly createdAt: number
  readonly body: JsonBody | Form
  /** In which an answer is streamed whose words are wanted by themselves. */
  readonly dialect?: DialectName | undefined
}

export interface Terms {
  /** Bytes, of the one and of the other. */
  readonly limit: number
  readonly onlyFailed: boolean
}

/** Where it goes. Memory is asked for before it is used. */
export interface Keeper {
  hold(bytes: number): boolean
  /** It is over; `held` is what was asked for. */
  close(transcript: Transcript, held: number): void
}

const textTypes = /^(text\/|application\/json)/

/** What is asked and answered in one call, while that goes on: nothing waits for it, and it never throws. */
export class Transcript {
  readonly asked: Asked
  readonly terms: Terms
  readonly #keeper: Keeper
  #held = 0
  #isOver = false
  /** Whether the call failed: its row in the log says so, or its answer does. */
  hasFailed = false
  /** Whether it was given for nothing, and as often as anybody likes. */
  isFree = false
  readonly request: KeptEnds
  readonly answer: KeptEnds
  /** What the events of a streamed answer say. */
  readonly words: KeptEnds
  #events: StreamWords | undefined
  #isStream = false
  /** What went wrong: then nothing is kept, and the call goes on as if nothing were to be. */
  problem: unknown
  /** Of what is no text: what it is, and how much of it there was. */
  #otherType: string | undefined
  #otherBytes = 0

  constructor(asked: Asked, terms: Terms, keeper: Keeper) {
    this.asked = asked
    this.terms = terms
    this.#keeper = keeper
    const hold = (bytes: number): boolean => {
      const isHeld = keeper.hold(bytes)
      if (isHeld) this.#held += bytes
      return isHeld
    }
    this.request = new KeptEnds(terms.limit, hold)
    this.answer = new KeptEnds(terms.limit, hold, bytes => this.#events?.push(bytes))
    this.words = new KeptEnds(terms.limit, hold)
  }

  fail(): void {
    this.hasFailed = true
  }

  /** As what the answer goes out. */
  answersIn(contentType: string): void {
    if (!textTypes.test(contentType)) this.#otherType = contentType
    this.#isStream = contentType.startsWith('text/event-stream')
    // Most calls go well: where only the others are kept, they are read when it is known that they are.
    if (this.#isStream && !this.terms.onlyFailed) this.#events = this.#readEvents()
  }

  #readEvents(): StreamWords | undefined {
    const { dialect } = this.asked
    return dialect && new StreamWords(dialect, text => this.words.addText(text))
  }

  /** What goes out to the client. Of it a copy is made. */
  hear(piece: Piece): void {
    if (this.#isOver || this.problem) return
    try {
      if (typeof piece === 'string') this.#hearText(piece)
      else if (piece instanceof Uint8Array) this.#hearBytes(piece)
      else for (const part of piece) this.#hearBytes(part)
    } catch (error) {
      this.problem = error
    }
  }

  #hearText(text: string): void {
    if (this.#otherType === undefined) this.answer.addText(text)
    else this.#otherBytes += text.length
  }

  #hearBytes(bytes: Uint8Array): void {
    if (this.#otherType === undefined) this.answer.add(bytes)
    else this.#otherBytes += bytes.length
  }

  /** The call is over, and paid: whoever comes second changes nothing. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    try {
      if (this.hasFailed || !this.terms.onlyFailed) this.#complete()
      this.#keeper.close(this, this.#held)
    } catch (error) {
      this.problem = error
      this.#keeper.close(this, this.#held)
    }
  }

  #complete(): void {
    if (this.#otherBytes > 0) this.answer.addText(`[${this.#otherType}, ${this.#otherBytes} bytes]`)
    // Until now its text was there anyway.
    this.request.addText(requestWords(this.asked.body))
    this.answer.end()
    if (this.#isStream && !this.#events && this.answer.leftOut === 0) {
      this.#events = this.#readEvents()
      this.#events?.push(this.answer.take())
    }
    this.#events?.end()
    for (const ends of [this.request, this.words]) ends.end()
  }

  /** There was no memory for all of it, or something went wrong. */
  get isLost(): boolean {
    return this.problem !== undefined || this.request.isLost || this.answer.isLost || this.words.isLost
  }
}

/** With an answer that goes out whole. */
export function endWith(transcript: Transcript, body: string | Uint8Array, type?: string): void {
  if (type !== undefined) transcript.answersIn(type)
  transcript.hear(body)
  transcript.end()
}
