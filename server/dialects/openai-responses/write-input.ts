import type { JsonObject } from '../json.ts'
import { refuseFeature } from '../refuse.ts'
import type { FilePart, ImagePart, Media, Message, Part, ThinkingPart, ToolResultPart } from '../spec.ts'

/**
 * Messages become items: what a message says stays one item, calls, results and thoughts are their own. Media of
 * the assistant go into the next user message, or one of their own: its turn can hold text only.
 */
export function writeInput(messages: readonly Message[]): JsonObject[] {
  const writer = new InputWriter()
  for (const message of messages) writer.write(message)
  writer.flush()
  return writer.items
}

class InputWriter {
  readonly items: JsonObject[] = []
  #moved: JsonObject[] = []

  write(message: Message): void {
    if (message.role !== 'user') this.flush()
    let content: JsonObject[] = []
    const closeContent = () => {
      if (content.length > 0) this.items.push({ type: 'message', role: message.role, content })
      content = []
    }
    for (const part of message.parts) {
      const said = writeSaid(part, message.role)
      if (said && isMedia(part) && message.role === 'assistant') this.#moved.push(said)
      else if (said) content.push(...(message.role === 'user' ? this.#takeMoved() : []), said)
      const item = writeOwnItem(part)
      if (!item) continue
      closeContent()
      this.items.push(item)
    }
    closeContent()
  }

  /** Before anybody else speaks, and not between calls and their results. */
  flush(): void {
    const content = this.#takeMoved()
    if (content.length > 0) this.items.push({ type: 'message', role: 'user', content })
  }

  #takeMoved(): JsonObject[] {
    const moved = this.#moved
    this.#moved = []
    return moved
  }
}

function isMedia({ type }: Part): boolean {
  return type === 'image' || type === 'file'
}

function writeSaid(part: Part, role: Message['role']): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      if (part.text === '') return undefined
      if (role !== 'assistant') return { type: 'input_text', text: part.text }
      return part.refusal
        ? { type: 'refusal', refusal: part.text }
        : { type: 'output_text', text: part.text, annotations: [] }
    case 'image':
      return writeImage(part)
    case 'file':
      return writeFile(part)
    case 'audio':
      return refuseFeature('feature.audio-input')
    default:
      return undefined
  }
}

/** Items go without an `id`: nothing is stored that it could name. */
function writeOwnItem(part: Part): JsonObject | undefined {
  switch (part.type) {
    case 'tool-call':
      return { type: 'function_call', call_id: part.id, name: part.name, arguments: part.input || '{}' }
    case 'tool-result':
      return { type: 'function_call_output', call_id: part.callId, output: writeOutput(part) }
    case 'thinking':
      return writeThought(part)
    default:
      return undefined
  }
}

export function isOwnThought(part: Part): part is ThinkingPart {
  return part.type === 'thinking' && part.signature?.by === 'openai-responses'
}

/** A thought that another vendor signed, or none, proves nothing here and is dropped. */
function writeThought(part: ThinkingPart): JsonObject | undefined {
  if (!isOwnThought(part)) return undefined
  return {
    type: 'reasoning',
    summary: part.text === '' ? [] : [{ type: 'summary_text', text: part.text }],
    encrypted_content: part.signature?.value,
  }
}

/** There is no mark for a result that is an error: its text has to say so. */
function writeOutput(part: ToolResultPart): string | JsonObject[] {
  const texts: string[] = []
  for (const each of part.content) if (each.type === 'text') texts.push(each.text)
  if (texts.length === part.content.length) return texts.join('\n')
  return part.content.map(each => {
    if (each.type === 'text') return { type: 'input_text', text: each.text }
    return each.type === 'image' ? writeImage(each) : writeFile(each)
  })
}

function writeImage({ source, detail = 'auto' }: ImagePart): JsonObject {
  if ('fileId' in source) return { type: 'input_image', file_id: source.fileId, detail }
  return { type: 'input_image', image_url: 'url' in source ? source.url : writeDataUrl(source), detail }
}

function writeFile({ source, name }: FilePart): JsonObject {
  if ('fileId' in source) return { type: 'input_file', file_id: source.fileId }
  if ('url' in source) return { type: 'input_file', file_url: source.url }
  const { mediaType } = source
  if (/^(audio|video)\//.test(mediaType)) refuseFeature('feature.file-type', { type: mediaType })
  return { type: 'input_file', filename: nameFile(name, mediaType), file_data: writeDataUrl(source) }
}

/** The vendor goes by the ending. */
function nameFile(name: string | undefined, mediaType: string): string {
  const given = name || 'file'
  if (/\.\w{1,8}$/.test(given)) return given
  return `${given}.${mediaType === 'application/pdf' ? 'pdf' : 'txt'}`
}

function writeDataUrl(source: Extract<Media, { data: string }>): string {
  return `data:${source.mediaType};base64,${source.data}`
}
