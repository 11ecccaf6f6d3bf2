import type { JsonObject } from '../json.ts'
import { writeLogprobs } from '../logprobs.ts'
import type { CitationPart, TokenLogprob } from '../spec.ts'
import { buildAnnotation, buildMessage, buildRefusal, buildText, type ItemStatus } from './build-item.ts'
import type { FrameNumbers } from './number-frames.ts'

interface OpenPart {
  readonly refusal: boolean
  /** Where it is, as JSON fields. */
  readonly route: string
  readonly pieces: string[]
  length: number
  readonly annotations: JsonObject[]
  readonly logprobs: TokenLogprob[]
}

/** A message item that is being written. What it said is kept: the closing frames repeat it. */
export class StreamMessage {
  readonly index: number
  readonly #id: string
  readonly #route: string
  readonly #frames: FrameNumbers
  readonly #content: JsonObject[] = []
  #part: OpenPart | undefined

  constructor(id: string, index: number, frames: FrameNumbers) {
    this.index = index
    this.#id = id
    this.#route = `"item_id":${JSON.stringify(id)},"output_index":${index}`
    this.#frames = frames
  }

  open(): string {
    const item = JSON.stringify(buildMessage(this.#id, 'in_progress', []))
    return this.#frames.write('response.output_item.added', `"output_index":${this.index},"item":${item}`)
  }

  say(text: string, refusal: boolean, logprobs: readonly TokenLogprob[] = []): string {
    let opening = ''
    let part = this.#part
    if (part?.refusal !== refusal) {
      opening = this.#closePart()
      part = this.#openPart(refusal)
      opening += this.#frames.write(
        'response.content_part.added',
        `${part.route},"part":${JSON.stringify(refusal ? buildRefusal('') : buildText('', []))}`,
      )
    }
    part.pieces.push(text)
    part.length += text.length
    for (const token of logprobs) part.logprobs.push(token)
    const delta = `${part.route},"delta":${JSON.stringify(text)}`
    return refusal
      ? opening + this.#frames.write('response.refusal.delta', delta)
      : opening + this.#frames.write('response.output_text.delta', `${delta},"logprobs":${spell(logprobs)}`)
  }

  cite(citation: CitationPart): string {
    const part = this.#part
    if (!part || part.refusal) return ''
    const annotation = buildAnnotation(citation, part.length)
    const at = part.annotations.push(annotation) - 1
    return this.#frames.write(
      'response.output_text.annotation.added',
      `${part.route},"annotation_index":${at},"annotation":${JSON.stringify(annotation)}`,
    )
  }

  /** The frames, and the item as it stands in the finished response. */
  close(status: ItemStatus): { frames: string; item: string } {
    const closing = this.#closePart()
    const item = JSON.stringify(buildMessage(this.#id, status, this.#content))
    const done = this.#frames.write(
      'response.output_item.done',
      `"output_index":${this.index},"item":${item}`,
    )
    return { frames: closing + done, item }
  }

  /** As far as it got, for a response that failed. */
  snapshot(): string {
    const part = this.#part && finishPart(this.#part)
    return JSON.stringify(
      buildMessage(this.#id, 'incomplete', part ? [...this.#content, part] : this.#content),
    )
  }

  #openPart(refusal: boolean): OpenPart {
    const route = `${this.#route},"content_index":${this.#content.length}`
    this.#part = { refusal, route, pieces: [], length: 0, annotations: [], logprobs: [] }
    return this.#part
  }

  #closePart(): string {
    const part = this.#part
    if (!part) return ''
    const finished = finishPart(part)
    this.#content.push(finished)
    this.#part = undefined
    const done = part.refusal
      ? this.#frames.write(
          'response.refusal.done',
          `${part.route},"refusal":${JSON.stringify(finished.refusal)}`,
        )
      : this.#frames.write(
          'response.output_text.done',
          `${part.route},"text":${JSON.stringify(finished.text)},"logprobs":${spell(part.logprobs)}`,
        )
    return (
      done +
      this.#frames.write('response.content_part.done', `${part.route},"part":${JSON.stringify(finished)}`)
    )
  }
}

function finishPart(part: OpenPart): JsonObject {
  const text = part.pieces.join('')
  return part.refusal ? buildRefusal(text) : buildText(text, part.annotations, part.logprobs)
}

function spell(logprobs: readonly TokenLogprob[]): string {
  return logprobs.length === 0 ? '[]' : JSON.stringify(writeLogprobs(logprobs))
}
