import type { Sound } from '../../providers/define.ts'

const HEADER = 44
const BYTES_PER_SAMPLE = 2
const USUAL_RATE = 24_000

/** Bare samples of 16 bits, one channel: what vendors call `audio/L16;rate=24000`. */
const samples = /^audio\/(?:l16|pcm|x-raw)\b/i
const rateIn = /;\s*rate=(\d{4,6})\b/i

/** A sound in the form that was asked for, where it came as bare samples. */
export function wrapSamples(sound: Sound, format: unknown): Sound {
  if (!samples.test(sound.type)) return sound
  if (format !== 'wav') return { bytes: sound.bytes, type: 'audio/pcm' }
  const rate = Number(rateIn.exec(sound.type)?.[1] ?? USUAL_RATE)
  return {
    bytes: Buffer.concat([writeHeader(sound.bytes.length, rate), sound.bytes]),
    type: 'audio/wav',
  }
}

function writeHeader(length: number, rate: number): Buffer {
  const header = Buffer.alloc(HEADER)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(HEADER - 8 + length, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * BYTES_PER_SAMPLE, 28)
  header.writeUInt16LE(BYTES_PER_SAMPLE, 32)
  header.writeUInt16LE(8 * BYTES_PER_SAMPLE, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(length, 40)
  return header
}
