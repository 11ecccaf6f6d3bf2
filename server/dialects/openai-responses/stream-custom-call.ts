import { unwrapText } from '../freeform-tools.ts'
import { buildCustomCall, type ItemStatus } from './build-item.ts'
import { StreamCall } from './stream-call.ts'

/** A custom_tool_call item: its text is known when all of its JSON is. */
export class StreamCustomCall extends StreamCall {
  protected tellPiece(): string {
    return ''
  }

  protected tellInput(): string {
    const input = JSON.stringify(unwrapText(this.json))
    return (
      this.frames.write('response.custom_tool_call_input.delta', `${this.route},"delta":${input}`) +
      this.frames.write('response.custom_tool_call_input.done', `${this.route},"input":${input}`)
    )
  }

  protected buildItem(status: ItemStatus, json: string): string {
    return JSON.stringify(buildCustomCall(this.call.id, status, this.call, unwrapText(json)))
  }
}
