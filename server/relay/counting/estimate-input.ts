import type { Media, NeutralRequest, Part } from '../../dialects/spec.ts'
import type { MediaSize } from '../request/measure-media.ts'
import { estimateTokens } from './stream-count.ts'

/** What of a request is not text. Bytes are those of the base64 in the body. */
export interface MediaInput {
  readonly images: number
  readonly imageBytes: number
  readonly audioBytes: number
  /** PDF, video: whatever is not sent on as text. */
  readonly fileBytes: number
  /** Files that the vendor fetches itself, of a size that we do not know. */
  readonly distantFiles: number
}

export const noMedia: MediaInput = {
  images: 0,
  imageBytes: 0,
  audioBytes: 0,
  fileBytes: 0,
  distantFiles: 0,
}

const LEAST_SOUND_PER_TOKEN = 100

/** The most tokens that a body can be: no token of text is shorter than a byte, and media have rates of their own. */
export function inputBound(
  textBytes: number,
  { images, sound }: Pick<MediaSize, 'images' | 'sound'>,
  inFiles: number,
  perImage: number,
): number {
  return textBytes + images * perImage + Math.ceil(sound / LEAST_SOUND_PER_TOKEN) + inFiles
}

/** For where a number has to be named before anyone has counted. */
export function roughInput(bodyBytes: number): number {
  return estimateTokens(bodyBytes)
}

export function mediaOf(request: NeutralRequest): MediaInput {
  const media = { ...noMedia }
  for (const { parts } of request.messages) for (const part of parts) addPart(media, part)
  return media
}

type Sum = { -readonly [Field in keyof MediaInput]: number }

function addPart(media: Sum, part: Part): void {
  switch (part.type) {
    case 'image':
      media.images++
      media.imageBytes += base64Bytes(part.source)
      break
    case 'audio':
      if ('data' in part.source) media.audioBytes += base64Bytes(part.source)
      else media.distantFiles++
      break
    case 'file':
      if (!('data' in part.source)) media.distantFiles++
      else if (!isText(part.source)) media.fileBytes += base64Bytes(part.source)
      break
    case 'tool-result':
      for (const inner of part.content) addPart(media, inner)
      break
  }
}

function base64Bytes(source: Media): number {
  return 'data' in source ? source.data.length : 0
}

/** A text file comes as base64 too, but the model reads it word by word. */
export function isText(source: Media): boolean {
  return 'data' in source && source.mediaType.startsWith('text/')
}
