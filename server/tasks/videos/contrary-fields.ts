import { asObject, asText, type Json, type JsonObject, parseObject } from '../../dialects/json.ts'
import { refuseField, refuseNamed } from '../../dialects/refuse.ts'
import { refuseMisspelled, spelled } from '../../relay/request/odd-names.ts'

/** What upstreams call its length in seconds: of several the longest is paid, whichever they heed. */
export const lengths = [
  'seconds',
  'duration',
  'durationSeconds',
  'duration_seconds',
  'video_duration',
] as const
/** By these they would make it as long as nobody has paid for: what a frame lasts only they know. */
const frames = [
  'frames',
  'num_frames',
  'numFrames',
  'frame_count',
  'number_of_frames',
  'video_length',
] as const
/** One is paid. */
const counts = [
  ...['n', 'sampleCount', 'sample_count', 'num_videos', 'number_of_videos'],
  ...['num_outputs', 'num_outputs_per_prompt', 'batch_size'],
] as const
/** Who makes a second of more frames takes longer for it. */
const rates = ['fps', 'frame_rate', 'frames_per_second', 'framespersecond'] as const
const MOST_FRAMES_A_SECOND = 60
/** What the price of a video depends on. */
export const decisive = [
  ...[...lengths, ...frames, ...counts, ...rates],
  ...['size', 'width', 'height', 'resolution', 'quality', 'mode'],
  ...['sound', 'generate_audio', 'audio', 'voice_list'],
] as const
/** How vendors call a model. */
const modelNames = ['model', 'model_name', 'req_key'] as const
/** In which some upstreams look for all of that before they look beside it. */
const inner = ['parameters', 'input', 'config', 'extra_params'] as const
/** How what decides is spelled. */
export const spellings = spelled([...decisive, ...modelNames, ...inner, 'metadata'])

/**
 * Gateways are told what came as it came, and each has a mind of its own on which of two it heeds: what decides the
 * price is said once, or twice the same. `apart` is what stands in `metadata`.
 */
export function refuseContrary(said: JsonObject, apart: JsonObject): void {
  refuseMisspelled(said, spellings)
  refuseMisspelled(apart, spellings)
  for (const name of decisive)
    if (!lengths.some(one => one === name) && isOther(said[name], apart[name]))
      refuseField(`metadata.${name}`, 'field.twice', { other: name })
  for (const place of [said, apart]) {
    checkMost(place, counts, 1)
    checkMost(place, rates, MOST_FRAMES_A_SECOND)
    const named = frames.find(name => isGiven(place[name]))
    if (named) refuseNamed(named)
  }
  refuseInner(said, '')
  refuseInner(apart, 'metadata.')
}

function checkMost(place: JsonObject, names: readonly string[], most: number): void {
  for (const name of names) {
    const value = place[name]
    if (isGiven(value) && !(Number(value) >= 1 && Number(value) <= most))
      refuseField(name, 'field.whole-within', { least: 1, most })
  }
}

/** What decides stands beside the prompt, or in `metadata`. */
function refuseInner(place: JsonObject, path: string): void {
  for (const where of inner) {
    const within = asObject(place[where]) ?? parseObject(asText(place[where]) ?? '')
    for (const [name, value] of Object.entries(within ?? {}))
      if (isGiven(value) && spellings.has(name.toLowerCase()))
        refuseNamed(`${path}${where}.${name.slice(0, 60)}`)
  }
}

/** A model that is named in `metadata` is the one that is paid. */
export function refuseOtherModel(model: string, apart: JsonObject): void {
  for (const name of modelNames)
    if (isOther(model, apart[name])) refuseField(`metadata.${name}`, 'field.twice', { other: 'model' })
}

/** As text and as a number it is the same. */
function isOther(one: Json | undefined, other: Json | undefined): boolean {
  return isGiven(one) && isGiven(other) && textOf(one) !== textOf(other)
}

export function isGiven(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== ''
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value.toLowerCase() : JSON.stringify(value)
}
