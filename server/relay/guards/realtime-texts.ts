import { asArray, asObject, asText, isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import { type TextPlace, textsOfData, textsOfJson } from '../request/spoken-texts.ts'
import { behindOthers } from './across-places.ts'
import { placeOf } from './answer-texts.ts'
import type { FrameStep, FrameTexts, StreamedPlace } from './frame-texts.ts'

/** What a client of a realtime session says in an event; what it speaks is sound, and no text. */
export function textsOfClientEvent(event: JsonObject): TextPlace[] {
  const item = asObject(event.item)
  return [
    ...textsOfTerms(event.session),
    ...textsOfTerms(event.response),
    ...(item ? textsOfOwnItem(item) : []),
  ]
}

/** Of a session or a response: what the model is told, and hints for writing down what is heard. */
function textsOfTerms(given: Json | undefined): TextPlace[] {
  const terms = asObject(given)
  if (!terms) return []
  const prompt = asObject(terms.prompt)
  const heard = [terms.input_audio_transcription, asObject(asObject(terms.audio)?.input)?.transcription]
  return [
    ...placeOf(terms, 'instructions'),
    ...(prompt ? textsOfData(prompt.variables, prompt, 'variables') : []),
    ...heard.flatMap(hint => (isObject(hint) ? placeOf(hint, 'prompt') : [])),
    ...placeOf(terms, 'input'),
    ...asArray(terms.input).flatMap(one => (isObject(one) ? textsOfOwnItem(one) : [])),
  ]
}

function textsOfOwnItem(item: JsonObject): TextPlace[] {
  const text = item.arguments
  const put = (masked: string): void => {
    item.arguments = masked
  }
  return [
    ...textsOfContent(item),
    ...placeOf(item, 'output'),
    ...asArray(item.output).flatMap(part => (isObject(part) ? textsOfPart(part) : [])),
    ...placeOf(item, 'reason'),
    ...(typeof text === 'string' ? textsOfJson(text, put) : []),
  ]
}

/** In parts, or as some take it too: as one text. */
function textsOfContent(item: JsonObject): TextPlace[] {
  return [
    ...placeOf(item, 'content'),
    ...asArray(item.content).flatMap(part => (isObject(part) ? textsOfPart(part) : [])),
  ]
}

function textsOfPart(part: JsonObject): TextPlace[] {
  return [...placeOf(part, 'text'), ...placeOf(part, 'transcript')]
}

/** Those of what the model says, of each of its calls, and of what it has heard: they may come by turns. */
const SAID = 'said '
const CALL = 'call '
const HEARD = 'heard '

const saidDelta = /^response\.(output_text|text|output_audio_transcript|audio_transcript)\.delta$/
const calledDelta = /^response\.(function_call_arguments|mcp_call_arguments)\.delta$/
const heardText = 'conversation.item.input_audio_transcription.'

/** An event of the upstream's. */
export function textsOfRealtime(json: JsonObject): FrameTexts {
  const type = asText(json.type) ?? ''
  const { item_id, content_index } = json
  const called = `${CALL}${String(item_id ?? asObject(json.item)?.id)} `
  if (saidDelta.test(type))
    return pieces(placeOf(json, 'delta'), SAID, JSON.stringify([item_id, content_index]))
  if (calledDelta.test(type))
    return pieces(
      placeOf(json, 'delta').map(place => ({ ...place, isJson: true })),
      called,
    )
  if (type.startsWith(heardText)) return ofHeard(type, json, `${HEARD}${String(item_id)} `)
  const part = asObject(json.part)
  const item = asObject(json.item)
  const repeated = [
    ...placeOf(json, 'text'),
    ...placeOf(json, 'transcript'),
    ...callOf(json),
    ...(part ? textsOfPart(part) : []),
    ...(item ? repeatedIn(item) : []),
    ...asArray(asObject(json.response)?.output).flatMap(one => (isObject(one) ? repeatedIn(one) : [])),
  ]
  return { steps: endsOf(type, called), repeated }
}

function pieces(places: readonly StreamedPlace[], speaker: string, lane = ''): FrameTexts {
  return { steps: places.map(place => ({ place, speaker, lane: `${speaker} ${lane}` })), repeated: [] }
}

/** What a person said, written down. It may come at once, without pieces before it. */
function ofHeard(type: string, json: JsonObject, speaker: string): FrameTexts {
  const stale = { of: json, key: 'logprobs' }
  if (type.endsWith('.delta')) return pieces(placeOf(json, 'delta', stale), speaker)
  if (type.endsWith('.segment'))
    return pieces(placeOf(json, 'text', stale).map(behindOthers), `${speaker}segments `)
  const whole = [...placeOf(json, 'transcript', stale), ...placeOf(json, 'text', stale)]
  return { steps: [{ ends: speaker }, ...whole.map(place => ({ whole: place }))], repeated: [] }
}

function repeatedIn(item: JsonObject): StreamedPlace[] {
  return [...textsOfContent(item), ...callOf(item), ...placeOf(item, 'output')]
}

function callOf(holder: JsonObject): StreamedPlace[] {
  return placeOf(holder, 'arguments').map(place => ({ ...place, isJson: true }))
}

/** Sound comes between the words that it says, and so do news of the session. */
function endsOf(type: string, called: string): FrameStep[] {
  if (type === 'response.done') return [{ ends: SAID }, { ends: CALL }]
  if (/_call_arguments\.done$/.test(type)) return [{ ends: called }]
  if (type === 'response.output_item.done') return [{ ends: SAID }, { ends: called }]
  return /^response\..*(text|transcript|content_part)\.done$/.test(type) ? [{ ends: SAID }] : []
}
