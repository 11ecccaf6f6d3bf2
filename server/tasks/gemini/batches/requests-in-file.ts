import { crowd, isCrowded } from '../../../dialects/crowded-json.ts'
import { isObject, type JsonObject, parseObject } from '../../../dialects/json.ts'
import { refuseFeature, refuseField } from '../../../dialects/refuse.ts'
import { AppError } from '../../../errors.ts'
import { fileUrisIn } from '../../../relay/gemini/file-uris.ts'
import { isDeep } from '../../../relay/request/read-body.ts'
import type { Settings } from '../../../store/settings-snapshot.ts'
import { addSize, type Extent, newExtent } from '../../batches/extent.ts'
import { LineSplitter } from '../../batches/split-lines.ts'
import { measureRequest } from './measure-request.ts'

/** What a file of requests has come to so far. */
export interface FileReading {
  /** How many of its bytes were read. */
  readonly at: number
  /** Of them, those of a line that has not ended, in base64. */
  readonly rest: string
  readonly lines: number
  readonly extent: Extent
  /** Why no batch can be made of it. */
  readonly problem?: FileProblem | undefined
  readonly isWhole?: true
}

interface FileProblem {
  /** 0 where it is not that of a line. */
  readonly line: number
  readonly code: AppError['code']
  readonly params: Readonly<Record<string, string | number>>
}

/** So much is kept of a line until the next piece comes: engines take no longer texts. */
const LONGEST_LINE = 4 * 1024 * 1024
const COLON = 58
const QUOTE = 34
const ESCAPE = 92

const jsonLines = /^(?:(?:application|text)\/)?(?:x-)?(?:jsonl|jsonlines|json-lines|ndjson)(?:;|$)/i

/** Whether a file of this type is read as requests of a batch: it passes as it is, whatever is in it. */
export function isRequestsFile(type: string): boolean {
  return jsonLines.test(type)
}

export const nothingRead: FileReading = { at: 0, rest: '', lines: 0, extent: newExtent() }

/** Nobody has read all of it, so nobody knows what it would cost. */
export function unreadable({ problem }: FileReading): FileReading {
  return { ...nothingRead, problem: problem ?? { line: 0, code: 'gemini.batch-unread', params: {} } }
}

/** What its owner hears of it. */
export function problemOf({ line, code, params }: FileProblem): AppError {
  const detail = new AppError(code, params)
  return line === 0 ? detail : new AppError('gemini.batch-request', { at: line, detail })
}

/**
 * Reads the requests in a file while it passes. It is not written anew, for it came with its length: so whoever reads it
 * next must find the same in it, and what would have to be changed is refused.
 */
export class RequestsReader {
  readonly #settings: Settings
  readonly #lines: LineSplitter
  readonly #extent: Extent
  #at: number
  #count: number
  #problem: FileProblem | undefined
  #isWhole = false

  constructor(settings: Settings, { at, rest, lines, extent, problem }: FileReading) {
    this.#settings = settings
    this.#extent = { ...extent }
    this.#at = at
    this.#count = lines
    this.#problem = problem
    this.#lines = new LineSplitter(LONGEST_LINE, Buffer.from(rest, 'base64'))
  }

  push(bytes: Uint8Array): void {
    this.#at += bytes.length
    if (this.#problem) return
    for (const line of this.#lines.push(bytes)) this.#add(line)
  }

  /** Nothing follows. */
  end(): void {
    this.#isWhole = true
    if (this.#problem) return
    this.#add(this.#lines.end())
    if (this.#extent.line_count === 0 && !this.#problem) this.#note(0, 'field.file-empty', { field: 'file' })
  }

  get reading(): FileReading {
    const { rest } = this.#lines
    // What would follow it is no line of its own.
    if (!rest && !this.#problem) this.#add(undefined)
    const problem = this.#problem
    return {
      ...{ at: this.#at, lines: this.#count, extent: this.#extent },
      rest: problem || !rest ? '' : Buffer.from(rest).toString('base64'),
      ...(problem && { problem }),
      ...(this.#isWhole && { isWhole: true }),
    }
  }

  #add(line: string | undefined): void {
    if (this.#problem) return
    this.#count++
    if (line?.trim() === '') return
    try {
      if (line === undefined) throw new AppError('request.too-large', { limit: LONGEST_LINE })
      const request = readLine(line)
      addSize(this.#extent, measureRequest(request, undefined, this.#settings))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      this.#note(this.#count, error.code, error.params)
    }
  }

  #note(line: number, code: AppError['code'], params: AppError['params']): void {
    const told = Object.entries(params).map(([name, value]) => [
      name,
      value instanceof AppError ? value.text('en') : value,
    ])
    this.#problem = { line, code, params: Object.fromEntries(told) }
  }
}

function readLine(text: string): JsonObject {
  if (isCrowded(text)) throw new AppError('relay.crowded-json', crowd)
  const line = parseObject(text)
  if (!line || isDeep(line)) throw new AppError('relay.invalid-json')
  // Some readers take the first of two, some the last.
  if (colonsIn(text) !== namesIn(line)) refuseField('request', 'field.repeated')
  const { key, request, ...others } = line
  const [other] = Object.keys(others)
  if (other !== undefined) refuseFeature('feature.named', { name: other.slice(0, 60) })
  if (key !== undefined && typeof key !== 'string') refuseField('key', 'field.text')
  if (!isObject(request)) refuseField('request', 'field.object')
  // What it is called at the vendor nobody can write into the file; nor what the channel calls a model.
  if (fileUrisIn(request).size > 0) refuseFeature('feature.named', { name: 'fileUri' })
  return request
}

/** As many as there are names with a value. */
function colonsIn(text: string): number {
  let colons = 0
  let isText = false
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === ESCAPE && isText) at++
    else if (sign === QUOTE) isText = !isText
    else if (sign === COLON && !isText) colons++
  }
  return colons
}

function namesIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + namesIn(one), 0)
  if (!isObject(value)) return 0
  return Object.values(value).reduce((sum: number, one) => sum + 1 + namesIn(one), 0)
}
