import type { Json, JsonObject } from '../../dialects/json.ts'
import { refuseField, refuseNamed } from '../../dialects/refuse.ts'
import { refuseMisspelled, spelled } from '../../relay/request/odd-names.ts'

/** What the price of a video depends on. */
export const decisive = [
  ...['seconds', 'duration', 'frames', 'n'],
  ...['size', 'width', 'height', 'resolution', 'quality', 'mode'],
  ...['sound', 'generate_audio', 'audio', 'voice_list'],
] as const
/** Of several the longest is paid. */
const lengths: ReadonlySet<string> = new Set(['seconds', 'duration'])
/** How vendors call a model. */
const modelNames = ['model', 'model_name', 'req_key'] as const
/** How what decides is spelled. */
export const spellings = spelled([...decisive, ...modelNames, 'metadata'])

/**
 * Gateways are told what came as it came, and each has a mind of its own on which of two it heeds: what decides the
 * price is said once, or twice the same. `apart` is what stands in `metadata`.
 */
export function refuseContrary(said: JsonObject, apart: JsonObject): void {
  refuseMisspelled(said, spellings)
  refuseMisspelled(apart, spellings)
  for (const name of decisive)
    if (!lengths.has(name) && isOther(said[name], apart[name]))
      refuseField(`metadata.${name}`, 'field.twice', { other: name })
  // They would make it as long as nobody has paid for.
  if (isGiven(said.frames) || isGiven(apart.frames)) refuseNamed('frames')
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
