import { asObject, asText } from '../../dialects/json.ts'
import type { PlainConversion } from '../define.ts'

/** The sound itself is the body, but for one model, which takes it inside JSON and may be told more. */
export const transcriptConversion: PlainConversion = {
  writeRequest: () => ({}),
  writeSound(sound, { language, prompt }, { model }) {
    if (!model.endsWith('/whisper-large-v3-turbo'))
      return { body: new Uint8Array(sound), type: 'application/octet-stream' }
    const body = JSON.stringify({
      audio: Buffer.from(sound).toString('base64'),
      ...(typeof language === 'string' && { language }),
      ...(typeof prompt === 'string' && { initial_prompt: prompt }),
    })
    return { body, type: 'application/json' }
  },
  readAnswer({ result }) {
    const text = asText(asObject(result)?.text)
    return text === undefined ? undefined : { text }
  },
}
