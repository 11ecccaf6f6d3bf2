import type { Signature, ThinkingPart, TranslatedDialect } from '../spec.ts'

// Other vendors' signatures travel through an Anthropic client in the fields that it hands back unchanged:
// the signature of a thinking block, the data of a sealed one, the id of a tool call.

const SIGNATURE_MARK = 'tg1.'
const ID_MARK = '--tgsig--'
const DIALECTS: ReadonlySet<string> = new Set<TranslatedDialect>([
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
])

export function encodeSignature(signature: Signature | undefined): string {
  if (signature === undefined || signature.value === '') return ''
  return signature.by === 'anthropic'
    ? signature.value
    : `${SIGNATURE_MARK}${signature.by}.${signature.value}`
}

export function decodeSignature(text: string | undefined): Signature | undefined {
  if (text === undefined || text === '') return undefined
  if (!text.startsWith(SIGNATURE_MARK)) return { by: 'anthropic', value: text }
  const dot = text.indexOf('.', SIGNATURE_MARK.length)
  const by = text.slice(SIGNATURE_MARK.length, dot < 0 ? text.length : dot)
  if (dot < 0 || !isDialect(by)) return { by: 'anthropic', value: text }
  const value = text.slice(dot + 1)
  return value === '' ? undefined : { by, value }
}

/** Sealed thinking of another vendor keeps its maker in `signature.by`. */
export function readSealed(data: string): ThinkingPart {
  const signature = decodeSignature(data)
  if (signature === undefined || signature.by === 'anthropic')
    return { type: 'thinking', text: '', redacted: data }
  return { type: 'thinking', text: '', redacted: signature.value, signature }
}

/** Only Gemini signs calls. Ids take letters, digits, `_` and `-`, hence base64url. */
export function encodeCallId(id: string, signature: Signature | undefined): string {
  if (signature?.by !== 'gemini' || signature.value === '') return id
  return `${id}${ID_MARK}${Buffer.from(signature.value).toString('base64url')}`
}

export function decodeCallId(text: string): {
  readonly id: string
  readonly signature?: Signature | undefined
} {
  const at = text.lastIndexOf(ID_MARK)
  if (at < 0) return { id: text }
  const encoded = text.slice(at + ID_MARK.length)
  const value = Buffer.from(encoded, 'base64url').toString()
  if (value === '' || Buffer.from(value).toString('base64url') !== encoded) return { id: text }
  return { id: text.slice(0, at), signature: { by: 'gemini', value } }
}

function isDialect(name: string): name is TranslatedDialect {
  return DIALECTS.has(name)
}
