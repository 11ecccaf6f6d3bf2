import type { FrameReader, Framing } from '../../dialects/framing.ts'
import type { Conveyor, Piece } from './conveyor.ts'
import { ForwardingConveyor } from './forwarding-conveyor.ts'

/** Passing frames that the upstream packs otherwise: unpacked, they are the client's own server-sent events. */
export class ReframeConveyor extends ForwardingConveyor {
  readonly #frames: FrameReader
  readonly #encoder = new TextEncoder()
  #text = ''

  constructor(framing: Framing, inner: Conveyor) {
    super(inner)
    this.#frames = framing.createReader((event, data) => {
      const lines = data.includes('\n') ? data.replaceAll('\n', '\ndata: ') : data
      this.#text += event === '' ? `data: ${lines}\n\n` : `event: ${event}\ndata: ${lines}\n\n`
    })
  }

  take(chunk: Uint8Array): Piece | undefined {
    this.#frames.push(chunk)
    return this.#handOn()
  }

  override end(): boolean {
    this.#frames.end()
    this.#handOn()
    return super.end()
  }

  rest(): Piece {
    return this.inner.rest()
  }

  #handOn(): Piece | undefined {
    const text = this.#text
    this.#text = ''
    return text === '' ? undefined : this.inner.take(this.#encoder.encode(text))
  }
}
