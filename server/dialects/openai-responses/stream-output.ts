import type { MediaOutPart, Signature, StreamPart, TokenLogprob, TranslatedDialect } from '../spec.ts'
import { buildImage, type ItemStatus } from './build-item.ts'
import { ItemIds } from './item-ids.ts'
import { callPrefix, type FunctionTool, type SpecialTools } from './namespaces.ts'
import type { FrameNumbers } from './number-frames.ts'
import { seal } from './seal-signature.ts'
import type { NamedCall, StreamCall } from './stream-call.ts'
import { StreamCustomCall } from './stream-custom-call.ts'
import { StreamFunctionCall } from './stream-function-call.ts'
import { StreamMessage } from './stream-message.ts'
import { StreamReasoning } from './stream-reasoning.ts'
import { StreamToolSearch } from './stream-tool-search.ts'

/**
 * The items of a streamed response. They are opened when there is something to put into them; a message and a
 * thought end when anything else begins, calls when they say so.
 */
export class StreamOutput {
  readonly #ids: ItemIds
  readonly #frames: FrameNumbers
  /** JSON of the finished items, by their place. */
  readonly #finished: string[] = []
  readonly #calls = new Map<number, StreamCall>()
  readonly #special: SpecialTools
  #block: StreamMessage | StreamReasoning | undefined
  #next = 0
  /** A call that ended and may have been cut off: when nothing follows, the finish tells. */
  #doubtful: number | undefined

  constructor(upstreamId: string, frames: FrameNumbers, special: SpecialTools) {
    this.#special = special
    this.#ids = new ItemIds(upstreamId)
    this.#frames = frames
  }

  get responseId(): string {
    return this.#ids.response
  }

  write(part: StreamPart): string {
    if (this.#doubtful === undefined) return this.#write(part)
    const ending = this.#endCall(this.#doubtful, 'completed')
    this.#doubtful = undefined
    return ending + this.#write(part)
  }

  #write(part: StreamPart): string {
    switch (part.type) {
      case 'text-delta':
        return this.#say(part.text, false, part.logprobs)
      case 'refusal-delta':
        return this.#say(part.text, true)
      case 'thinking-delta':
        return this.#think(part.text)
      case 'thinking-signature':
        return this.#sign(part.signature)
      case 'thinking-redacted':
        return this.#redact(part.data, part.by)
      case 'tool-start':
        return this.#startCall(part)
      case 'tool-input-delta':
        return part.json === '' ? '' : (this.#calls.get(part.index)?.add(part.json) ?? '')
      case 'tool-end':
        return this.#finishCall(part.index)
      case 'citation':
        return this.#block instanceof StreamMessage ? this.#block.cite(part.citation) : ''
      case 'media':
        return this.#show(part.media)
      default:
        return ''
    }
  }

  /** Ends what is still open. */
  close(status: ItemStatus): string {
    let frames = this.#endBlock(status)
    for (const index of [...this.#calls.keys()]) frames += this.#endCall(index, status)
    return frames
  }

  /** JSON of all items so far, with commas between. */
  list(): string {
    const items = [...this.#finished]
    if (this.#block) items[this.#block.index] = this.#block.snapshot()
    for (const call of this.#calls.values()) items[call.index] = call.snapshot()
    return items.join(',')
  }

  #say(text: string, refusal: boolean, logprobs?: readonly TokenLogprob[]): string {
    if (text === '' && !logprobs) return ''
    if (this.#block instanceof StreamMessage) return this.#block.say(text, refusal, logprobs)
    const ending = this.#endBlock('completed')
    const index = this.#next++
    const message = new StreamMessage(this.#ids.nameItem('msg', index), index, this.#frames)
    this.#block = message
    return ending + message.open() + message.say(text, refusal, logprobs)
  }

  #think(text: string): string {
    if (text === '') return ''
    if (this.#block instanceof StreamReasoning) return this.#block.think(text)
    const { reasoning, frames } = this.#openReasoning()
    return frames + reasoning.think(text)
  }

  #sign(signature: Signature): string {
    const sealed = seal({ kind: 'thinking', signature })
    if (this.#block instanceof StreamReasoning) return this.#endReasoning(this.#block, sealed)
    return this.#writeSealed(sealed)
  }

  #redact(data: string, by: TranslatedDialect): string {
    return this.#writeSealed(seal({ kind: 'redacted', by, data }))
  }

  #startCall(part: Extract<StreamPart, { type: 'tool-start' }>): string {
    // An index that is already open would be lost track of, and never be closed.
    const sealed = part.signature && seal({ kind: 'call', signature: part.signature })
    const ending =
      this.#endCall(part.index, 'completed') +
      (sealed === undefined ? this.#endBlock('completed') : this.#writeSealed(sealed))
    const index = this.#next++
    const tool = this.#special.get(part.name)
    const { name, namespace } = tool?.grouped ?? { name: part.name }
    const id = this.#ids.nameItem(callPrefix(tool), index)
    const callId = this.#ids.nameCall(part.id, index)
    const call = createCall(tool, { id, callId, name, namespace }, index, this.#frames)
    this.#calls.set(part.index, call)
    return ending + call.open()
  }

  #finishCall(key: number): string {
    const call = this.#calls.get(key)
    if (call?.isWhole) return this.#endCall(key, 'completed')
    if (call) this.#doubtful = key
    return ''
  }

  #endCall(key: number, status: ItemStatus): string {
    const call = this.#calls.get(key)
    if (!call) return ''
    this.#calls.delete(key)
    const { frames, item } = call.close(status)
    this.#finished[call.index] = item
    return frames
  }

  #show(media: MediaOutPart): string {
    const index = this.#next
    const item = buildImage(this.#ids.nameItem('ig', index), media)
    if (!item) return ''
    const ending = this.#endBlock('completed')
    this.#next++
    const json = JSON.stringify(item)
    this.#finished[index] = json
    const begun = JSON.stringify({ ...item, status: 'in_progress', result: null })
    return (
      ending +
      this.#frames.write('response.output_item.added', `"output_index":${index},"item":${begun}`) +
      this.#frames.write('response.output_item.done', `"output_index":${index},"item":${json}`)
    )
  }

  /** An item that holds nothing but what was sealed. */
  #writeSealed(sealed: string): string {
    const { reasoning, frames } = this.#openReasoning()
    return frames + this.#endReasoning(reasoning, sealed)
  }

  #openReasoning(): { reasoning: StreamReasoning; frames: string } {
    const ending = this.#endBlock('completed')
    const index = this.#next++
    const reasoning = new StreamReasoning(this.#ids.nameItem('rs', index), index, this.#frames)
    this.#block = reasoning
    return { reasoning, frames: ending + reasoning.open() }
  }

  #endReasoning(reasoning: StreamReasoning, sealed: string | undefined): string {
    const { frames, item } = reasoning.close(sealed)
    this.#finished[reasoning.index] = item
    this.#block = undefined
    return frames
  }

  #endBlock(status: ItemStatus): string {
    const block = this.#block
    if (!block) return ''
    if (block instanceof StreamReasoning) return this.#endReasoning(block, undefined)
    const { frames, item } = block.close(status)
    this.#finished[block.index] = item
    this.#block = undefined
    return frames
  }
}

function createCall(
  tool: FunctionTool | undefined,
  named: NamedCall,
  index: number,
  frames: FrameNumbers,
): StreamCall {
  if (tool?.findsTools) return new StreamToolSearch(named, index, frames)
  return tool?.freeform
    ? new StreamCustomCall(named, index, frames)
    : new StreamFunctionCall(named, index, frames)
}
