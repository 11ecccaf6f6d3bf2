import { readSoundLength } from './sound-length.ts'

/** What a file is taken to hold a second when it does not say: 128 kbit/s. */
const BYTES_PER_SECOND = 16_000
/** Speech is seldom squeezed further than this. */
const FEWEST_BYTES_PER_SECOND = 2000
const PCM = [1, 3, 0xfffe]

/**
 * Seconds of sound in a file, as its own form tells them, else by a guess from the size. What a file only claims is
 * believed where it is more than that: else the shortest of all times could be claimed.
 */
export function estimateSeconds(file: Buffer): number {
  const known = readWavSeconds(file)
  if (known !== undefined) return known
  const guessed = file.length / BYTES_PER_SECOND
  const told = readSoundLength(file)
  return told?.isCertain ? told.seconds : Math.max(guessed, told?.seconds ?? 0)
}

/** No file of this size is likely to hold more. */
export function mostSeconds(file: Buffer): number {
  return readWavSeconds(file) ?? Math.max(estimateSeconds(file), file.length / FEWEST_BYTES_PER_SECOND)
}

/** Undefined when it is no WAV file whose header can be believed. */
export function readWavSeconds(file: Buffer): number | undefined {
  if (
    file.length < 12 ||
    file.toString('latin1', 0, 4) !== 'RIFF' ||
    file.toString('latin1', 8, 12) !== 'WAVE'
  )
    return undefined
  let rate = 0
  for (let at = 12; at + 8 <= file.length; ) {
    const id = file.toString('latin1', at, at + 4)
    const size = file.readUInt32LE(at + 4)
    if (id === 'fmt ' && size >= 16 && at + 24 <= file.length) rate = readByteRate(file, at + 8)
    if (id === 'data') {
      const there = file.length - at - 8
      // A writer that could not go back leaves 0 or the largest number.
      const bytes = size === 0 || size > there ? there : size
      return rate > 0 ? bytes / rate : undefined
    }
    at += 8 + size + (size % 2)
  }
  return undefined
}

/**
 * From the fields that decoders use. The header's own rate, which they ignore, only where these say nothing, and
 * no more of it than an ordinary file has: else the shortest of all times could be claimed.
 */
function readByteRate(file: Buffer, at: number): number {
  const format = file.readUInt16LE(at)
  const channels = file.readUInt16LE(at + 2)
  const samples = file.readUInt32LE(at + 4)
  const bits = file.readUInt16LE(at + 14)
  return PCM.includes(format) && bits > 0
    ? (samples * channels * bits) / 8
    : Math.min(file.readUInt32LE(at + 8), BYTES_PER_SECOND)
}

/** Nobody says more letters in a second; a sign of Chinese or Japanese takes the time of several. */
const MOST_LETTERS_PER_SECOND = 25
const LETTERS_PER_SIGN = 4
const FIRST_SIGN = 0x2e80

/** The least time in which somebody can have said this, however small the file was. */
export function secondsToSay(text: string): number {
  let letters = 0
  for (let at = 0; at < text.length; at++) letters += text.charCodeAt(at) < FIRST_SIGN ? 1 : LETTERS_PER_SIGN
  return letters / MOST_LETTERS_PER_SECOND
}

/** The end of the last subtitle, in SRT or WebVTT. */
export function readSubtitleSeconds(text: string): number | undefined {
  const tail = text.slice(-4096)
  const last = tail.lastIndexOf('-->')
  if (last < 0) return undefined
  const [, hours = '0', minutes, seconds] =
    /^\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2}[.,]\d{1,3})/.exec(tail.slice(last + 3)) ?? []
  if (minutes === undefined || seconds === undefined) return undefined
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'))
}
