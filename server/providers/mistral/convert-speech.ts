import { asText, type JsonObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { PlainConversion } from '../define.ts'

const types = new Map<unknown, string>([
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
  ['flac', 'audio/flac'],
  ['opus', 'audio/ogg'],
  ['pcm', 'audio/pcm'],
])
const USUAL = 'mp3'

/** Its sound comes inside JSON, and a voice has another name there. How it is to be spoken it is not told. */
export const speechConversion: PlainConversion = {
  writeRequest({ model, input, voice, voice_id = voice, ref_audio, response_format = USUAL, stream_format }) {
    if (!types.has(response_format)) refuseNamed('response_format', response_format)
    if (stream_format === 'sse') refuseNamed('stream_format', 'sse')
    const body: JsonObject = { model, input, response_format, stream: false }
    if (voice_id !== undefined) body.voice_id = voice_id
    if (ref_audio !== undefined) body.ref_audio = ref_audio
    return body
  },
  readSound({ audio_data }, { response_format = USUAL } = {}) {
    const data = asText(audio_data)
    return data ? { bytes: Buffer.from(data, 'base64'), type: types.get(response_format) ?? '' } : undefined
  },
}
