import type { Signature, TranslatedDialect } from '../spec.ts'

/**
 * What an `encrypted_content` holds. `call` is the signature of the function call that follows: Gemini signs
 * calls, and a function_call item has no place for that.
 */
export type Sealed =
  | { readonly kind: 'thinking'; readonly signature: Signature }
  | { readonly kind: 'redacted'; readonly by: TranslatedDialect; readonly data: string }
  | { readonly kind: 'call'; readonly signature: Signature }

const PREFIXES = { thinking: 'tg1.', redacted: 'tg1r.', call: 'tg1c.' } as const
const DIALECTS: readonly TranslatedDialect[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini']

/** A reasoning item travels through the client and back, so another vendor's signature can ride in it. */
export function seal(sealed: Sealed): string {
  if (sealed.kind === 'redacted') return `${PREFIXES.redacted}${sealed.by}.${sealed.data}`
  const { by, value } = sealed.signature
  if (sealed.kind === 'thinking' && by === 'openai-responses') return value
  return `${PREFIXES[sealed.kind]}${by}.${value}`
}

export function unseal(content: string): Sealed {
  for (const kind of ['thinking', 'redacted', 'call'] as const) {
    if (!content.startsWith(PREFIXES[kind])) continue
    const rest = content.slice(PREFIXES[kind].length)
    const by = DIALECTS.find(name => rest.startsWith(`${name}.`))
    if (by === undefined) break
    const value = rest.slice(by.length + 1)
    return kind === 'redacted' ? { kind, by, data: value } : { kind, signature: { by, value } }
  }
  return { kind: 'thinking', signature: { by: 'openai-responses', value: content } }
}
