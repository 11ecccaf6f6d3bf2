import { asText } from '../../../server/dialects/json.ts'
import { countTokens, cutPieces } from '../reply.ts'
import type { Answer } from '../script.ts'
import { fields } from '../shape.ts'
import { NO_TALLY, type Tally } from '../tally.ts'
import type { Call, Rendered } from '../upstream.ts'
import { dataFrame, editUsage } from '../write-frames.ts'
import { STREAM_ERROR } from './chat-style.ts'
import { checkModel } from './check-fields.ts'
import { refuseModel, refuseOpenai } from './fail.ts'

const SPEECH = fields('model input voice instructions response_format speed stream_format')
const TRANSCRIPTIONS =
  fields(`file model language prompt response_format temperature timestamp_granularities[]
  include[] stream chunking_strategy`)
const TRANSLATIONS = fields('file model prompt response_format temperature')
const FORMATS: Record<string, string> = {
  mp3: 'audio/mpeg',
  opus: 'audio/opus',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
}
const BYTES_PER_SECOND = 1000

export function checkSpeech(call: Call): void {
  const unknown = Object.keys(call.body).find(name => !(name in SPEECH))
  if (unknown !== undefined) refuseOpenai(`Unrecognized request argument supplied: ${unknown}`)
  checkModel(call)
  for (const name of ['input', 'voice'])
    if (typeof call.body[name] !== 'string' || call.body[name] === '')
      refuseOpenai(`Missing required parameter: '${name}'.`, name, 'missing_required_parameter')
  const format = call.body.response_format
  if (format !== undefined && !(String(format) in FORMATS))
    refuseOpenai(`Invalid value: '${format}'.`, 'response_format', 'invalid_value')
}

/** Ten bytes of sound per character. */
export function answerSpeech(call: Call, answer: Answer): Rendered {
  const text = asText(call.body.input) ?? ''
  const sound = Buffer.from(text.repeat(10))
  const tally = { ...NO_TALLY, input: countTokens(text), output: Math.ceil(sound.length / 50) }
  const contentType = FORMATS[asText(call.body.response_format) ?? 'mp3'] ?? ''
  if (call.body.stream_format !== 'sse') return { contentType, body: new Uint8Array(sound), tally }
  const frames: string[] = []
  for (let at = 0; at < sound.length; at += 64)
    frames.push(
      dataFrame({ type: 'speech.audio.delta', audio: sound.subarray(at, at + 64).toString('base64') }),
    )
  const [moreText] = frames
  const usage = editUsage(tokensOf(tally), answer)
  frames.push(dataFrame({ type: 'speech.audio.done', ...(usage === undefined ? {} : { usage }) }))
  return { contentType: 'text/event-stream', frames, moreText, errorFrame: STREAM_ERROR, tally }
}

function tokensOf(tally: Tally) {
  return {
    input_tokens: tally.input,
    output_tokens: tally.output,
    total_tokens: tally.input + tally.output,
  }
}

export function checkTranscriptions(call: Call): void {
  checkAudioForm(call, TRANSCRIPTIONS)
}

export function checkTranslations(call: Call): void {
  checkAudioForm(call, TRANSLATIONS)
}

function checkAudioForm(call: Call, known: Record<string, true>): void {
  const form = call.seen.form ?? new FormData()
  const unknown = [...form.keys()].find(name => !(name in known))
  if (unknown !== undefined) refuseOpenai(`Unrecognized request argument supplied: ${unknown}`)
  const model = form.get('model')
  if (typeof model !== 'string') refuseOpenai('you must provide a model parameter')
  if (call.options.models !== undefined && !call.options.models.includes(model)) refuseModel(model)
  const file = form.get('file')
  if (!(file instanceof File) || file.size === 0)
    refuseOpenai("Missing required parameter: 'file'.", 'file', 'missing_required_parameter')
  if (!/\.(flac|m4a|mp3|mp4|mpeg|mpga|oga|ogg|wav|webm)$/.test(file.name))
    refuseOpenai(
      "Invalid file format. Supported formats: ['flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'mpga', 'oga', 'ogg', 'wav', 'webm']",
      'file',
    )
  if (form.get('response_format') === 'verbose_json' && model !== 'whisper-1')
    refuseOpenai(
      `response_format 'verbose_json' is not compatible with model '${model}'. Use 'json' or 'text' instead.`,
      'response_format',
      'unsupported_value',
    )
}

/** Says which file it heard; a second is a thousand bytes. */
export function answerTranscript(call: Call, answer: Answer): Rendered {
  const form = call.seen.form ?? new FormData()
  const file = form.get('file')
  const size = file instanceof File ? file.size : 0
  const text = answer.reply?.text ?? `heard ${file instanceof File ? file.name : ''} of ${size} bytes`
  const seconds = Math.ceil(size / BYTES_PER_SECOND)
  const tally = { ...NO_TALLY, input: seconds * 10, output: countTokens(text) }
  const format = form.get('response_format') ?? 'json'
  const duration = { type: 'duration', seconds }
  const tokens = {
    type: 'tokens',
    ...tokensOf(tally),
    input_token_details: { text_tokens: 0, audio_tokens: tally.input },
  }
  const usage = editUsage(form.get('model') === 'whisper-1' ? duration : tokens, answer)
  if (form.get('stream') === 'true' && form.get('model') !== 'whisper-1') {
    const frames = cutPieces(text, answer.pieceChars).map(delta =>
      dataFrame({ type: 'transcript.text.delta', delta }),
    )
    const [moreText] = frames
    frames.push(dataFrame({ type: 'transcript.text.done', text, ...(usage === undefined ? {} : { usage }) }))
    return { contentType: 'text/event-stream', frames, moreText, errorFrame: STREAM_ERROR, tally }
  }
  if (format === 'text') return { contentType: 'text/plain; charset=utf-8', body: `${text}\n`, tally }
  const verbose = { task: 'transcribe', language: 'english', duration: seconds, text, segments: [], usage }
  const body = format === 'verbose_json' ? verbose : { text, usage }
  return { contentType: 'application/json', body: JSON.stringify(body), tally }
}
