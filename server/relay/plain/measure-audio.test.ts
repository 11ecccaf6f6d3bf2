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

/** Frames of MP3: at 16 kbit/s each of 72 bytes lasts 36 milliseconds, at 320 kbit/s of 1,044 26. */
const quiet = (count: number) =>
  Buffer.alloc(72 * count, Buffer.concat([Buffer.from('fff32800', 'hex'), Buffer.alloc(68)]))
const loud = (count: number) =>
  Buffer.alloc(1044 * count, Buffer.concat([Buffer.from('fffbe000', 'hex'), Buffer.alloc(1040)]))

function ogg(samples: number, head = 'OpusHead'): Buffer {
  const page = (at: number, content: Buffer): Buffer => {
    const start = Buffer.alloc(28)
    start.write('OggS', 'latin1')
    start.writeBigUInt64LE(BigInt(at), 6)
    return Buffer.concat([start, content])
  }
  return Buffer.concat([
    page(0, Buffer.from(head, 'latin1')),
    Buffer.alloc(100),
    page(samples, Buffer.alloc(50)),
  ])
}

function flac(rate: number, samples: number): Buffer {
  const file = Buffer.alloc(100)
  file.write('fLaC', 'latin1')
  file.writeUIntBE(rate << 4, 18, 3)
  file.writeUInt8(Math.floor(samples / 2 ** 32), 21)
  file.writeUInt32BE(samples % 2 ** 32, 22)
  return file
}

function mp4(units: number, scale: number): Buffer {
  const box = (name: string, content: Buffer): Buffer => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(content.length + 8)
    head.write(name, 4, 'latin1')
    return Buffer.concat([head, content])
  }
  const head = Buffer.alloc(100)
  head.writeUInt32BE(scale, 12)
  head.writeUInt32BE(units, 16)
  const boxes = [box('ftyp', Buffer.alloc(8)), box('mdat', Buffer.alloc(500)), box('moov', box('mvhd', head))]
  return Buffer.concat(boxes)
}

test('what is squeezed hard is as long as it says', () => {
  const tagged = Buffer.concat([
    Buffer.from('ID3\x04\0\0\0\0\x07\x68', 'latin1'),
    Buffer.alloc(1000),
    quiet(1000),
  ])
  const table: [string, Buffer, number][] = [
    ['mp3', quiet(1000), 36],
    ['mp3 behind a tag', tagged, 36],
    ['mp3 with something between', Buffer.concat([quiet(500), Buffer.alloc(300, 0xff), quiet(500)]), 36],
    ['mp3 of the best', loud(1000), 26.1],
    ['opus', ogg(48_000 * 90), 90],
    ['vorbis', ogg(16_000 * 90, '\x01vorbis\0\0\0\0\x01\x80\x3e\0\0'), 90],
    ['flac', flac(16_000, 16_000 * 90), 90],
    ['m4a', mp4(90_000, 1000), 90],
  ]
  for (const [name, file, seconds] of table) {
    expect([name, Math.round(estimateSeconds(file) * 10) / 10]).toEqual([name, seconds])
    expect(mostSeconds(file)).toBeGreaterThanOrEqual(estimateSeconds(file))
  }
})

test('nobody saves money with what a file only claims, or time with what it hides', () => {
  for (const file of [ogg(48), flac(48_000, 48), mp4(1, 1000)]) {
    const long = Buffer.concat([file, Buffer.alloc(160_000), file.subarray(-80)])
    expect(estimateSeconds(long)).toBeGreaterThanOrEqual(long.length / 16_000)
  }
  const hidden = Buffer.concat([quiet(10), Buffer.alloc(3_000_000, 0xff), quiet(100_000)])
  expect(estimateSeconds(hidden)).toBeGreaterThanOrEqual(hidden.length / 16_000)
})

test('whatever is in a file, it has some length', () => {
  const starts = [
    '',
    'OggS',
    'fLaC',
    '\0\0\0\x08ftyp',
    'ID3',
    '\xff\xfb\x90\0',
    '\0\0\0\x01ftyp\xff\xff\xff\xff\xff\xff\xff\xff',
  ]
  for (const start of starts)
    for (let length = 0; length < 200; length++) {
      const file = Buffer.concat([Buffer.from(start, 'latin1'), crypto.getRandomValues(Buffer.alloc(length))])
      expect(estimateSeconds(file)).toBeWithin(0, 1_000_001)
    }
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
