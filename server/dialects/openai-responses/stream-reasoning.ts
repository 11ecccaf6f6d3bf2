import { buildReasoning } from './build-item.ts'
import type { FrameNumbers } from './number-frames.ts'

/** A reasoning item that is being written, with one summary part once there is something to say. */
export class StreamReasoning {
  readonly index: number
  readonly #id: string
  readonly #route: string
  readonly #frames: FrameNumbers
  readonly #pieces: string[] = []

  constructor(id: string, index: number, frames: FrameNumbers) {
    this.index = index
    this.#id = id
    this.#route = `"item_id":${JSON.stringify(id)},"output_index":${index},"summary_index":0`
    this.#frames = frames
  }

  open(): string {
    const item = JSON.stringify(buildReasoning(this.#id, '', undefined))
    return this.#frames.write('response.output_item.added', `"output_index":${this.index},"item":${item}`)
  }

  think(text: string): string {
    const opening =
      this.#pieces.length > 0
        ? ''
        : this.#frames.write(
            'response.reasoning_summary_part.added',
            `${this.#route},"part":{"type":"summary_text","text":""}`,
          )
    this.#pieces.push(text)
    return (
      opening +
      this.#frames.write(
        'response.reasoning_summary_text.delta',
        `${this.#route},"delta":${JSON.stringify(text)}`,
      )
    )
  }

  close(sealed: string | undefined): { frames: string; item: string } {
    const text = this.#pieces.join('')
    let frames = ''
    if (this.#pieces.length > 0) {
      const json = JSON.stringify(text)
      frames =
        this.#frames.write('response.reasoning_summary_text.done', `${this.#route},"text":${json}`) +
        this.#frames.write(
          'response.reasoning_summary_part.done',
          `${this.#route},"part":{"type":"summary_text","text":${json}}`,
        )
    }
    const item = JSON.stringify(buildReasoning(this.#id, text, sealed))
    frames += this.#frames.write('response.output_item.done', `"output_index":${this.index},"item":${item}`)
    return { frames, item }
  }

  snapshot(): string {
    return JSON.stringify(buildReasoning(this.#id, this.#pieces.join(''), undefined))
  }
}
