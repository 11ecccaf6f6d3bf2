import type { Message, NeutralRequest, Part } from '../../dialects/spec.ts'
import { joinTexts } from '../kit/edits/plain-messages.ts'

/** For models that know no role `system`: its texts stand before what the user says first. */
export function foldSystem(request: NeutralRequest): NeutralRequest {
  const { system, messages } = request
  const texts = joinTexts(system)
  if (texts === '') return request
  const said: Message = { role: 'user', parts: [{ type: 'text', text: texts }] }
  const [first, ...rest] = messages
  const folded: Message[] =
    first?.role === 'user'
      ? [{ ...first, parts: [...said.parts, ...first.parts] }, ...rest]
      : [said, ...messages]
  return { ...request, system: [], messages: folded }
}

/** Texts that follow each other become one: content is a string there, not a list. */
export function joinTextParts(parts: readonly Part[]): Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (part.type === 'text' && last?.type === 'text')
      joined[joined.length - 1] = { type: 'text', text: `${last.text}\n${part.text}` }
    else joined.push(part)
  }
  return joined
}
