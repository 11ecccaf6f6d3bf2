import { asNumber, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { PlainConversion } from '../define.ts'
import { asCount } from '../kit/answers/count.ts'

const types = new Map<Json | undefined, string>([
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
  ['flac', 'audio/flac'],
  ['pcm', 'audio/pcm'],
])
const USUAL = 'mp3'
const SLOWEST = 0.5
const FASTEST = 2

/** What the vendor has beside OpenAI's fields goes in under its own names. */
export const speechConversion: PlainConversion = {
  writeRequest({ model, input, voice, speed, response_format = USUAL, ...more }) {
    if (!types.has(response_format)) refuseNamed('response_format', response_format)
    const pace = asNumber(speed)
    const { language_boost, pronunciation_dict, voice_modify } = more
    return {
      model,
      text: input,
      stream: false,
      output_format: 'hex',
      voice_setting: {
        voice_id: voice,
        ...(pace !== undefined && { speed: Math.min(FASTEST, Math.max(SLOWEST, pace)) }),
        ...asObject(more.voice_setting),
      },
      audio_setting: { ...asObject(more.audio_setting), format: response_format },
      ...given({ language_boost, pronunciation_dict, voice_modify }),
    }
  },
  readSound({ data, extra_info }) {
    const hex = asText(asObject(data)?.audio)
    if (!hex) return undefined
    const info = asObject(extra_info)
    return {
      bytes: Buffer.from(hex, 'hex'),
      type: types.get(info?.audio_format) ?? 'audio/mpeg',
      characters: asCount(info?.usage_characters),
    }
  },
}

function given(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
