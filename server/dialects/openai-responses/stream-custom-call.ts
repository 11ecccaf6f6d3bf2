import { unwrapText } from '../freeform-tools.ts'
import { parseObject } from '../json.ts'
import { buildCustomCall, type ItemStatus } from './build-item.ts'
import type { FrameNumbers } from './number-frames.ts'

/** A custom_tool_call item that is being written. Its text is known when all of its JSON is. */
export class StreamCustomCall {
  readonly index: number
  readonly #call: { readonly id: string; readonly callId: string; readonly name: string }
  readonly #frames: FrameNumbers
  readonly #pieces: string[] = []

  constructor(
    call: { readonly id: string; readonly callId: string; readonly name: string },
    index: number,
    frames: FrameNumbers,
  ) {
    this.index = index
    this.#call = call
    this.#frames = frames
  }

  open(): string {
    const item = this.#build('in_progress', '')
    return this.#frames.write('response.output_item.added', `"output_index":${this.index},"item":${item}`)
  }

  add(json: string): string {
    this.#pieces.push(json)
    return ''
  }

  /** Whether its text is all there, as far as that shows. */
  get isWhole(): boolean {
    return parseObject(this.#pieces.join('')) !== undefined
  }

  close(status: ItemStatus): { frames: string; item: string } {
    const text = unwrapText(this.#pieces.join(''))
    const item = this.#build(status, text)
    const route = `"item_id":${JSON.stringify(this.#call.id)},"output_index":${this.index}`
    const input = JSON.stringify(text)
    const frames =
      this.#frames.write('response.custom_tool_call_input.delta', `${route},"delta":${input}`) +
      this.#frames.write('response.custom_tool_call_input.done', `${route},"input":${input}`) +
      this.#frames.write('response.output_item.done', `"output_index":${this.index},"item":${item}`)
    return { frames, item }
  }

  snapshot(): string {
    return this.#build('incomplete', unwrapText(this.#pieces.join('')))
  }

  #build(status: ItemStatus, input: string): string {
    const { id, callId, name } = this.#call
    return JSON.stringify(buildCustomCall(id, status, { callId, name, input }))
  }
}
