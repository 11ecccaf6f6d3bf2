import { AppError } from '../../errors.ts'
import { type PartHead, readPartHead } from './read-part-head.ts'

/** One field or file of a form; `start` and `end` are where its content stands in the body. */
export interface FormPart extends PartHead {
  readonly start: number
  readonly end: number
}

/** A form as it was sent: nothing of it is copied. */
export interface Form {
  readonly bytes: Buffer
  readonly parts: readonly FormPart[]
}

/** What RFC 2046 allows; also keeps hostile ones short. */
const boundaryPattern = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/
const MOST_PARTS = 256
const LONGEST_HEAD = 8192
const LINE_END = Buffer.from('\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')
const DASH = 45
const SPACE = 32
const TAB = 9

/** Strict, and linear in the length of the body: every byte is looked at once. */
export function parseMultipart(bytes: Buffer, contentType: string): Form {
  const delimiter = Buffer.from(`\r\n--${readBoundary(contentType)}`)
  const parts: FormPart[] = []
  // The first delimiter has no line end before it when nothing stands before it.
  let at = startsWith(bytes, delimiter.subarray(2), 0) ? -2 : bytes.indexOf(delimiter)
  if (at === -1) refuseForm('has no part')
  for (;;) {
    const after = at + delimiter.length
    const isClosing = bytes[after] === DASH && bytes[after + 1] === DASH
    if (isClosing && parts.length > 0) return { bytes, parts }
    const headStart = endOfLine(bytes, after)
    if (parts.length === MOST_PARTS) refuseForm('has too many parts')
    const headEnd = findHeadEnd(bytes, headStart)
    const start = headEnd + HEAD_END.length
    const end = bytes.indexOf(delimiter, headEnd + LINE_END.length)
    if (end < start) refuseForm('ends before its closing boundary')
    const head = readPartHead(bytes.toString('utf8', headStart, headEnd))
    if (!head) refuseForm('has a part with broken headers')
    parts.push({ ...head, start, end })
    at = end
  }
}

/** The text of a plain field that may be there once. */
export function fieldOf({ bytes, parts }: Form, name: string): string | undefined {
  const [part, another] = parts.filter(one => one.name === name)
  if (another) throw new AppError('dialect.field', { field: name, detail: 'is there more than once' })
  if (part?.isFile) throw new AppError('dialect.field', { field: name, detail: 'must not be a file' })
  return part && bytes.toString('utf8', part.start, part.end)
}

/** The fields of a form that are no files and not there twice. */
export function textsIn({ bytes, parts }: Form): Record<string, string> {
  const counts = new Map<string, number>()
  for (const { name } of parts) counts.set(name, (counts.get(name) ?? 0) + 1)
  const texts = parts.filter(({ name, isFile }) => !isFile && counts.get(name) === 1)
  return Object.fromEntries(texts.map(({ name, start, end }) => [name, bytes.toString('utf8', start, end)]))
}

export function readBoundary(contentType: string): string {
  const given = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType.slice(0, 1000))
  const boundary = given?.[1] ?? given?.[2] ?? ''
  if (!boundaryPattern.test(boundary)) refuseForm('has no usable boundary')
  return boundary
}

function endOfLine(bytes: Buffer, from: number): number {
  let at = from
  while (bytes[at] === SPACE || bytes[at] === TAB) at++
  if (!startsWith(bytes, LINE_END, at)) refuseForm('has a broken boundary')
  return at + LINE_END.length
}

function findHeadEnd(bytes: Buffer, from: number): number {
  const found = bytes.subarray(from, from + LONGEST_HEAD).indexOf(HEAD_END)
  if (found < 0) refuseForm('has a part without an end to its headers')
  return from + found
}

function startsWith(bytes: Buffer, what: Buffer, at: number): boolean {
  return bytes.subarray(at, at + what.length).equals(what)
}

export function refuseForm(detail: string): never {
  throw new AppError('dialect.field', { field: 'body', detail: `the multipart form ${detail}` })
}
