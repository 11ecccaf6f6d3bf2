/** The types that models take, told by the first bytes. What is said of them is often wrong. */
const signatures: readonly { readonly at?: number; readonly bytes: string; readonly type: string }[] = [
  { bytes: '\x89PNG\r\n\x1a\n', type: 'image/png' },
  { bytes: '\xff\xd8\xff', type: 'image/jpeg' },
  { bytes: 'GIF87a', type: 'image/gif' },
  { bytes: 'GIF89a', type: 'image/gif' },
  { at: 8, bytes: 'WEBP', type: 'image/webp' },
  { bytes: '%PDF-', type: 'application/pdf' },
  { at: 8, bytes: 'WAVE', type: 'audio/wav' },
  { at: 8, bytes: 'AIFF', type: 'audio/aiff' },
  { bytes: 'ID3', type: 'audio/mpeg' },
  { bytes: 'OggS', type: 'audio/ogg' },
  { bytes: 'fLaC', type: 'audio/flac' },
]

/** Brands of the container that photos of phones and some sound come in. */
const brands: Readonly<Record<string, string>> = {
  heic: 'image/heic',
  heix: 'image/heic',
  heim: 'image/heic',
  heis: 'image/heic',
  hevc: 'image/heic',
  mif1: 'image/heif',
  msf1: 'image/heif',
  'M4A ': 'audio/mp4',
  'M4B ': 'audio/mp4',
}

/** Undefined for what is none of these. */
export function readSignature(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 16)).toString('latin1')
  const container = head.startsWith('RIFF') || head.startsWith('FORM')
  for (const { at = 0, bytes: mark, type } of signatures)
    if ((at === 0 || container) && head.startsWith(mark, at)) return type
  if (head.startsWith('ftyp', 4)) {
    const brand = head.slice(8, 12)
    return Object.hasOwn(brands, brand) ? brands[brand] : undefined
  }
  return readSoundFrame(bytes)
}

/** MP3 and AAC may begin with a frame, of which only some bits are fixed. */
function readSoundFrame([first = 0, second = 0]: Uint8Array): string | undefined {
  if (first !== 0xff) return undefined
  if ((second & 0xe6) === 0xe2) return 'audio/mpeg'
  return (second & 0xf6) === 0xf0 ? 'audio/aac' : undefined
}

/** Base64 of as much as is looked at. */
const HEAD = 24

/** What a picture is by its bytes: vendors that look at them refuse one that is called otherwise. */
export function pictureType({
  data,
  mediaType,
}: {
  readonly data: string
  readonly mediaType: string
}): string {
  const known = readSignature(Buffer.from(data.slice(0, HEAD), 'base64'))
  if (known?.startsWith('image/')) return known
  return mediaType === 'image/jpg' ? 'image/jpeg' : mediaType
}
