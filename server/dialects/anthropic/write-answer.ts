import type { Asked } from '../dialect.ts'
import { type JsonObject, parseExactly } from '../json.ts'
import type { AnswerPart, CitationPart, MediaOutPart, NeutralAnswer, ThinkingPart } from '../spec.ts'
import { encodeCallId, encodeSignature } from './foreign-signature.ts'
import { writeFinish } from './map-stop-reason.ts'
import { type ShownThoughts, shownThoughts } from './shown-thoughts.ts'
import { readToolInput } from './write-blocks.ts'
import { writeUsage } from './write-usage.ts'

export function writeAnswer(answer: NeutralAnswer, asked: Asked): JsonObject {
  const shown = shownThoughts(asked.request)
  const called = answer.parts.some(part => part.type === 'tool-call')
  return {
    id: writeMessageId(answer.id),
    type: 'message',
    role: 'assistant',
    model: asked.model,
    content: writeContent(answer, shown),
    ...writeFinish(answer.finish, called),
    usage: writeUsage(answer.usage, asked.estimatedInput),
  }
}

export function writeMessageId(id: string): string {
  return id.startsWith('msg_') ? id : `msg_${id}`
}

export function writeCitation(citation: CitationPart): JsonObject {
  return {
    type: 'web_search_result_location',
    url: citation.url,
    title: citation.title ?? null,
    cited_text: '',
    encrypted_index: '',
  }
}

/** The dialect has no media in answers: clients that show markdown show this. */
export function writeMediaText(media: MediaOutPart): string {
  const link = `(data:${media.mediaType};base64,${media.data})`
  return media.mediaType.startsWith('image/') ? `![image]${link}` : `[${media.mediaType}]${link}`
}

function writeContent({ parts, finish }: NeutralAnswer, shown: ShownThoughts): JsonObject[] {
  const blocks: JsonObject[] = []
  const isCut = finish.reason === 'length'
  for (const part of parts) {
    if (part.type === 'citation') cite(blocks.at(-1), part)
    else blocks.push(...writeBlock(part, shown, isCut))
  }
  return blocks
}

function cite(block: JsonObject | undefined, citation: CitationPart): void {
  if (block?.type !== 'text') return
  if (Array.isArray(block.citations)) block.citations.push(writeCitation(citation))
  else block.citations = [writeCitation(citation)]
}

function writeBlock(
  part: Exclude<AnswerPart, CitationPart>,
  shown: ShownThoughts,
  isCut: boolean,
): JsonObject[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    case 'media':
      return [{ type: 'text', text: writeMediaText(part) }]
    case 'tool-call':
      return [
        {
          type: 'tool_use',
          id: encodeCallId(part.id, part.signature),
          name: part.name,
          // Half of an input is none.
          input: isCut ? (parseExactly(part.input) ?? {}) : readToolInput(part.input),
        },
      ]
    case 'thinking':
      return shown === 'none' ? [] : writeThinking(part, shown)
  }
}

/** Thinking that the client does not want to see still comes with its signature, for the next turn. */
function writeThinking(part: ThinkingPart, shown: ShownThoughts): JsonObject[] {
  if (part.redacted !== undefined) {
    const data = encodeSignature({ by: part.signature?.by ?? 'anthropic', value: part.redacted })
    return [{ type: 'redacted_thinking', data }]
  }
  const signature = encodeSignature(part.signature)
  const thinking = shown === 'all' ? part.text : ''
  return thinking === '' && signature === '' ? [] : [{ type: 'thinking', thinking, signature }]
}
