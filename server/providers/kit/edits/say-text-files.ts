import type { FilePart, NeutralRequest, Part, TextPart } from '../../../dialects/spec.ts'

/** For vendors that take no files: those that hold text can be said. */
export function sayTextFiles(request: NeutralRequest): NeutralRequest {
  if (!request.messages.some(({ parts }) => parts.some(holdsTextFile))) return request
  const messages = request.messages.map(message => ({ ...message, parts: message.parts.map(sayPart) }))
  return { ...request, messages }
}

function sayPart(part: Part): Part {
  if (part.type === 'tool-result') return { ...part, content: part.content.map(say) }
  return part.type === 'file' ? say(part) : part
}

function say<P extends Part>(part: P): P | TextPart {
  return isTextFile(part) ? { type: 'text', text: readText(part) } : part
}

function holdsTextFile(part: Part): boolean {
  return part.type === 'tool-result' ? part.content.some(isTextFile) : isTextFile(part)
}

type TextFile = FilePart & { readonly source: { readonly data: string } }

function isTextFile(part: Part): part is TextFile {
  if (part.type !== 'file' || !('data' in part.source)) return false
  return /^(text\/|application\/json)/.test(part.source.mediaType)
}

function readText({ source, name }: TextFile): string {
  const text = Buffer.from(source.data, 'base64').toString('utf8')
  return name ? `${name}\n${text}` : text
}
