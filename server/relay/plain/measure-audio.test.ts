import { expect, test } from 'bun:test'
import { estimateSeconds, mostSeconds, readSubtitleSeconds, readWavSeconds } from './measure-audio.ts'

interface Wav {
  readonly format?: number
  readonly channels?: number
  readonly rate?: number
  readonly byteRate?: number
  readonly bits?: number
  readonly size?: number
  readonly bytes: number
}

function wav({ format = 1, channels = 1, rate = 8000, bits = 16, bytes, byteRate, size }: Wav): Buffer {
  const file = Buffer.alloc(44 + bytes)
  file.write('RIFF....WAVEfmt ', 'latin1')
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(format, 20)
  file.writeUInt16LE(channels, 22)
  file.writeUInt32LE(rate, 24)
  file.writeUInt32LE(byteRate ?? (rate * channels * bits) / 8, 28)
  file.writeUInt16LE((channels * bits) / 8, 32)
  file.writeUInt16LE(bits, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(size ?? bytes, 40)
  return file
}

test('seconds of a WAV file', () => {
  const table: [Wav, number | undefined][] = [
    [{ bytes: 32_000 }, 2],
    [{ bytes: 192_000, rate: 48_000, channels: 2 }, 1],
    [{ bytes: 32_000, size: 0 }, 2],
    [{ bytes: 32_000, size: 0xffffffff }, 2],
    [{ bytes: 32_000, size: 16_000 }, 1],
    // What decoders ignore, nobody can save money with.
    [{ bytes: 32_000, byteRate: 0xffffffff }, 2],
    [{ bytes: 32_000, format: 17, bits: 4, byteRate: 4000 }, 8],
    [{ bytes: 32_000, format: 0x55, byteRate: 0xffffffff }, 2],
    [{ bytes: 32_000, rate: 0 }, undefined],
    [{ bytes: 32_000, channels: 0 }, undefined],
  ]
  for (const [given, seconds] of table) expect([given, readWavSeconds(wav(given))]).toEqual([given, seconds])
})

test('chunks before the sound are stepped over, and broken files are none', () => {
  const sound = wav({ bytes: 16_000 })
  const list = Buffer.from('LIST\x05\0\0\0abcde\0', 'latin1')
  expect(readWavSeconds(Buffer.concat([sound.subarray(0, 36), list, sound.subarray(36)]))).toBe(1)
  for (let length = 0; length < 44; length++)
    expect(readWavSeconds(sound.subarray(0, length))).toBeUndefined()
})

test('other files are guessed by their size', () => {
  const mp3 = Buffer.alloc(32_000)
  expect(estimateSeconds(mp3)).toBe(2)
  expect(mostSeconds(mp3)).toBe(16)
  expect(estimateSeconds(wav({ bytes: 16_000 }))).toBe(1)
})

test('seconds of subtitles', () => {
  const table: [string, number | undefined][] = [
    ['1\n00:00:00,000 --> 00:00:02,500\nhi\n\n2\n00:00:02,500 --> 01:01:04,000\nyou\n', 3664],
    ['WEBVTT\n\n00:00.000 --> 00:07.500\nhi\n', 7.5],
    ['WEBVTT\n', undefined],
    ['an arrow --> and no time', undefined],
    ['', undefined],
  ]
  for (const [text, seconds] of table) expect([text, readSubtitleSeconds(text)]).toEqual([text, seconds])
})
