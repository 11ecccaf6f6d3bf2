import { asArray, asObject, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { countTokens } from '../reply.ts'
import type { Answer } from '../script.ts'
import { NO_TALLY } from '../tally.ts'
import type { Call, Rendered } from '../upstream.ts'
import { editUsage } from '../write-frames.ts'
import { camelNames } from './camel-names.ts'
import { refuseGemini } from './fail.ts'
import { geminiUsage } from './write-answer.ts'

const VOICES = ['Zephyr', 'Puck', 'Charon', 'Kore', 'Fenrir', 'Leda', 'Orus', 'Aoede']

export function isSpeaker(call: Call): boolean {
  return /-tts\b/.test(call.params.model ?? '')
}

export function checkSpeech(call: Call): void {
  const config = asObject(camelNames(call.body).generationConfig) ?? {}
  const [modality = 'TEXT', another] = asArray(config.responseModalities)
  if (modality !== 'AUDIO' || another !== undefined)
    refuseGemini(
      `The requested combination of response modalities (${modality}) is not supported by the model. models/${call.params.model} accepts the following combination of response modalities:\n* AUDIO\n`,
    )
  const voice = asObject(asObject(asObject(config.speechConfig)?.voiceConfig)?.prebuiltVoiceConfig)?.voiceName
  if (!VOICES.includes(asText(voice) ?? ''))
    refuseGemini(`Voice name ${voice} is not supported. Allowed voice names are: ${VOICES.join(', ')}`)
}

/** A hundred samples per character. */
export function answerSpeech(call: Call, answer: Answer): Rendered {
  const text = wordsOf(call.body)
  const sound = Buffer.alloc(text.length * 200, 1)
  const tally = { ...NO_TALLY, input: countTokens(text), output: text.length * 2 }
  const usage = editUsage(
    { ...geminiUsage(tally), candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: tally.output }] },
    answer,
  )
  const inlineData = { mimeType: 'audio/L16;codec=pcm;rate=24000', data: sound.toString('base64') }
  const body = {
    candidates: [{ content: { parts: [{ inlineData }], role: 'model' }, finishReason: 'STOP', index: 0 }],
    ...(usage === undefined ? {} : { usageMetadata: usage }),
    modelVersion: call.params.model,
    responseId: call.newId('r', 20),
  }
  return { contentType: 'application/json; charset=UTF-8', body: JSON.stringify(body, null, 2), tally }
}

function wordsOf(body: JsonObject): string {
  const parts = asArray(body.contents).flatMap(content => asArray(asObject(content)?.parts))
  return parts.map(part => asText(asObject(part)?.text) ?? '').join('')
}
