import { refuseNamed, refusePart } from '../../../dialects/refuse.ts'
import type { NeutralRequest, Part, TextPart } from '../../../dialects/spec.ts'
import { sayTextFiles } from './say-text-files.ts'

export interface PlainMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/**
 * The conversation as texts, system texts first, for vendors that know nothing else. What a model thought is
 * left out and files of text are said; media and tools are refused, so that another channel may take them.
 */
export function plainMessages(request: NeutralRequest): PlainMessage[] {
  if (request.tools.length > 0) refuseNamed('tools')
  const system = joinTexts(request.system)
  const turns = sayTextFiles(request).messages.map(({ role, parts }) => ({
    role,
    content: textOfParts(parts),
  }))
  return system === '' ? turns : [{ role: 'system', content: system }, ...turns]
}

export function joinTexts(parts: readonly TextPart[]): string {
  return parts.map(({ text }) => text).join('\n')
}

/** Throws for what is no text. */
function textOfParts(parts: readonly Part[]): string {
  return parts
    .flatMap(part => {
      if (part.type === 'text') return part.text
      if (part.type === 'thinking') return []
      return refusePart(part.type)
    })
    .join('\n')
}

/**
 * For vendors that want users and assistants in turns, a user first and last: neighbours of one role are
 * joined, and system texts inside the conversation are said by the user.
 */
export function alternate(messages: readonly PlainMessage[]): PlainMessage[] {
  const turns: PlainMessage[] = []
  for (const { role: given, content } of messages) {
    const role = given === 'system' ? 'user' : given
    const last = turns.at(-1)
    if (last?.role === role) turns[turns.length - 1] = { role, content: `${last.content}\n${content}` }
    else turns.push({ role, content })
  }
  return turns[0]?.role === 'assistant' ? [{ role: 'user', content: '…' }, ...turns] : turns
}
