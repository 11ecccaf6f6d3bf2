import { refuseField } from '../../dialects/refuse.ts'
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
  if (at === -1) refuseField('body', 'field.form-empty')
  for (;;) {
    const after = at + delimiter.length
    const isClosing = bytes[after] === DASH && bytes[after + 1] === DASH
    if (isClosing && parts.length > 0) return { bytes, parts }
    const headStart = endOfLine(bytes, after)
    if (parts.length === MOST_PARTS) refuseField('body', 'field.form-parts')
    const headEnd = findHeadEnd(bytes, headStart)
    const start = headEnd + HEAD_END.length
    const end = bytes.indexOf(delimiter, headEnd + LINE_END.length)
    if (end < start) refuseField('body', 'field.form-cut')
    const head = readPartHead(bytes.toString('utf8', headStart, headEnd))
    if (!head) refuseField('body', 'field.form-head')
    parts.push({ ...head, start, end })
    at = end
  }
}

/** The text of a plain field that may be there once. */
export function fieldOf({ bytes, parts }: Form, name: string): string | undefined {
  const [part, another] = parts.filter(one => one.name === name)
  if (another) refuseField(name, 'field.repeated')
  if (part?.isFile) refuseField(name, 'field.no-file')
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
  if (!boundaryPattern.test(boundary)) refuseField('body', 'field.form-boundary-missing')
  return boundary
}

function endOfLine(bytes: Buffer, from: number): number {
  let at = from
  while (bytes[at] === SPACE || bytes[at] === TAB) at++
  if (!startsWith(bytes, LINE_END, at)) refuseField('body', 'field.form-boundary')
  return at + LINE_END.length
}

function findHeadEnd(bytes: Buffer, from: number): number {
  const found = bytes.subarray(from, from + LONGEST_HEAD).indexOf(HEAD_END)
  if (found < 0) refuseField('body', 'field.form-head-end')
  return from + found
}

function startsWith(bytes: Buffer, what: Buffer, at: number): boolean {
  return bytes.subarray(at, at + what.length).equals(what)
}
