import type { FrameReader, Framing } from '../../dialects/framing.ts'
import { AppError } from '../../errors.ts'

const LONGEST_BODY = 64 * 1024 * 1024

class WholeBodyReader implements FrameReader {
  readonly #onFrame: (event: string, data: string) => void
  readonly #decoder = new TextDecoder()
  #text = ''

  constructor(onFrame: (event: string, data: string) => void) {
    this.#onFrame = onFrame
  }

  push(bytes: Uint8Array): void {
    this.#text += this.#decoder.decode(bytes, { stream: true })
    if (this.#text.length > LONGEST_BODY) throw new AppError('outbound.too-large')
  }

  end(): void {
    const text = this.#text + this.#decoder.decode()
    this.#text = ''
    if (text !== '') this.#onFrame('', text)
  }
}

/** For a vendor that never streams: its whole answer is the one frame. */
export const wholeBody: Framing = {
  types: ['application/json'],
  createReader: onFrame => new WholeBodyReader(onFrame),
}
