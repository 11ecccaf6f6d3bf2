import { answerFor, type Conversation, type Picture } from './conversation.ts'
import type { Settings } from './settings.ts'
import { withFiles } from './text-files.ts'

type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string | readonly Part[]
}

export interface ChatBody {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly stream: true
  readonly stream_options: { readonly include_usage: true }
  readonly temperature?: number
  readonly max_tokens?: number
  readonly top_p?: number
  readonly reasoning_effort?: string
}

/** The call for one column's answer to the last of these turns. What is unset is left to the model. */
export function chatBody(turns: Conversation, column: number, model: string, settings: Settings): ChatBody {
  return {
    model,
    messages: chatMessages(turns, column, settings.system),
    stream: true,
    stream_options: { include_usage: true },
    ...(settings.temperature > 0 ? { temperature: settings.temperature } : {}),
    ...(settings.maxTokens > 0 ? { max_tokens: settings.maxTokens } : {}),
    ...(settings.topP > 0 ? { top_p: settings.topP } : {}),
    ...(settings.effort !== '' ? { reasoning_effort: settings.effort } : {}),
  }
}

export function chatMessages(turns: Conversation, column: number, system: string): ChatMessage[] {
  const last = turns.length - 1
  const said = turns.flatMap((turn, at): ChatMessage[] => {
    const question: ChatMessage = {
      role: 'user',
      content: contentOf(withFiles(turn.text, turn.files), turn.pictures),
    }
    const answer = at === last ? undefined : answerFor(turn, column)
    // An answer of nothing but an error is nothing that the model said.
    return answer?.text ? [question, { role: 'assistant', content: answer.text }] : [question]
  })
  return system.trim() === '' ? said : [{ role: 'system', content: system }, ...said]
}

function contentOf(text: string, pictures: readonly Picture[]): ChatMessage['content'] {
  const kept = pictures.filter(({ url }) => url !== '')
  if (kept.length === 0) return text
  const images = kept.map(({ url }): Part => ({ type: 'image_url', image_url: { url } }))
  return text === '' ? images : [{ type: 'text', text }, ...images]
}
