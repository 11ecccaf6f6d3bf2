import type { FrameReader, Framing } from '../../dialects/framing.ts'
import { AppError } from '../../errors.ts'

const LONGEST_FRAME = 64 * 1024 * 1024
const RETURN = 13
const SPACE = 32

/** The name under which the `meta:` line of an event is handed on, before the event itself. */
export const META = 'meta'

type OnFrame = (event: string, data: string) => void

/**
 * Server-sent events with raw text in them and, in the last one, a line `meta:`. A space after `data:` is the
 * text's own, unless the server puts one after `event:` too.
 */
class RawEventReader implements FrameReader {
  readonly #onFrame: OnFrame
  readonly #decoder = new TextDecoder()
  #rest = ''
  #event = ''
  #data: string | undefined
  #meta: string | undefined
  #indents = false

  constructor(onFrame: OnFrame) {
    this.#onFrame = onFrame
  }

  push(bytes: Uint8Array): void {
    const all = this.#rest + this.#decoder.decode(bytes, { stream: true })
    let start = 0
    for (let end = all.indexOf('\n'); end >= 0; end = all.indexOf('\n', start)) {
      this.#line(all.slice(start, end > start && all.charCodeAt(end - 1) === RETURN ? end - 1 : end))
      start = end + 1
    }
    this.#rest = start === 0 ? all : all.slice(start)
    if (this.#rest.length + (this.#data?.length ?? 0) > LONGEST_FRAME)
      throw new AppError('outbound.too-large')
  }

  /** Whether raw text was cut nothing tells, so an event without its blank line counts only with its meta. */
  end(): void {
    const rest = this.#rest + this.#decoder.decode()
    this.#rest = ''
    if (rest !== '') this.#line(rest)
    if (this.#meta !== undefined) this.#flush()
  }

  #line(line: string): void {
    if (line === '') return this.#flush()
    if (line.startsWith('data:')) {
      const data = this.#valueOf(line)
      this.#data = this.#data === undefined ? data : `${this.#data}\n${data}`
    } else if (line.startsWith('event:')) {
      this.#indents = line.charCodeAt(6) === SPACE
      this.#event = line.slice(6).trim()
    } else if (line.startsWith('meta:')) {
      this.#meta = line.slice(5)
    }
  }

  #valueOf(line: string): string {
    return line.slice(this.#indents && line.charCodeAt(5) === SPACE ? 6 : 5)
  }

  #flush(): void {
    const event = this.#event
    const data = this.#data ?? ''
    const meta = this.#meta
    this.#event = ''
    this.#data = undefined
    this.#meta = undefined
    if (event === '') return
    if (meta !== undefined) this.#onFrame(META, meta)
    this.#onFrame(event, data)
  }
}

export const rawEvents: Framing = {
  types: ['text/event-stream'],
  createReader: onFrame => new RawEventReader(onFrame),
}
