import { asArray, asObject, asText, isObject, type JsonObject } from '../../dialects/json.ts'
import type { DialectName } from '../../dialects/spec.ts'
import type { TextPlace } from '../request/spoken-texts.ts'
import { placeOf, textsOfAnswer, textsOfDetail, textsOfItem, textsOfPart } from './answer-texts.ts'

/** A step in what a frame says: a piece of a text that goes on in other frames, or the end of such texts. */
export type FrameStep =
  | { readonly place: TextPlace; readonly speaker: string; readonly lane: string }
  /** What this speaker was saying is said; of all of them when none is named. */
  | { readonly ends: string | undefined }

/** One frame of a client's stream: what it adds, and the texts that it repeats whole. */
export interface FrameTexts {
  readonly steps: readonly FrameStep[]
  readonly repeated: readonly TextPlace[]
}

/** What calls of tools are given comes in pieces that are no text by themselves: it is not read in streams. */
export function textsOfFrame(dialect: DialectName, json: JsonObject): FrameTexts {
  switch (dialect) {
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
  }
}

function steps(places: readonly TextPlace[], speaker: string, lane: string): FrameStep[] {
  return places.map(place => ({ place, speaker, lane: `${speaker} ${lane}` }))
}

function ofChoice(choice: JsonObject): FrameStep[] {
  const speaker = String(choice.index ?? 0)
  const delta = asObject(choice.delta) ?? {}
  const stale = { of: choice, key: 'logprobs' }
  const said = [
    ...['reasoning_content', 'reasoning'].flatMap(key => steps(placeOf(delta, key), speaker, key)),
    ...asArray(delta.reasoning_details).flatMap(detail =>
      isObject(detail) ? steps(textsOfDetail(detail), speaker, 'details') : [],
    ),
    ...steps(placeOf(choice, 'text', stale), speaker, 'text'),
    ...steps(placeOf(delta, 'content', stale), speaker, 'text'),
    ...steps(placeOf(delta, 'refusal', stale), speaker, 'refusal'),
  ]
  const isOver = choice.finish_reason || delta.tool_calls || delta.function_call
  return isOver ? [...said, { ends: speaker }] : said
}

function ofEvent(json: JsonObject): FrameStep[] {
  switch (json.type) {
    case 'ping':
    case 'message_start':
      return []
    case 'content_block_delta': {
      const delta = asObject(json.delta) ?? {}
      const lane = String(json.index ?? 0)
      if (delta.type === 'text_delta') return steps(placeOf(delta, 'text'), '', lane)
      if (delta.type === 'thinking_delta') return steps(placeOf(delta, 'thinking'), '', lane)
      return delta.type === 'citations_delta' ? [] : [{ ends: undefined }]
    }
    case 'content_block_start': {
      const block = asObject(json.content_block) ?? {}
      const places = [...placeOf(block, 'text'), ...placeOf(block, 'thinking')]
      return [{ ends: undefined }, ...steps(places, '', String(json.index ?? 0))]
    }
    default:
      return [{ ends: undefined }]
  }
}

function ofCandidate(candidate: JsonObject): FrameStep[] {
  const speaker = String(candidate.index ?? 0)
  const stale = { of: candidate, key: 'logprobsResult' }
  const said = asArray(asObject(candidate.content)?.parts).flatMap((part): FrameStep[] => {
    if (!isObject(part)) return []
    if (part.text === undefined) return [{ ends: speaker }]
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
    return { steps: steps(places, '', lane), repeated: [] }
  }
  const item = asObject(json.item)
  const part = asObject(json.part)
  const response = asObject(json.response)
  const repeated = [
    ...(type.endsWith('_text.done') ? placeOf(json, 'text', { of: json, key: 'logprobs' }) : []),
    ...(type === 'response.refusal.done' ? placeOf(json, 'refusal') : []),
    ...(part ? textsOfPart(part) : []),
    ...(item ? textsOfItem({ ...item, type: 'message' }) : []),
    ...(response ? textsOfSaid(response) : []),
  ]
  return { steps: goesOn(type) ? [] : [{ ends: undefined }], repeated }
}

/** What calls are given was handed on as it came: what repeats it must not differ. */
function textsOfSaid(response: JsonObject): TextPlace[] {
  const output = asArray(response.output).filter(item => !String(asObject(item)?.type).endsWith('_call'))
  return textsOfAnswer('openai-responses', { output })
}

/** Whether the text that is being said may go on behind it. */
function goesOn(type: string): boolean {
  return type === 'response.created' || type === 'response.in_progress' || type.includes('annotation')
}
