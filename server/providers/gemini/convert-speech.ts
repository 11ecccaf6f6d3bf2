import { asArray, asObject, asText, type JsonObject } from '../../dialects/json.ts'
import { refuseFeature, refuseNamed } from '../../dialects/refuse.ts'
import type { PlainConversion } from '../define.ts'

/** What can be made of bare samples. */
const formats = new Set<unknown>(['wav', 'pcm'])

/** Voices go by Google's names. How it is to be spoken is said before the words, as Google has it. */
export const speechConversion: PlainConversion = {
  writeRequest({ input, voice, instructions, response_format = 'mp3', speed = 1, stream_format }) {
    if (!formats.has(response_format))
      refuseFeature('feature.speech-format', { format: String(response_format) })
    if (speed !== 1) refuseNamed('speed')
    if (stream_format === 'sse') refuseNamed('stream_format', 'sse')
    const manner = asText(instructions)?.trim().replace(/:$/, '')
    const words = asText(input) ?? ''
    return {
      contents: [{ role: 'user', parts: [{ text: manner ? `${manner}: ${words}` : words }] }],
      generationConfig: {
        responseModalities: ['AUDIO'],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: asText(voice) ?? '' } } },
      },
    }
  },
  readSound({ candidates }) {
    const parts = asArray(asObject(asObject(asArray(candidates)[0])?.content)?.parts)
    const sounds = parts.map(part => asObject(asObject(part)?.inlineData)).filter(isSound)
    const bytes = Buffer.concat(sounds.map(sound => Buffer.from(asText(sound.data) ?? '', 'base64')))
    return sounds[0] && { bytes, type: asText(sounds[0].mimeType) ?? '' }
  },
}

function isSound(data: JsonObject | undefined): data is JsonObject {
  return asText(data?.mimeType)?.startsWith('audio/') === true
}
