import { buildToolSearch, type ItemStatus } from './build-item.ts'
import { StreamCall } from './stream-call.ts'

/** A tool_search_call item: it has no events of its own, and is told when it is whole. */
export class StreamToolSearch extends StreamCall {
  protected tellPiece(): string {
    return ''
  }

  protected tellInput(): string {
    return ''
  }

  protected buildItem(status: ItemStatus, json: string): string {
    return JSON.stringify(buildToolSearch(this.call.id, status, this.call, json))
  }
}
