import { askModel } from '../../ask-model.ts'

export interface Trial {
  readonly prompt: {
    readonly id: string
    readonly version: number
    readonly variables: Readonly<Record<string, string>>
  }
  /** Blank for the prompt's own. */
  readonly model: string
  /** What is said after it; blank for nothing. */
  readonly message: string
}

export interface Tried {
  readonly text: string
  readonly model: string
  readonly prompt: number
  readonly completion: number
  readonly seconds: string
}

export class TrialRefused extends Error {
  override readonly name = 'TrialRefused'
}

/** Calls it as a program would, on the account that is logged in. Throws a TrialRefused with the words that came. */
export async function askPrompt({ prompt, model, message }: Trial, signal: AbortSignal): Promise<Tried> {
  const began = performance.now()
  const body = {
    prompt,
    ...(model !== '' && { model }),
    ...(message !== '' && { messages: [{ role: 'user', content: message }] }),
  }
  const response = await askModel(body, signal)
  const answer: Answer = await response.json()
  if (!response.ok) throw new TrialRefused(answer.error?.message ?? answer.message ?? response.statusText)
  return {
    text: answer.choices?.[0]?.message?.content ?? '',
    model: answer.model ?? model,
    prompt: answer.usage?.prompt_tokens ?? 0,
    completion: answer.usage?.completion_tokens ?? 0,
    seconds: ((performance.now() - began) / 1000).toFixed(1),
  }
}

interface Answer {
  readonly message?: string
  readonly error?: { readonly message?: string }
  readonly model?: string
  readonly choices?: readonly { readonly message?: { readonly content?: string | null } }[]
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number }
}
