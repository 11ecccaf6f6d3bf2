import { crowd, isCrowded } from '../../dialects/crowded-json.ts'
import { type Json, type JsonObject, parseLong } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import type { Reading } from '../guards/read-request.ts'
import type { JsonBody } from '../request/read-body.ts'
import { type TextPlace, textsOfData } from '../request/spoken-texts.ts'
import { type PassBody, withBytes } from './pass-body.ts'
import type { PassCall } from './pass-call.ts'
import { type Pair, pairsOf, readPair, writePair } from './query.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** What can be read of bytes that somebody calls so: JSON, the fields of a form, or words. */
type Kind = 'json' | 'form' | 'words'

/** Undefined for what is no text, or in letters that are not read here. */
function kindOf(type: string): Kind | undefined {
  const [name = '', ...more] = type.toLowerCase().split(';')
  const charset = /charset="?([\w-]+)/.exec(more.join(';'))?.[1]
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii')
    return undefined
  if (/^\s*application\/([\w.+-]+\+)?json\s*$/.test(name)) return 'json'
  if (/^\s*application\/x-www-form-urlencoded\s*$/.test(name)) return 'form'
  return /^\s*(text\/[\w.+-]+|application\/(x-ndjson|jsonl|xml|[\w.+-]+\+xml))\s*$/.test(name)
    ? 'words'
    : undefined
}

export function isReadable(type: string): boolean {
  return kindOf(type) !== undefined
}

/** The texts of some bytes, and the bytes with what was done to them. Undefined where they cannot be read. */
export function readTexts(bytes: Uint8Array, type: string): Reading<Uint8Array> | undefined {
  const kind = kindOf(type)
  const text = kind && decode(bytes)
  if (kind === undefined || text === undefined) return undefined
  if (kind === 'form') return asBytes(bytes, readPairs(fieldsOf(text)), pairs => pairs.join('&'))
  const value = kind === 'json' ? parse(text) : undefined
  return asBytes(bytes, value === undefined ? readWords(text) : readValue(value), written => written)
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

/** What is called JSON and is none is read as words: somebody may take it for what it looks like. */
function parse(text: string): Json | undefined {
  if (isCrowded(text)) throw new AppError('relay.crowded-json', crowd)
  try {
    return parseLong(text) as Json
  } catch {
    return undefined
  }
}

/** Each is decoded and looked at by itself; two bytes are enough for one. */
const MOST_FIELDS = 50_000

function fieldsOf(form: string): Pair[] {
  const fields = pairsOf(form, MOST_FIELDS + 1)
  if (fields.length > MOST_FIELDS) throw new AppError('guard.form', { most: MOST_FIELDS })
  return fields
}

function asBytes<Written>(
  bytes: Uint8Array,
  reading: Reading<Written>,
  write: (written: Written) => string,
): Reading<Uint8Array> {
  return {
    places: reading.places,
    written: isChanged => (isChanged ? Buffer.from(write(reading.written(true))) : bytes),
  }
}

function readWords(text: string): Reading<string> {
  let words = text
  const put = (masked: string): void => {
    words = masked
  }
  return { places: () => [{ text: words, put }], written: () => words }
}

/** Any name may stand for anything there. */
function readValue(value: Json): Reading<string> {
  const root: JsonObject = { value }
  return { places: () => textsOfData(root.value, root, 'value'), written: () => JSON.stringify(root.value) }
}

function readPairs(given: readonly Pair[]): Reading<readonly Pair[]> {
  const pairs = [...given]
  const placeOf = (pair: Pair, at: number): TextPlace => {
    const { name, value } = readPair(pair)
    const put = (masked: string): void => {
      pairs[at] = writePair(name, masked)
    }
    return { text: value, put }
  }
  return { places: () => pairs.map(placeOf), written: () => pairs }
}

/** What can be read of a call: its query, and its body where that is here and is text. */
export function readPass(call: PassCall): Reading<PassCall> {
  const { held, type } = call.body
  const query = readPairs(call.query)
  const body = held && readTexts(held, type)
  return {
    places: () => [...query.places(), ...(body?.places() ?? [])],
    written(isChanged) {
      if (!isChanged) return call
      const bytes = body?.written(true)
      return { ...call, query: query.written(true), ...(bytes && { body: withBytes(call.body, bytes) }) }
    },
  }
}

/** What people say in it, for the list of words that are refused. It is taken apart only where one may stand in it. */
export function spokenIn({ body }: PassCall): JsonBody {
  const text = textOf(body)
  return {
    text,
    get json() {
      return { contents: (text === '' ? undefined : parse(text)) ?? text }
    },
  }
}

/** The call as it is kept, where contents are. */
export function wordsOf(call: PassCall): string {
  const { method, path, query, body } = call
  const line = `${method} ${path || '/'}${query.length > 0 ? `?${query.join('&')}` : ''}`
  if (body.length === 0) return line
  return `${line}\n\n${textOf(body) || `[${body.type}, ${body.length ?? '?'} bytes]`}`
}

function textOf({ held, type, coding }: PassBody): string {
  return (held && coding === undefined && kindOf(type) !== undefined && decode(held)) || ''
}
