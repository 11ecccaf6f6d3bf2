import { readSignature } from '../../dialects/media-signature.ts'

const htmlStart = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)*<(?:!doctype\s+html|html|head|body|script)\b/i
const htmlTypes = new Set(['text/html', 'application/xhtml+xml'])
const vagueTypes = new Set(['', 'application/octet-stream', 'binary/octet-stream'])
const textTypes =
  /^(?:text\/|application\/(?:json|xml|yaml|x-yaml|javascript|x-javascript|x-ndjson|toml|rtf)$)/

/** What the bytes are, where the answer says `declared`; undefined for what is not handed to a model. */
export function tellMediaType(bytes: Uint8Array, declared: string | null): string | undefined {
  const said = (declared ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (htmlTypes.has(said)) return undefined
  const known = readSignature(bytes)
  if (known !== undefined) return known
  if (!vagueTypes.has(said) && !textTypes.test(said)) return undefined
  if (!isText(bytes)) return undefined
  return said.startsWith('text/') ? said : 'text/plain'
}

function isText(bytes: Uint8Array): boolean {
  if (bytes.byteLength === 0 || bytes.includes(0)) return false
  try {
    return !htmlStart.test(new TextDecoder('utf-8', { fatal: true }).decode(bytes).slice(0, 2048))
  } catch {
    return false
  }
}
