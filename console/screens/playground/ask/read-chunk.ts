import type { Usage } from '../talk/conversation.ts'

export type Chunk =
  | {
      readonly kind: 'delta'
      readonly text: string
      readonly reasoning: string
      readonly usage?: Usage
      /** The most tokens that it may have were reached. */
      readonly limited?: true
    }
  | { readonly kind: 'error'; readonly message: string; readonly code: string }
  | { readonly kind: 'done' }

const nothing: Chunk = { kind: 'delta', text: '', reasoning: '' }

/** One event of a streamed answer. What cannot be understood says nothing. */
export function readChunk(event: string | undefined, data: string): Chunk {
  if (data === '[DONE]') return { kind: 'done' }
  const chunk = readJson(data)
  if (event === 'error' || isRecord(chunk?.error) || typeof chunk?.error === 'string')
    return readError(data, chunk)
  if (!chunk) return nothing
  const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined
  const delta = isRecord(choice) && isRecord(choice.delta) ? choice.delta : undefined
  const usage = readUsage(chunk.usage)
  return {
    kind: 'delta',
    text: textOf(delta?.content),
    reasoning: textOf(delta?.reasoning_content) || textOf(delta?.reasoning),
    ...(usage ? { usage } : {}),
    ...(isRecord(choice) && choice.finish_reason === 'length' ? { limited: true } : {}),
  }
}

/** The words of a refusal, whether it came as an event or as the whole answer. */
export function readFailure(body: string): { message: string; code: string } {
  return readError(body, readJson(body))
}

/** Whether these are the gateway's words, which are in the language of the page, and not a vendor's. */
export function isOwnFailure(body: string): boolean {
  const error = readJson(body)?.error
  return isRecord(error) && error.type === 'new_api_error'
}

function readError(data: string, chunk: Record<string, unknown> | undefined) {
  const error = isRecord(chunk?.error) ? chunk.error : chunk
  const message = [error?.message, chunk?.error].find(text => typeof text === 'string' && text !== '')
  return { kind: 'error' as const, message: textOf(message) || data, code: textOf(error?.code) }
}

function readUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined
  const { prompt_tokens: prompt, completion_tokens: completion } = value
  return typeof prompt === 'number' && typeof completion === 'number' ? { prompt, completion } : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function readJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
