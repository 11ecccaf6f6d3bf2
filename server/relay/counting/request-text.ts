import type { NeutralRequest, Part, Tool } from '../../dialects/spec.ts'
import { isText, mediaOf } from './estimate-input.ts'
import { COUNTED } from './picture-sizes.ts'
import type { TokenCounter } from './token-counter.ts'

/** What vendors put around each message, and before the answer. */
const PER_MESSAGE = 4
const BEFORE_ANSWER = 3
/** Speech at 64 kbit/s; a page of a PDF. Both as base64. */
const AUDIO_BYTES_PER_TOKEN = 400
const FILE_BYTES_PER_TOKEN = 40
const PER_DISTANT_FILE = 3000

/** The tokens of a prompt whose upstream did not say. Never rejects. */
export async function countRequest(counter: TokenCounter, request: NeutralRequest): Promise<number> {
  const media = mediaOf(request)
  const messages = request.messages.length + (request.system.length > 0 ? 1 : 0)
  const text = await counter.countTexts(textOf(request))
  return (
    text +
    messages * PER_MESSAGE +
    BEFORE_ANSWER +
    media.images * COUNTED +
    Math.ceil(media.audioBytes / AUDIO_BYTES_PER_TOKEN) +
    Math.ceil(media.fileBytes / FILE_BYTES_PER_TOKEN) +
    media.distantFiles * PER_DISTANT_FILE
  )
}

/** Every text of a request that the model reads. */
export function textOf(request: NeutralRequest): string[] {
  const texts: string[] = []
  for (const { text } of request.system) texts.push(text)
  for (const tool of request.tools) texts.push(toolText(tool))
  for (const { parts } of request.messages) for (const part of parts) addText(texts, part)
  if (request.format?.type === 'schema') texts.push(JSON.stringify(request.format.schema))
  return texts.filter(text => text !== '')
}

function toolText(tool: Tool): string {
  if (tool.type === 'web-search') return JSON.stringify(tool.settings)
  const { name, description, schema } = tool
  return JSON.stringify({ name, description, parameters: schema })
}

function addText(texts: string[], part: Part): void {
  switch (part.type) {
    case 'text':
    case 'thinking':
      texts.push(part.text)
      break
    case 'tool-call':
      texts.push(part.name, part.input)
      break
    case 'tool-result':
      for (const inner of part.content) addText(texts, inner)
      break
    case 'file':
      if ('data' in part.source && isText(part.source))
        texts.push(Buffer.from(part.source.data, 'base64').toString('utf8'))
      break
  }
}
