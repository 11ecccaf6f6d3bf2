import type { JsonObject } from '../../dialects/json.ts'
import type { Form } from './parse-multipart.ts'

/**
 * Sets and removes (`undefined`) plain fields of a form. Everything that is not named keeps its bytes: files,
 * their names and types, and the order. What is not text, a number or a flag cannot stand in a form and is left out.
 */
export function editMultipart({ bytes, boundary, parts, closing }: Form, edits: JsonObject): Buffer {
  const pieces: (Buffer | string)[] = []
  const met = new Set<string>()
  let copied = 0
  for (const part of parts) {
    if (part.fileName !== undefined || !Object.hasOwn(edits, part.name)) continue
    met.add(part.name)
    const value = edits[part.name]
    if (!isPlain(value)) continue
    pieces.push(bytes.subarray(copied, part.start), String(value))
    copied = part.end
  }
  for (const [name, value] of Object.entries(edits)) {
    if (met.has(name) || !isPlain(value)) continue
    pieces.push(bytes.subarray(copied, Math.max(copied, closing)), writeField(boundary, name, String(value)))
    copied = Math.max(copied, closing)
  }
  if (pieces.length === 0) return bytes
  pieces.push(bytes.subarray(copied))
  return Buffer.concat(pieces.map(piece => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
}

export function contentTypeOf({ boundary }: Form): string {
  return `multipart/form-data; boundary="${boundary}"`
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function writeField(boundary: string, name: string, value: string): string {
  const safe = name.replace(/["\r\n]/g, character => encodeURIComponent(character))
  return `\r\n--${boundary}\r\nContent-Disposition: form-data; name="${safe}"\r\n\r\n${value}`
}
