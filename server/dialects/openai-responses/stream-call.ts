import { parseObject } from '../json.ts'
import type { CallNames, ItemStatus } from './build-item.ts'
import type { FrameNumbers } from './number-frames.ts'

export interface NamedCall extends CallNames {
  readonly id: string
}

/** A call of a tool that is being written. Several may be open at once. */
export abstract class StreamCall {
  readonly index: number
  protected readonly call: NamedCall
  protected readonly frames: FrameNumbers
  /** What every frame about its input says of it. */
  protected readonly route: string
  readonly #pieces: string[] = []

  constructor(call: NamedCall, index: number, frames: FrameNumbers) {
    this.call = call
    this.index = index
    this.frames = frames
    this.route = `"item_id":${JSON.stringify(call.id)},"output_index":${index}`
  }

  open(): string {
    const item = this.buildItem('in_progress', '')
    return this.frames.write('response.output_item.added', `"output_index":${this.index},"item":${item}`)
  }

  add(json: string): string {
    this.#pieces.push(json)
    return this.tellPiece(json)
  }

  /** Whether its input is all there, as far as that shows. */
  get isWhole(): boolean {
    return parseObject(this.json) !== undefined
  }

  close(status: ItemStatus): { frames: string; item: string } {
    const told = this.tellInput(status)
    const item = this.buildItem(status, this.json)
    const done = this.frames.write('response.output_item.done', `"output_index":${this.index},"item":${item}`)
    return { frames: told + done, item }
  }

  snapshot(): string {
    return this.buildItem('incomplete', this.json)
  }

  /** Its input so far. */
  protected get json(): string {
    return this.#pieces.join('')
  }

  protected abstract tellPiece(json: string): string
  protected abstract tellInput(status: ItemStatus): string
  protected abstract buildItem(status: ItemStatus, json: string): string
}
