import { answerFor, type Conversation, type Picture, type Turn } from '../talk/conversation.ts'
import type { Settings } from './settings.ts'
import { withFiles } from './text-files.ts'

type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
  | { readonly type: 'file'; readonly file: { readonly filename: string; readonly file_data: string } }

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

function chatMessages(turns: Conversation, column: number, system: string): ChatMessage[] {
  const last = turns.length - 1
  const said = turns.flatMap((turn, at): ChatMessage[] => {
    const question: ChatMessage = {
      role: 'user',
      content: contentOf(withFiles(turn.text, turn.files), turn),
    }
    const answer = at === last ? undefined : answerFor(turn, column)
    // An answer of nothing but an error is nothing that the model said.
    return answer?.text ? [question, { role: 'assistant', content: answer.text }] : [question]
  })
  return system.trim() === '' ? said : [{ role: 'system', content: system }, ...said]
}

function contentOf(text: string, { pictures, pdfs = [] }: Turn): ChatMessage['content'] {
  const kept = (many: readonly Picture[]) => many.filter(({ url }) => url !== '')
  const attached: Part[] = [
    ...kept(pdfs).map(({ name, url }) => ({
      type: 'file' as const,
      file: { filename: name, file_data: url },
    })),
    ...kept(pictures).map(({ url }) => ({ type: 'image_url' as const, image_url: { url } })),
  ]
  if (attached.length === 0) return text
  return text === '' ? attached : [{ type: 'text', text }, ...attached]
}
