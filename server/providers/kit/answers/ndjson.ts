import type { FrameReader, Framing, Skim } from '../../../dialects/framing.ts'
import { JoinedText } from '../../../dialects/joined-text.ts'
import { AppError } from '../../../errors.ts'

const LONGEST_LINE = 64 * 1024 * 1024
const NEWLINE = '\n'
/** Stands before each text of a JSON sequence, and in no JSON text. */
const RECORD = '\u001e'

/** Texts between marks; blank ones say nothing. */
class MarkedReader implements FrameReader {
  readonly #onFrame: (event: string, data: string) => void
  readonly #skim: Skim | undefined
  readonly #mark: string
  readonly #decoder = new TextDecoder()
  readonly #rest = new JoinedText()

  constructor(mark: string, onFrame: (event: string, data: string) => void, skim: Skim | undefined) {
    this.#mark = mark
    this.#onFrame = onFrame
    this.#skim = skim
  }

  push(bytes: Uint8Array): void {
    const text = this.#decoder.decode(bytes, { stream: true })
    // Of what is long, all that came before is not looked through again with every piece.
    if (this.#rest.length > 0 && !text.includes(this.#mark)) return this.#keepRest(text)
    const all = this.#rest.take() + text
    let start = 0
    for (let end = all.indexOf(this.#mark); end >= 0; end = all.indexOf(this.#mark, start)) {
      if (!this.#skim?.('', all, start, end)) this.#say(all.slice(start, end))
      start = end + 1
    }
    this.#keepRest(start === 0 ? all : all.slice(start))
  }

  end(): void {
    this.#say(this.#rest.take() + this.#decoder.decode())
  }

  #keepRest(text: string): void {
    if (text !== '') this.#rest.add(text)
    if (this.#rest.length > LONGEST_LINE) throw new AppError('outbound.too-large')
  }

  #say(text: string): void {
    const data = text.trim()
    if (data !== '') this.#onFrame('', data)
  }
}

/** One JSON text a line. */
export const ndjson: Framing = {
  types: ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/stream+json'],
  createReader: (onFrame, skim) => new MarkedReader(NEWLINE, onFrame, skim),
}

/** What the messages of a WebSocket become on their way in. */
export const jsonSequence: Framing = {
  types: ['application/json-seq'],
  createReader: (onFrame, skim) => new MarkedReader(RECORD, onFrame, skim),
}

export function asRecord(message: string): string {
  return RECORD + message.replaceAll(RECORD, '')
}
