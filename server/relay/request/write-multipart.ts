import type { JsonObject } from '../../dialects/json.ts'
import type { Form, FormPart } from './parse-multipart.ts'

/**
 * A form with some plain fields set; files keep their names, types and bytes. It is written anew under a boundary
 * that its sender cannot know: nothing inside a field can pass for another one with whoever reads it next.
 * What is not text, a number or a flag cannot stand in a form and is left out.
 */
export function writeMultipart(
  { bytes, parts }: Form,
  edits: JsonObject,
  boundary: string,
): Buffer<ArrayBuffer> {
  const pieces: Uint8Array[] = []
  const add = (head: string, content: Uint8Array): void => {
    pieces.push(Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), content, LINE_END)
  }
  const met = new Set<string>()
  for (const part of parts) {
    met.add(part.name)
    const value = part.isFile || !Object.hasOwn(edits, part.name) ? undefined : asField(edits[part.name])
    add(writeHead(part), value ?? bytes.subarray(part.start, part.end))
  }
  for (const [name, given] of Object.entries(edits)) {
    const value = met.has(name) ? undefined : asField(given)
    if (value) add(`Content-Disposition: form-data; name="${encodeName(name)}"`, value)
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`))
  return Buffer.concat(pieces)
}

const LINE_END = Buffer.from('\r\n')

function writeHead({ name, fileName, fileNameCoded, contentType }: FormPart): string {
  let head = `Content-Disposition: form-data; name="${name}"`
  if (fileName !== undefined) head += `; filename="${fileName}"`
  if (fileNameCoded !== undefined) head += `; filename*=${fileNameCoded}`
  return contentType === undefined ? head : `${head}\r\nContent-Type: ${contentType}`
}

function asField(value: unknown): Buffer | undefined {
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isPlain ? Buffer.from(String(value)) : undefined
}

function encodeName(name: string): string {
  return name.replace(/["\r\n]/g, encodeURIComponent)
}
