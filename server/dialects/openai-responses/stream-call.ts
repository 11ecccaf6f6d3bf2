import { parseObject } from '../json.ts'
import { buildCall, type ItemStatus } from './build-item.ts'
import type { FrameNumbers } from './number-frames.ts'

/** A function_call item that is being written. Several may be open at once. */
export class StreamCall {
  readonly index: number
  readonly #id: string
  readonly #callId: string
  readonly #name: string
  readonly #route: string
  readonly #frames: FrameNumbers
  readonly #pieces: string[] = []

  constructor(
    call: { readonly id: string; readonly callId: string; readonly name: string },
    index: number,
    frames: FrameNumbers,
  ) {
    this.index = index
    this.#id = call.id
    this.#callId = call.callId
    this.#name = call.name
    this.#route = `"item_id":${JSON.stringify(call.id)},"output_index":${index}`
    this.#frames = frames
  }

  open(): string {
    const item = this.#build('in_progress', '')
    return this.#frames.write('response.output_item.added', `"output_index":${this.index},"item":${item}`)
  }

  add(json: string): string {
    this.#pieces.push(json)
    return this.#frames.write(
      'response.function_call_arguments.delta',
      `${this.#route},"delta":${JSON.stringify(json)}`,
    )
  }

  /** Whether its input is all there, as far as that shows. */
  get isWhole(): boolean {
    return parseObject(this.#pieces.join('')) !== undefined
  }

  close(status: ItemStatus): { frames: string; item: string } {
    const empty = this.#pieces.length === 0 && status === 'completed' ? this.add('{}') : ''
    const json = this.#pieces.join('')
    const item = this.#build(status, json)
    const done = this.#frames.write(
      'response.function_call_arguments.done',
      `${this.#route},"arguments":${JSON.stringify(json)}`,
    )
    const itemDone = this.#frames.write(
      'response.output_item.done',
      `"output_index":${this.index},"item":${item}`,
    )
    return { frames: empty + done + itemDone, item }
  }

  snapshot(): string {
    return this.#build('incomplete', this.#pieces.join(''))
  }

  #build(status: ItemStatus, json: string): string {
    return JSON.stringify(
      buildCall(this.#id, status, { callId: this.#callId, name: this.#name, arguments: json }),
    )
  }
}
