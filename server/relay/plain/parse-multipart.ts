import { AppError } from '../../errors.ts'

/** One field or file of a form; `start` and `end` are where its content stands in the body. */
export interface FormPart {
  readonly name: string
  /** Undefined for a plain field. */
  readonly fileName: string | undefined
  readonly start: number
  readonly end: number
}

/** A form as it was sent: nothing of it is copied. */
export interface Form {
  readonly bytes: Buffer
  readonly boundary: string
  readonly parts: readonly FormPart[]
  /** Where the closing delimiter begins, with the line end before it. */
  readonly closing: number
}

/** What RFC 2046 allows; also keeps hostile ones short. */
const boundaryPattern = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/
const MOST_PARTS = 256
const LONGEST_HEAD = 8192
const LINE_END = Buffer.from('\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')

/** Strict, and linear in the length of the body: every byte is looked at once. */
export function parseMultipart(bytes: Buffer, contentType: string): Form {
  const boundary = readBoundary(contentType)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const parts: FormPart[] = []
  // The first delimiter has no line end before it when nothing stands before it.
  let at = startsWith(bytes, delimiter.subarray(2), 0) ? -2 : bytes.indexOf(delimiter)
  if (at === -1) refuse('has no part')
  for (;;) {
    const after = at + delimiter.length
    if (bytes[after] === DASH && bytes[after + 1] === DASH) return { bytes, boundary, parts, closing: at }
    const headStart = endOfLine(bytes, after)
    if (parts.length === MOST_PARTS) refuse('has too many parts')
    const headEnd = findHeadEnd(bytes, headStart)
    const start = headEnd + HEAD_END.length
    const end = bytes.indexOf(delimiter, headEnd + LINE_END.length)
    if (end < start) refuse('ends before its closing boundary')
    parts.push({ ...readHead(bytes.toString('utf8', headStart, headEnd)), start, end })
    at = end
  }
}

/** The text of a plain field that may be there once. */
export function fieldOf({ bytes, parts }: Form, name: string): string | undefined {
  const [part, another] = parts.filter(one => one.name === name)
  if (another) throw new AppError('dialect.field', { field: name, detail: 'is there more than once' })
  if (part?.fileName !== undefined)
    throw new AppError('dialect.field', { field: name, detail: 'must not be a file' })
  return part && bytes.toString('utf8', part.start, part.end)
}

const DASH = 45
const SPACE = 32
const TAB = 9

function readBoundary(contentType: string): string {
  const given = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType.slice(0, 1000))
  const boundary = given?.[1] ?? given?.[2] ?? ''
  if (!boundaryPattern.test(boundary)) refuse('has no usable boundary')
  return boundary
}

function endOfLine(bytes: Buffer, from: number): number {
  let at = from
  while (bytes[at] === SPACE || bytes[at] === TAB) at++
  if (!startsWith(bytes, LINE_END, at)) refuse('has a broken boundary')
  return at + LINE_END.length
}

function findHeadEnd(bytes: Buffer, from: number): number {
  const found = bytes.subarray(from, from + LONGEST_HEAD).indexOf(HEAD_END)
  if (found < 0) refuse('has a part without an end to its headers')
  return from + found
}

function readHead(head: string): Pick<FormPart, 'name' | 'fileName'> {
  const line = head.split('\r\n').find(one => /^content-disposition:/i.test(one)) ?? ''
  if (!/^content-disposition:\s*form-data\s*;/i.test(line)) refuse('has a part that is no form data')
  const name = readParameter(line, 'name')
  if (name === undefined) refuse('has a part without a name')
  const fileName = readParameter(line, 'filename') ?? (/;\s*filename\*=/i.test(line) ? '' : undefined)
  return { name, fileName }
}

function readParameter(line: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s"]*))`, 'i').exec(line)
  return found ? (found[1] ?? found[2]) : undefined
}

function startsWith(bytes: Buffer, what: Buffer, at: number): boolean {
  return bytes.subarray(at, at + what.length).equals(what)
}

function refuse(detail: string): never {
  throw new AppError('dialect.field', { field: 'body', detail: `the multipart form ${detail}` })
}
