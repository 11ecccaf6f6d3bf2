import { asText, type Json, type JsonObject } from '../../dialects/json.ts'
import type { Form } from '../../relay/request/parse-multipart.ts'

/** A video that somebody wants, in nobody's form. */
export interface VideoWish {
  readonly model: string
  readonly prompt: string
  /** Undefined: as many as the vendor thinks right. */
  readonly seconds: number | undefined
  /** In pixels, as `1280x720`. */
  readonly size: string | undefined
  /** As `720p`. */
  readonly resolution: string | undefined
  /** As `16:9`. */
  readonly ratio: string | undefined
  /** What it begins with and, if there are two, ends with: addresses of the web, or `data:` ones. */
  readonly pictures: () => readonly string[]
  /** Everything that was said, for what only one vendor has a word for. */
  readonly fields: JsonObject
  /** As it came, in OpenAI's form. */
  readonly came?: { readonly json: JsonObject } | { readonly form: Form }
}

/** Those of its fields that a vendor knows besides what every wish has. */
export function ownFields({ fields }: Pick<VideoWish, 'fields'>, names: readonly string[]): JsonObject {
  const own: JsonObject = {}
  for (const name of names) {
    const value = fields[name]
    if (value !== undefined && value !== null) own[name] = value
  }
  return own
}

/** Which of a vendor's shapes is meant. What was named goes on as it is: the vendor says what it has not. */
export function ratioFor({ ratio, size }: VideoWish, shapes: readonly string[]): string | undefined {
  const pixels = readSize(size)
  if (ratio !== undefined || !pixels) return ratio
  const wanted = Math.log(pixels.width / pixels.height)
  const distance = (shape: string): number => {
    const [width = 1, height = 1] = shape.split(':').map(Number)
    return Math.abs(Math.log(width / height) - wanted)
  }
  return shapes.reduce((best, shape) => (distance(shape) < distance(best) ? shape : best), shapes[0] ?? '')
}

/** The same of how fine it is, as `720p`, `1080P` or `4k`. */
export function resolutionFor(
  { resolution, size }: VideoWish,
  grades: readonly string[],
): string | undefined {
  if (resolution !== undefined)
    return grades.find(grade => grade.toLowerCase() === resolution.toLowerCase()) ?? resolution
  const usual = usualResolution(size)
  return usual && nearest(linesOf(usual), grades)
}

/** What a size comes to in the words that all vendors and prices have: by this alone, so that one is not the other's. */
export function usualResolution(size: string | undefined): string | undefined {
  const pixels = readSize(size)
  return pixels && nearest(Math.min(pixels.width, pixels.height), ['480p', '720p', '1080p', '4k'])
}

function nearest(lines: number, grades: readonly string[]): string {
  const distance = (grade: string): number => Math.abs(linesOf(grade) - lines)
  return grades.reduce((best, grade) => (distance(grade) < distance(best) ? grade : best), grades[0] ?? '')
}

/** A tenth more or less is the same, as vendors round. */
export function isContrary(size: string | undefined, resolution: string | undefined): boolean {
  const pixels = readSize(size)
  if (!pixels || resolution === undefined) return false
  const lines = linesOf(resolution)
  return Math.abs(Math.min(pixels.width, pixels.height) - lines) > lines / 10
}

export function readSize(size: string | undefined): { width: number; height: number } | undefined {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size ?? '') ?? []
  return width && height ? { width: Number(width), height: Number(height) } : undefined
}

function linesOf(grade: string): number {
  return /k$/i.test(grade) ? Number.parseInt(grade, 10) * 540 : Number.parseInt(grade, 10)
}

/** Without the head of a `data:` address, for vendors that want the bare base64. */
export function bareBase64(picture: string): string {
  return picture.startsWith('data:') ? picture.slice(picture.indexOf(',') + 1) : picture
}

/** A vendor's number or name for what went wrong. */
export function codeOf(value: Json | undefined): string | undefined {
  return typeof value === 'number' ? String(value) : asText(value) || undefined
}

/** How long a vendor says that it is: whole, as it was asked for. */
export function secondsOf(value: Json | undefined): number | undefined {
  const seconds = Math.round(Number(value ?? Number.NaN))
  return seconds > 0 ? seconds : undefined
}
