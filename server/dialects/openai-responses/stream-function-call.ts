import { buildCall, type ItemStatus } from './build-item.ts'
import { StreamCall } from './stream-call.ts'

/** A function_call item: its JSON goes out as it comes. */
export class StreamFunctionCall extends StreamCall {
  protected tellPiece(json: string): string {
    return this.frames.write(
      'response.function_call_arguments.delta',
      `${this.route},"delta":${JSON.stringify(json)}`,
    )
  }

  protected tellInput(status: ItemStatus): string {
    const empty = this.json === '' && status === 'completed' ? this.add('{}') : ''
    const done = this.frames.write(
      'response.function_call_arguments.done',
      `${this.route},"arguments":${JSON.stringify(this.json)}`,
    )
    return empty + done
  }

  protected buildItem(status: ItemStatus, json: string): string {
    return JSON.stringify(buildCall(this.call.id, status, this.call, json))
  }
}
