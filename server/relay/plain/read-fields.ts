import { asObject, type Json, type JsonObject } from '../../dialects/json.ts'
import { refuseField } from '../../dialects/refuse.ts'
import { readCount } from '../request/look-at-request.ts'

/** No vendor makes more at once; what is charged is counted by it. */
export const MOST_AT_ONCE = 128
/** Other names that vendors have for the number of pictures. */
export const pictureCounts = ['n', 'batch_size', 'num_images', 'number_of_images', 'num_outputs'] as const

/** A whole number from 1 to `most`. */
export function readBounded(fields: JsonObject, field: string, most = MOST_AT_ONCE): number | undefined {
  const count = readCount(field, fields[field])
  if (count !== undefined && count > most) refuseField(field, 'field.most', { most })
  return count
}

/** The same in a form, where everything is text. */
export function readFormNumber(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) refuseField(field, 'field.whole')
  return Number(text)
}

/** What a vendor makes of one wish for a series, where nothing is said of its length. */
const USUAL_SERIES = 15

/** The largest that is named: whichever the upstream heeds, no more than this is made. */
export function readPictures(fields: JsonObject): number {
  return Math.max(readSeries(fields), ...pictureCounts.map(field => readBounded(fields, field) ?? 1))
}

/** Some models draw a story in several pictures, each of which is paid. */
function readSeries(fields: JsonObject): number {
  const { sequential_image_generation: kind, sequential_image_generation_options: options } = fields
  if (kind === undefined || kind === null || kind === 'disabled') return 1
  return readBounded(asObject(options) ?? {}, 'max_images') ?? USUAL_SERIES
}

export function readFlag(field: string, value: Json | undefined): boolean {
  if (value === undefined || value === null) return false
  if (typeof value !== 'boolean') refuseField(field, 'field.flag')
  return value
}

/** Something must be there to work on. */
export function requireInput(field: string, value: Json | undefined): void {
  const isEmpty = Array.isArray(value) ? value.length === 0 : !value
  if (isEmpty || typeof value === 'number' || value === true) refuseField(field, 'field.required')
}

export function requireText(field: string, value: Json | undefined): string {
  if (typeof value === 'string' && value !== '') return value
  refuseField(field, 'field.text')
}

export function requireList(field: string, value: Json | undefined): readonly Json[] {
  if (Array.isArray(value) && value.length > 0) return value
  refuseField(field, 'field.some')
}

/** As people count them: a pair of surrogates is one. */
export function countCharacters(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) count--
  return Math.max(1, count)
}
