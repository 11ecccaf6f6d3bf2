import { asText } from '../../../server/dialects/json.ts'
import { countTokens } from '../reply.ts'
import { fields, findUnknown } from '../shape.ts'
import { NO_TALLY } from '../tally.ts'
import { type Call, Refusal, type Rendered } from '../upstream.ts'
import { failMistral } from './fail.ts'

const SPEECH = fields('model input voice_id ref_audio response_format stream')
const formats = ['mp3', 'wav', 'flac', 'opus', 'pcm']

export function checkSpeech({ body }: Call): void {
  const unknown = findUnknown(body, SPEECH)
  if (unknown !== undefined) refuse(`Extra inputs are not permitted: ${unknown.join('.')}`)
  if (!asText(body.model) || !asText(body.input)) refuse('Field required')
  if (!asText(body.voice_id) && !asText(body.ref_audio)) refuse('A voice is required')
  if (!formats.includes(String(body.response_format ?? 'mp3'))) refuse('response_format')
}

/** Ten bytes of sound per character, inside JSON. */
export function answerSpeech({ body }: Call): Rendered {
  const text = asText(body.input) ?? ''
  const audio_data = Buffer.from(text.repeat(10)).toString('base64')
  const tally = { ...NO_TALLY, input: countTokens(text) }
  return { contentType: 'application/json', body: JSON.stringify({ audio_data }), tally }
}

function refuse(message: string): never {
  throw new Refusal(message, failMistral('bad-request', message))
}
