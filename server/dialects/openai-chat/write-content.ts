import type { JsonObject } from '../json.ts'
import { refuseFeature } from '../refuse.ts'
import type { AudioPart, FilePart, ImagePart, Part, TextPart } from '../spec.ts'
import { joinDataUrl } from './data-url.ts'

export type UserPart = TextPart | ImagePart | AudioPart | FilePart

export function isUserPart(part: Part): part is UserPart {
  return part.type === 'text' || part.type === 'image' || part.type === 'audio' || part.type === 'file'
}

/** One text is a string, which every upstream takes; several things are an array. Cache marks are dropped. */
export function writeUserContent(parts: readonly UserPart[]): string | JsonObject[] {
  const said = parts.filter(part => part.type !== 'text' || part.text !== '')
  const [first] = said
  if (first === undefined) return ''
  if (said.length === 1 && first.type === 'text') return first.text
  return said.map(writePart)
}

function writePart(part: UserPart): JsonObject {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return { type: 'image_url', image_url: writeImage(part) }
    case 'audio':
      return { type: 'input_audio', input_audio: writeAudio(part) }
    case 'file':
      return writeFile(part)
  }
}

function writeImage(part: ImagePart): JsonObject {
  const { source } = part
  if ('fileId' in source) refuseFeature('feature.image-by-id')
  const url = 'data' in source ? joinDataUrl(source.mediaType, source.data) : source.url
  return part.detail === undefined ? { url } : { url, detail: part.detail }
}

function writeAudio(part: AudioPart): JsonObject {
  if (!('data' in part.source)) refuseFeature('feature.audio-by-address')
  return { data: part.source.data, format: writeAudioFormat(part.source.mediaType) }
}

function writeAudioFormat(mediaType: string): string {
  const kind = mediaType.slice(mediaType.indexOf('/') + 1).split(';', 1)[0] ?? ''
  if (kind === 'mpeg' || kind === 'mp3') return 'mp3'
  return kind === 'x-wav' || kind === 'wave' || kind === 'vnd.wave' ? 'wav' : kind
}

/** Plain text goes as text: upstreams that take files at all often take PDF only. */
function writeFile(part: FilePart): JsonObject {
  const { source } = part
  if ('fileId' in source) return { type: 'file', file: { file_id: source.fileId } }
  if ('url' in source) refuseFeature('feature.file-by-address')
  if (source.mediaType.startsWith('image/')) return writePart({ type: 'image', source })
  if (source.mediaType.startsWith('audio/')) return writePart({ type: 'audio', source })
  if (source.mediaType.startsWith('video/')) refuseFeature('feature.video-input')
  if (source.mediaType.startsWith('text/'))
    return { type: 'text', text: Buffer.from(source.data, 'base64').toString('utf8') }
  const filename = part.name || (source.mediaType === 'application/pdf' ? 'file.pdf' : 'file')
  return { type: 'file', file: { filename, file_data: joinDataUrl(source.mediaType, source.data) } }
}

export function joinTexts(parts: readonly Part[], between: string): string {
  let joined = ''
  for (const part of parts)
    if (part.type === 'text' && part.text !== '') joined += joined === '' ? part.text : between + part.text
  return joined
}
