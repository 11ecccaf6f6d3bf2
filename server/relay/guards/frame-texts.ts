import { isCall } from '../../dialects/gemini-interactions/read-answer.ts'
import { asArray, asObject, asText, isObject, type JsonObject } from '../../dialects/json.ts'
import type { DialectName } from '../../dialects/spec.ts'
import { type TextPlace, textsOfData } from '../request/spoken-texts.ts'
import { behindOthers } from './across-places.ts'
import {
  placeOf,
  textsOfDetail,
  textsOfItem,
  textsOfPart,
  textsOfParts,
  textsOfSound,
  textsOfStep,
} from './answer-texts.ts'
import { textsOfRealtime } from './realtime-texts.ts'

/** A step in what a frame says: a piece of a text that goes on in other frames, or the end of such texts. */
export type FrameStep =
  | { readonly place: StreamedPlace; readonly speaker: string; readonly lane: string }
  /** A text that is there at once. */
  | { readonly whole: TextPlace }
  /** What the speakers whose names begin so were saying is said. */
  | { readonly ends: string }

/** `isJson`: data that a tool is called with, whose values are read one by one. */
export interface StreamedPlace extends TextPlace {
  readonly isJson?: boolean
}

/** One frame of a client's stream: what it adds, and the texts that it repeats whole. */
export interface FrameTexts {
  readonly steps: readonly FrameStep[]
  readonly repeated: readonly StreamedPlace[]
}

/** Where nobody else speaks. Calls of tools have speakers of their own: vendors may write several by turns. */
const SAID = 'said '
/** The same again in longer pieces, beside the others. */
const SEGMENTS = 'segments '
const EVERYBODY = { ends: '' }

/** How a stream is worded: in a client's dialect, or as the events of a transcript or of a realtime session. */
export type Wording = DialectName | 'transcript' | 'realtime'

export function textsOfFrame(wording: Wording, json: JsonObject): FrameTexts {
  switch (wording) {
    case 'transcript':
      return ofTranscript(json)
    case 'realtime':
      return textsOfRealtime(json)
    case 'openai-chat':
      return {
        steps: asArray(json.choices).flatMap(choice => ofChoice(asObject(choice) ?? {})),
        repeated: [],
      }
    case 'anthropic':
      return { steps: ofEvent(json), repeated: [] }
    case 'gemini':
      return {
        steps: asArray(json.candidates).flatMap(one => ofCandidate(asObject(one) ?? {})),
        repeated: [],
      }
    case 'openai-responses':
      return ofResponse(json)
    case 'gemini-interactions':
      return ofInteraction(json)
  }
}

function steps(places: readonly StreamedPlace[], speaker: string, lane = ''): FrameStep[] {
  return places.map(place => ({ place, speaker, lane: `${speaker} ${lane}` }))
}

function jsonOf(holder: JsonObject | undefined, key: string): StreamedPlace[] {
  return holder ? placeOf(holder, key).map(place => ({ ...place, isJson: true })) : []
}

function ofChoice(choice: JsonObject): FrameStep[] {
  const who = `${choice.index ?? 0} `
  const speaker = `${who}${SAID}`
  const delta = asObject(choice.delta) ?? {}
  const stale = { of: choice, key: 'logprobs' }
  const said = [
    ...['reasoning_content', 'reasoning'].flatMap(key => steps(placeOf(delta, key), speaker, key)),
    ...asArray(delta.reasoning_details).flatMap(detail =>
      isObject(detail) ? steps(textsOfDetail(detail), speaker, 'details') : [],
    ),
    ...steps(placeOf(choice, 'text', stale), speaker, 'text'),
    ...steps(placeOf(delta, 'content', stale), speaker, 'text'),
    ...steps(textsOfParts(delta.content), speaker, 'parts'),
    ...steps(textsOfSound(delta.audio), speaker, 'sound'),
    ...steps(placeOf(delta, 'refusal', stale), speaker, 'refusal'),
  ]
  const called = ofCalls(delta, who)
  return [
    ...said,
    ...(called.length > 0 ? [{ ends: speaker }, ...called] : []),
    ...(choice.finish_reason ? [{ ends: who }] : []),
  ]
}

function ofCalls(delta: JsonObject, who: string): FrameStep[] {
  const calls = asArray(delta.tool_calls).flatMap((one, at) => {
    const call = asObject(one) ?? {}
    const custom = asObject(call.custom)
    const places = [
      ...jsonOf(asObject(call.function), 'arguments'),
      ...(custom ? placeOf(custom, 'input') : []),
    ]
    return steps(places, `${who}call ${call.index ?? at} `)
  })
  return [...calls, ...steps(jsonOf(asObject(delta.function_call), 'arguments'), `${who}call `)]
}

function ofEvent(json: JsonObject): FrameStep[] {
  const lane = String(json.index ?? 0)
  switch (json.type) {
    case 'ping':
    case 'message_start':
      return []
    case 'content_block_delta': {
      const delta = asObject(json.delta) ?? {}
      if (delta.type === 'text_delta') return steps(placeOf(delta, 'text'), SAID, lane)
      if (delta.type === 'thinking_delta') return steps(placeOf(delta, 'thinking'), SAID, lane)
      if (delta.type === 'input_json_delta') return steps(jsonOf(delta, 'partial_json'), SAID, lane)
      return delta.type === 'citations_delta' ? [] : [EVERYBODY]
    }
    case 'content_block_start': {
      const block = asObject(json.content_block) ?? {}
      const places = [...placeOf(block, 'text'), ...placeOf(block, 'thinking')]
      return [EVERYBODY, ...wholly(textsOfData(block.input, block, 'input')), ...steps(places, SAID, lane)]
    }
    default:
      return [EVERYBODY]
  }
}

function wholly(places: readonly TextPlace[]): FrameStep[] {
  return places.map(whole => ({ whole }))
}

function ofCandidate(candidate: JsonObject): FrameStep[] {
  const speaker = `${candidate.index ?? 0} `
  const stale = { of: candidate, key: 'logprobsResult' }
  const said = asArray(asObject(candidate.content)?.parts).flatMap((part): FrameStep[] => {
    if (!isObject(part)) return []
    const call = asObject(part.functionCall)
    if (part.text === undefined)
      return [{ ends: speaker }, ...(call ? wholly(textsOfData(call.args, call, 'args')) : [])]
    return steps(placeOf(part, 'text', stale), speaker, part.thought === true ? 'thought' : 'text')
  })
  return candidate.finishReason ? [...said, { ends: speaker }] : said
}

const responseDeltas = new Set([
  'response.output_text.delta',
  'response.refusal.delta',
  'response.reasoning_text.delta',
  'response.reasoning_summary_text.delta',
])

function ofResponse(json: JsonObject): FrameTexts {
  const type = asText(json.type) ?? ''
  if (responseDeltas.has(type)) {
    const { item_id, content_index, summary_index } = json
    const lane = JSON.stringify([type, item_id, content_index, summary_index])
    const places = placeOf(json, 'delta', { of: json, key: 'logprobs' })
    return { steps: steps(places, SAID, lane), repeated: [] }
  }
  const item = asObject(json.item)
  const caller = `call ${json.output_index ?? json.item_id ?? item?.id} `
  if (type === 'response.function_call_arguments.delta' || type === 'response.mcp_call_arguments.delta')
    return { steps: [{ ends: SAID }, ...steps(jsonOf(json, 'delta'), caller)], repeated: [] }
  if (type === 'response.custom_tool_call_input.delta')
    return { steps: [{ ends: SAID }, ...steps(placeOf(json, 'delta'), caller)], repeated: [] }
  const part = asObject(json.part)
  const repeated = [
    ...(type.endsWith('_text.done') ? placeOf(json, 'text', { of: json, key: 'logprobs' }) : []),
    ...(type === 'response.refusal.done' ? placeOf(json, 'refusal') : []),
    ...(type.endsWith('_call_arguments.done') ? jsonOf(json, 'arguments') : []),
    ...(type === 'response.custom_tool_call_input.done' ? placeOf(json, 'input') : []),
    ...(part ? textsOfPart(part) : []),
    ...(item ? repeatedIn(item) : []),
    ...asArray(asObject(json.response)?.output).flatMap(one => repeatedIn(asObject(one) ?? {})),
  ]
  // A picture's words come at once, with the picture.
  const drawn = type === 'response.output_item.done' && item ? placeOf(item, 'revised_prompt') : []
  return { steps: [...endsOf(type, item, caller), ...wholly(drawn)], repeated }
}

/** What tools are called with is masked as it is written, as where it came in pieces: what repeats it must not differ. */
function repeatedIn(item: JsonObject): StreamedPlace[] {
  if (item.type === 'function_call' || item.type === 'mcp_call') return jsonOf(item, 'arguments')
  return textsOfItem(item)
}

/** Who has finished. Calls may go on behind the beginning and the end of others. */
function endsOf(type: string, item: JsonObject | undefined, caller: string): FrameStep[] {
  const isCall = String(item?.type).endsWith('_call')
  if (isCall && type === 'response.output_item.added') return [{ ends: SAID }]
  if (isCall || /_call_(arguments|input)\.done$/.test(type)) return [{ ends: caller }]
  return goesOn(type) ? [] : [EVERYBODY]
}

/** Whether the text that is being said may go on behind it. */
function goesOn(type: string): boolean {
  return type === 'response.created' || type === 'response.in_progress' || type.includes('annotation')
}

/** Steps have numbers, and speak for themselves until they stop. */
function ofInteraction(json: JsonObject): FrameTexts {
  const speaker = `step ${json.index ?? 0} `
  switch (json.event_type) {
    case 'step.start':
      return { steps: ofStep(asObject(json.step) ?? {}, speaker), repeated: [] }
    case 'step.delta':
      return { steps: ofPiece(asObject(json.delta) ?? {}, speaker), repeated: [] }
    case 'step.stop':
      return { steps: [{ ends: speaker }], repeated: [] }
    case 'interaction.created':
    case 'interaction.status_update':
      return { steps: [], repeated: [] }
    default: {
      const steps = asArray(asObject(json.interaction)?.steps)
      return { steps: [EVERYBODY], repeated: steps.flatMap(step => textsOfStep(asObject(step) ?? {})) }
    }
  }
}

function ofStep(step: JsonObject, speaker: string): FrameStep[] {
  const said = [...asArray(step.content), ...asArray(step.summary)]
  return [
    ...said.flatMap(content => (isObject(content) ? steps(placeOf(content, 'text'), speaker) : [])),
    ...(isCall(step) ? wholly(textsOfData(step.arguments, step, 'arguments')) : []),
  ]
}

function ofPiece(delta: JsonObject, speaker: string): FrameStep[] {
  if (delta.type === 'text') return steps(placeOf(delta, 'text'), speaker)
  if (delta.type === 'thought_summary') return steps(placeOf(asObject(delta.content) ?? {}, 'text'), speaker)
  if (delta.type === 'arguments_delta') return steps(jsonOf(delta, 'arguments'), speaker, 'call')
  return isCall(delta) ? wholly(textsOfData(delta.arguments, delta, 'arguments')) : []
}

function ofTranscript(json: JsonObject): FrameTexts {
  const places = placeOf(json, 'text', { of: json, key: 'logprobs' })
  switch (json.type) {
    case 'transcript.text.delta':
      return { steps: steps(placeOf(json, 'delta', { of: json, key: 'logprobs' }), SAID), repeated: [] }
    case 'transcript.text.segment':
      return { steps: steps(places.map(behindOthers), SEGMENTS), repeated: [] }
    default:
      return { steps: [EVERYBODY], repeated: places }
  }
}
