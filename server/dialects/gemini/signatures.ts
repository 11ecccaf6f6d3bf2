import type { Signature, ThinkingPart, TranslatedDialect } from '../spec.ts'

// A signature of another vendor travels through a Gemini client in `thoughtSignature`. That field is bytes, and
// typed clients refuse what is not base64, so `tg1.<dialect>.<value>` is written as base64 too.

const SIGNED = 'tg1.'
const REDACTED = 'tg1r.'
/** How base64 of either begins. */
const SEALED_START = 'dGcx'

const dialects: readonly string[] = [
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
] satisfies TranslatedDialect[]

export function sealSignature(signature: Signature): string {
  if (signature.by === 'gemini') return signature.value
  return encode(`${SIGNED}${signature.by}.${signature.value}`)
}

export function sealRedacted(data: string, by: TranslatedDialect): string {
  return encode(`${REDACTED}${by}.${data}`)
}

export function openSignature(text: string): Signature {
  const sealed = unseal(text, SIGNED)
  return sealed ?? { by: 'gemini', value: text }
}

/** What a signature on a thought says of it: who signed, or what is kept sealed. */
export function openThought(text: string): Pick<ThinkingPart, 'signature' | 'redacted'> {
  const redacted = unseal(text, REDACTED)
  if (redacted === undefined) return { signature: openSignature(text) }
  return redacted.by === 'anthropic' ? { redacted: redacted.value } : { signature: redacted }
}

function unseal(text: string, mark: string): Signature | undefined {
  const open = text.startsWith(SEALED_START) ? Buffer.from(text, 'base64').toString('utf8') : text
  if (!open.startsWith(mark)) return undefined
  const dot = open.indexOf('.', mark.length)
  const by = open.slice(mark.length, dot)
  return dot > 0 && isDialect(by) ? { by, value: open.slice(dot + 1) } : undefined
}

function isDialect(name: string): name is TranslatedDialect {
  return dialects.includes(name)
}

function encode(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64')
}
