import { asArray, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import type { TokenUsage } from '../../dialects/spec.ts'
import { readPages, readPlainUsage, readSeconds, readUnits } from './read-usage.ts'

/** What an answer has shown so far that its charge may depend on. */
export interface Seen {
  usage?: TokenUsage | undefined
  /** Of sound, as the vendor says. */
  seconds?: number | undefined
  /** Of the text that was spoken, as the vendor says. */
  characters?: number | undefined
  /** Of documents that were looked at, where that is what the vendor counts. */
  units?: number | undefined
  /** Of a document that was read, and those among them that were described besides. */
  pages?: number | undefined
  annotated?: number | undefined
  /** Finished pictures. */
  pictures: number
  /** Whether what was asked for may be more than is known here: then as many were as are there. */
  mayBeMore?: boolean
  /** Whether one of a series came to nothing, and was told in its place. */
  hasFailed?: boolean
  /** Whether each picture of a series came in an event of its own, before the one that ends them all. */
  isSeries?: boolean
  /** Pictures on their way. */
  partial: number
  /** Words of a transcript or a completion. */
  text: string
  /** Of sound, or of an answer that is handed on unread. */
  bytes: number
}

export function nothingSeen(): Seen {
  return { pictures: 0, partial: 0, text: '', bytes: 0 }
}

/** A whole answer. */
export function noteAnswer(seen: Seen, body: JsonObject): void {
  seen.usage = readPlainUsage(body) ?? seen.usage
  seen.seconds = readSeconds(body) ?? seen.seconds
  seen.units = readUnits(body)
  notePictures(seen, asArray(body.data))
  seen.text = asText(body.text) ?? choiceTexts(body)
  if (body.pages !== undefined) notePages(seen, body)
}

/** Of a series, some may have come to nothing: those are told among the others, and cost nothing. */
function notePictures(seen: Seen, data: readonly Json[]): void {
  const failed = data.filter(one => asObject(one)?.error).length
  seen.pictures = data.length - failed
  if (failed > 0) seen.hasFailed = true
}

/** A document that was read. */
function notePages(seen: Seen, body: JsonObject): void {
  const pages = asArray(body.pages)
  Object.assign(seen, readPages(body))
  seen.pages ??= pages.length
  seen.text = pages.map(page => asText(asObject(page)?.markdown) ?? '').join('\n')
}

/** One event of a stream of pictures, speech or a transcript. */
export function noteEvent(seen: Seen, event: JsonObject): void {
  const usage = readPlainUsage(event)
  seen.seconds = readSeconds(event) ?? seen.seconds
  const type = asText(event.type) ?? ''
  if (type.endsWith(SUCCEEDED) || type.endsWith(FAILED)) seen.isSeries = true
  if (type.endsWith('.completed')) {
    if (!seen.isSeries) seen.pictures++
    // Each picture tells its own.
    if (usage) seen.usage = seen.usage ? add(seen.usage, usage) : usage
    return
  }
  if (usage) seen.usage = usage
  if (type.endsWith(SUCCEEDED)) seen.pictures++
  if (type.endsWith(FAILED)) seen.hasFailed = true
  if (type.endsWith('.partial_image')) seen.partial++
  else if (type.endsWith('.text.delta')) seen.text += asText(event.delta) ?? asText(event.text) ?? ''
  else if (type.endsWith('.done')) seen.text = asText(event.text) ?? seen.text
  // Some servers say it in the chunks of a chat.
  else if (event.choices !== undefined) seen.text += deltasOf(event)
}

/** Nothing else in an event of a stream of sound is as long. */
const SHORTEST_SOUND = 100

/** One event of a stream of speech: servers have names of their own for the place where the sound is. */
export function noteSound(seen: Seen, event: JsonObject): void {
  for (const [name, value] of Object.entries(event))
    if (typeof value === 'string' && (name === 'audio' || value.length >= SHORTEST_SOUND))
      seen.bytes += bytesIn(value)
}

/** Whether anything was made that somebody could want. */
export function isSomething({ bytes, pictures, text }: Seen): boolean {
  return bytes > 0 || pictures > 0 || text !== ''
}

/** As Seedream tells of each picture of a series; what completes these has none. */
const SUCCEEDED = '.partial_succeeded'
const FAILED = '.partial_failed'

/** Whether an event tells that one of several came to nothing, while the others go on. */
export function failsOne(event: JsonObject): boolean {
  return asText(event.type)?.endsWith(FAILED) === true
}

/** Whether an event completes its stream, or one of the pictures in it. */
export function completes(event: JsonObject): boolean {
  const type = asText(event.type) ?? ''
  return type.endsWith('.completed') || type.endsWith('.done')
}

/** Of base64. */
function bytesIn(text: string): number {
  return Math.floor((text.length * 3) / 4)
}

function choiceTexts(body: JsonObject): string {
  return asArray(body.choices)
    .map(choice => asText(asObject(choice)?.text) ?? '')
    .join('')
}

function deltasOf({ choices }: JsonObject): string {
  return asArray(choices)
    .map(choice => asText(asObject(asObject(choice)?.delta)?.content) ?? '')
    .join('')
}

function add(one: TokenUsage, other: TokenUsage): TokenUsage {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: (one.cacheRead ?? 0) + (other.cacheRead ?? 0),
    audioInput: (one.audioInput ?? 0) + (other.audioInput ?? 0),
    imageInput: (one.imageInput ?? 0) + (other.imageInput ?? 0),
  }
}
