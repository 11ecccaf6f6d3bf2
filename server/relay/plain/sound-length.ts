// How long the sound in a file is, by what its own form says.

/** Exactly where decoders go by the same; at least, where a file can claim what it likes. Undefined where it says nothing. */
export interface SoundLength {
  readonly seconds: number
  readonly isCertain: boolean
}

export function readSoundLength(file: Buffer): SoundLength | undefined {
  const claimed = readOgg(file) ?? readFlac(file) ?? readMp4(file)
  if (claimed !== undefined) return { seconds: claimed, isCertain: false }
  return readMpeg(file)
}

const nameAt = (file: Buffer, at: number, length = 4): string => file.toString('latin1', at, at + length)

/** A page at the end tells how many samples there are up to it. */
const LONGEST_PAGE = 65_307
const OPUS_RATE = 48_000

function readOgg(file: Buffer): number | undefined {
  if (nameAt(file, 0) !== 'OggS' || file.length < 64) return undefined
  const last = file.subarray(-LONGEST_PAGE).lastIndexOf('OggS')
  const at = last < 0 ? -1 : Math.max(0, file.length - LONGEST_PAGE) + last
  if (at < 0 || at + 14 > file.length) return undefined
  const head = file.subarray(28, 64)
  const isVorbis = nameAt(head, 1, 6) === 'vorbis'
  if (!isVorbis && nameAt(head, 0, 8) !== 'OpusHead') return undefined
  const samples = Number(file.readBigUInt64LE(at + 6))
  return asSeconds(samples, isVorbis ? head.readUInt32LE(12) : OPUS_RATE)
}

function readFlac(file: Buffer): number | undefined {
  if (nameAt(file, 0) !== 'fLaC' || file.length < 26) return undefined
  const rate = file.readUIntBE(18, 3) >>> 4
  const samples = (file.readUInt8(21) & 0x0f) * 2 ** 32 + file.readUInt32BE(22)
  return asSeconds(samples, rate)
}

function readMp4(file: Buffer): number | undefined {
  if (nameAt(file, 4) !== 'ftyp') return undefined
  const movie = findBox(file, 0, file.length, 'moov')
  const head = movie && findBox(file, movie.start, movie.end, 'mvhd')
  if (!head || head.end - head.start < 32) return undefined
  const isLong = file.readUInt8(head.start) === 1
  const at = head.start + (isLong ? 20 : 12)
  const units = isLong ? Number(file.readBigUInt64BE(at + 4)) : file.readUInt32BE(at + 4)
  return asSeconds(units, file.readUInt32BE(at))
}

function findBox(
  file: Buffer,
  from: number,
  to: number,
  name: string,
): { readonly start: number; readonly end: number } | undefined {
  for (let at = from; at + 8 <= to; ) {
    const short = file.readUInt32BE(at)
    const isLong = short === 1 && at + 16 <= to
    const size = isLong ? Number(file.readBigUInt64BE(at + 8)) : short === 0 ? to - at : short
    const start = at + (isLong ? 16 : 8)
    if (size < start - at) return undefined
    if (nameAt(file, at + 4) === name) return { start, end: Math.min(at + size, to) }
    at += size
  }
  return undefined
}

const MOST_SECONDS = 1_000_000

function asSeconds(samples: number, rate: number): number | undefined {
  const seconds = rate > 0 ? samples / rate : 0
  return seconds > 0 && seconds <= MOST_SECONDS ? seconds : undefined
}

/** Of layers I, II and III, in thousands of bits a second; of the first version, and of those after it. */
const bitrates = {
  first: [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  ],
  later: [
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ],
} as const
const rates = [44_100, 48_000, 32_000]
/** Sound begins by then, behind what players show of it. */
const LATEST_START = 65_536
const FEWEST_FRAMES = 3

interface Frame {
  readonly bytes: number
  readonly seconds: number
}

function readFrame(file: Buffer, at: number): Frame | undefined {
  if (at + 4 > file.length || file[at] !== 0xff || ((file[at + 1] ?? 0) & 0xe0) !== 0xe0) return undefined
  const kind = file.readUInt8(at + 1)
  const form = file.readUInt8(at + 2)
  const version = (kind >> 3) & 3
  const layer = 4 - ((kind >> 1) & 3)
  const isFirst = version === 3
  const rate = (rates[(form >> 2) & 3] ?? 0) / (isFirst ? 1 : version === 2 ? 2 : 4)
  const bits = bitrates[isFirst ? 'first' : 'later'][layer - 1]?.[(form >> 4) - 1]
  if (version === 1 || layer === 4 || rate === 0 || bits === undefined) return undefined
  const samples = layer === 1 ? 384 : layer === 3 && !isFirst ? 576 : 1152
  const slot = layer === 1 ? 4 : 1
  const bytes = (Math.floor(((samples / 8) * bits * 1000) / rate / slot) + ((form >> 1) & 1)) * slot
  return { bytes, seconds: samples / rate }
}

/** What is stepped over, and looked at: others want their turn. */
const MOST_SKIPPED = 1_000_000
const MOST_FRAMES = 300_000

/** MP3 and its like: frame by frame, over what decoders step over too. */
function readMpeg(file: Buffer): SoundLength | undefined {
  const start = nameAt(file, 0, 3) === 'ID3' && file.length > 10 ? 10 + readTagSize(file) : 0
  let seconds = 0
  let frames = 0
  let skipped = 0
  let at = start
  for (let frame = readFrame(file, at); at + 4 <= file.length; ) {
    const end = at + (frame?.bytes ?? 0)
    const next = frame && readFrame(file, end)
    if (frame && (next || end + 4 > file.length)) {
      seconds += frame.seconds
      if (++frames > MOST_FRAMES) break
      at = end
      frame = next
      continue
    }
    if (++skipped > (frames === 0 ? LATEST_START : MOST_SKIPPED)) break
    frame = readFrame(file, ++at)
  }
  const read = at - start
  // Chance finds a frame in any file, but not most of it.
  if (frames < FEWEST_FRAMES || skipped > read / 2) return undefined
  const isCertain = at + 4 > file.length
  return { seconds: isCertain ? seconds : (seconds * (file.length - start)) / read, isCertain }
}

/** Seven bits to a byte. */
function readTagSize(file: Buffer): number {
  let size = 0
  for (let at = 6; at < 10; at++) size = size * 128 + ((file[at] ?? 0) & 0x7f)
  return size
}
