import { isTold } from '../../dialects/file-names.ts'
import { mediaTypes } from '../../dialects/gemini-interactions/content-types.ts'
import { asObject, asText, isObject, type Json, type JsonObject } from '../../dialects/json.ts'

/** What of a request is no text, as far as it can be known before its vendor has read it. */
export interface MediaSize {
  /** Pictures, in the body or elsewhere. */
  readonly images: number
  /** Characters of base64. */
  readonly sound: number
  /** Tokens of files of other kinds, as they usually are and at most: how many, only the vendor knows. */
  readonly files: { readonly usual: number; readonly most: number }
  /** Tokens that all of this is at least, where it is there at all. */
  readonly least: number
  /** Characters of the body that it takes. */
  readonly length: number
}

export const noMedia: MediaSize = {
  images: 0,
  sound: 0,
  files: { usual: 0, most: 0 },
  least: 0,
  length: 0,
}

/** Shorter bodies hold no media worth looking for. */
const MEDIA_BODY = 16_384
const MEDIA_STRING = 4096
const PICTURE_URL = 'data:image'
const MOST_MEMBERS = 100_000
const USUAL_FILE = 50_000
/** No model reads more at once. */
const MOST_FILE = 1_048_576
/** The smallest picture that a vendor counts, and a file of a few lines. */
const LEAST_EACH = 85
/** Base64 of a page that was photographed, for each of its tokens. */
const MOST_PDF_PER_TOKEN = 400

/** What a short body has that holds some. Names and addresses may be escaped: PHP writes every slash so. */
const hints = ['://', 'file_id', PICTURE_URL, '\\/', '\\u00'] as const

/** `goesOn`: a response that is gone on from is read again, with all that it was made from. */
export function measureMedia(text: string, body: JsonObject, goesOn: boolean): MediaSize {
  const mayHold = text.length > MEDIA_BODY || hints.some(hint => text.includes(hint))
  if (!mayHold && !goesOn) return noMedia
  const sum = new MediaSum()
  if (goesOn) sum.addFile(undefined)
  if (mayHold) measure(body, sum)
  return sum
}

class MediaSum implements MediaSize {
  images = 0
  sound = 0
  readonly files = { usual: 0, most: 0 }
  least = 0
  length = 0

  addImage(): void {
    this.images++
    this.least += LEAST_EACH
  }

  /** Of so many characters; undefined for one that is elsewhere. */
  addFile(length: number | undefined): void {
    this.files.usual += Math.min(length ?? USUAL_FILE, USUAL_FILE)
    this.files.most = Math.min(MOST_FILE, this.files.most + (length ?? MOST_FILE))
    this.files.usual = Math.min(this.files.usual, MOST_FILE)
    this.least += LEAST_EACH
  }

  addInside(text: string, declared: string | undefined): void {
    const kind = kindOf(text, declared)
    if (kind === 'text') return
    this.length += text.length
    if (kind === 'image') return this.addImage()
    if (kind === 'sound') {
      this.sound += text.length
      this.least += LEAST_EACH
      return
    }
    this.addFile(text.length)
    if (kind === 'pdf') this.least += Math.floor(text.length / MOST_PDF_PER_TOKEN)
  }
}

/** Where the dialects, and vendors of their own, have media. What stands elsewhere is read word by word, whatever it looks like. */
const holders = new Set([
  'audio',
  'audio_url',
  'b64_json',
  'bytes',
  'data',
  'file_data',
  'file_url',
  'image',
  'image_url',
  'images',
  'url',
  'video',
  'video_url',
])
/** So is all that is inside of these. */
const quoted = new Set([
  'args',
  'functions',
  'generationConfig',
  'generation_config',
  'metadata',
  'response',
  'response_format',
  'tools',
])

/** A picture of few letters may be a large one. */
function isMedia(text: string): boolean {
  return text.length >= MEDIA_STRING || text.startsWith(PICTURE_URL)
}

/** Not recursive: bodies may be deep. */
function measure(body: JsonObject, sum: MediaSum): void {
  const waiting: JsonObject[] = [body]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    addDistant(value, sum)
    const type = asText(value.type)
    // What was thought and is sealed is as long as it looks.
    if (type === 'redacted_thinking') continue
    for (const [name, inner] of Object.entries(value)) {
      if (!inner || quoted.has(name) || (name === 'input' && type?.endsWith('tool_use'))) continue
      for (const item of Array.isArray(inner) ? inner.slice(0, MOST_MEMBERS) : [inner])
        if (isObject(item)) waiting.push(item)
        else if (typeof item === 'string' && holders.has(name) && isMedia(item))
          sum.addInside(item, declaredIn(value))
    }
  }
}

function declaredIn({ mimeType, mime_type, media_type, format }: JsonObject): string | undefined {
  const sound = asText(format)
  return (
    asText(mimeType) ??
    asText(mime_type) ??
    asText(media_type) ??
    (sound === undefined ? sound : `audio/${sound}`)
  )
}

type Kind = 'text' | 'image' | 'sound' | 'pdf' | 'file'

const dataUrl = /^data:([\w.+-]+\/[\w.+-]+)?[^,]{0,100},/
const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/
/** How base64 of them begins: JPEG, PNG, GIF, WebP; MP3, WAV, Ogg, FLAC. */
const imageStart = /^(\/9j\/|iVBORw|R0lGOD|UklGR.{6}XRUJQ)/
const soundStart = /^(SUQz|\/\/[uvst]|UklGR|T2dnU|ZkxhQ)/
const PDF_START = 'JVBERi'

/** By what is said of it, unless it is a PDF: those may have many pages. */
function kindOf(text: string, declared: string | undefined): Kind {
  const url = dataUrl.exec(text.slice(0, 256))
  const from = url?.[0].length ?? 0
  const head = text.slice(from, from + 2048)
  if (!url && !base64.test(head)) return 'text'
  if (head.startsWith(PDF_START)) return 'pdf'
  const type = (url?.[1] ?? declared)?.toLowerCase()
  if (type?.startsWith('text/')) return 'text'
  if (type?.startsWith('image/') || (type === undefined && imageStart.test(head))) return 'image'
  if (type?.startsWith('audio/') || (type === undefined && soundStart.test(head))) return 'sound'
  return type === 'application/pdf' ? 'pdf' : 'file'
}

/** The names that the dialects have for the address of a file. */
const fileNames = ['file_url', 'video_url', 'audio_url', 'fileUri', 'file_uri', 'file_id'] as const

/** What the vendor fetches itself or has kept. */
function addDistant(value: JsonObject, sum: MediaSum): void {
  const source = asObject(value.source)
  if (isDistant(value.image_url) || (value.type === 'input_image' && isDistant(value.file_id))) sum.addImage()
  else if (mediaTypes.has(value.type) && isDistant(value.uri)) addContent(value, sum)
  else if (source?.type === 'url' && isDistant(source.url)) {
    if (value.type === 'image') sum.addImage()
    else sum.addFile(undefined)
  } else if (!isTold(value.type) && fileNames.some(name => isDistant(value[name]))) sum.addFile(undefined)
}

/** Of an interaction. */
function addContent({ type }: JsonObject, sum: MediaSum): void {
  if (type === 'image') sum.addImage()
  else sum.addFile(undefined)
}

function isDistant(value: Json | undefined): boolean {
  const address = isObject(value) ? value.url : value
  return typeof address === 'string' && address !== '' && !address.startsWith('data:')
}
