import type { JsonObject } from '../json.ts'
import type {
  Message,
  NeutralRequest,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
  TranslatedDialect,
} from '../spec.ts'
import { writeGoogleSignature } from './google-signature.ts'
import { writeDetails } from './reasoning-details.ts'
import { isUserPart, joinTexts, type UserPart, writeUserContent } from './write-content.ts'

/**
 * What this dialect cannot say: that a tool failed (its text tells), who spoke, cache marks. A refusal goes
 * as text, since few upstreams know the field. Media of a tool or of the assistant go into the next user
 * message, or one of their own.
 */
export function writeMessages(request: NeutralRequest, model: string): JsonObject[] {
  const writer = new MessagesWriter(guessVendor(model))
  const system = joinTexts(request.system, '\n\n')
  if (system !== '') writer.out.push({ role: 'system', content: system })
  for (const message of request.messages) writer.write(message)
  writer.flush()
  return writer.out
}

/** Signatures go back to the vendor that made them; over this dialect only the model's name tells which. */
function guessVendor(model: string): TranslatedDialect | undefined {
  const name = model.toLowerCase()
  if (name.includes('gemini')) return 'gemini'
  return name.includes('claude') ? 'anthropic' : undefined
}

class MessagesWriter {
  readonly out: JsonObject[] = []
  readonly #vendor: TranslatedDialect | undefined
  #moved: UserPart[] = []

  constructor(vendor: TranslatedDialect | undefined) {
    this.#vendor = vendor
  }

  write(message: Message): void {
    if (message.role === 'user') return this.#writeUser(message)
    this.flush()
    if (message.role === 'assistant') return this.#writeAssistant(message)
    const content = joinTexts(message.parts, '\n\n')
    if (content !== '') this.out.push({ role: 'system', content })
  }

  /** Media wait until all results of a turn are out: nothing may stand between a call and its results. */
  flush(): void {
    if (this.#moved.length > 0) this.out.push({ role: 'user', content: writeUserContent(this.#moved) })
    this.#moved = []
  }

  #writeUser(message: Message): void {
    const results = message.parts.filter(part => part.type === 'tool-result')
    for (const result of results) this.#writeResult(result)
    const said = message.parts.filter(isUserPart)
    if (said.length === 0) return
    this.out.push({ role: 'user', content: writeUserContent([...this.#moved, ...said]) })
    this.#moved = []
  }

  #writeResult(result: ToolResultPart): void {
    const media = result.content.filter(part => part.type !== 'text')
    this.#moved.push(...media)
    const text = joinTexts(result.content, '\n')
    const content = text !== '' ? text : media.length > 0 ? 'The result is in the next message.' : ''
    this.out.push({ role: 'tool', tool_call_id: result.callId, content })
  }

  #writeAssistant(message: Message): void {
    const text = joinTexts(message.parts, '')
    const calls = message.parts.filter(part => part.type === 'tool-call')
    const thinking = this.#writeThinking(message.parts.filter(part => part.type === 'thinking'))
    this.#moved.push(...message.parts.filter(isUserPart).filter(part => part.type !== 'text'))
    if (text === '' && calls.length === 0 && thinking === undefined) return
    this.out.push({
      role: 'assistant',
      content: text === '' && calls.length > 0 ? null : text,
      ...thinking,
      ...(calls.length === 0 ? {} : { tool_calls: calls.map(call => this.#writeCall(call)) }),
    })
  }

  #writeThinking(parts: readonly ThinkingPart[]): JsonObject | undefined {
    const text = parts.map(part => part.text).join('')
    const details =
      this.#vendor === 'anthropic'
        ? writeDetails(
            parts.filter(part => part.redacted !== undefined || part.signature?.by === 'anthropic'),
          )
        : undefined
    if (text === '' && details === undefined) return undefined
    return {
      ...(text === '' ? {} : { reasoning_content: text }),
      ...(details === undefined ? {} : { reasoning_details: details }),
    }
  }

  #writeCall(call: ToolCallPart): JsonObject {
    const goesBack = call.signature?.by === 'gemini' && this.#vendor === 'gemini'
    return {
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.input || '{}' },
      ...(call.signature !== undefined && goesBack
        ? { extra_content: writeGoogleSignature(call.signature.value) }
        : {}),
    }
  }
}
